// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/hash.hpp"
#include "model/fabric/clocked/open_transfers.hpp"
#include "model/fabric/seam/fabric.hpp"

namespace kernbench::model::fabric {

/// A network that is simulated cycle by cycle, with the ends of all its transfers (DESIGN section
/// 6).
class SteppedNetwork {
 public:
  SteppedNetwork() = default;
  SteppedNetwork(const SteppedNetwork&) = delete;
  SteppedNetwork& operator=(const SteppedNetwork&) = delete;
  virtual ~SteppedNetwork() = default;

  /// Returns the properties of its fabric, with this clock period.
  [[nodiscard]] virtual Fabric::Properties properties(common::SimTime period) const = 0;

  /// Registers a transfer of `packets` packets, to be started by begin(). Throws
  /// std::invalid_argument, without effect, for a transfer that the network cannot carry.
  [[nodiscard]] virtual Slot accept(const Transfer& transfer, std::uint64_t packets) = 0;
  /// Starts a transfer, submitted at time `at`: the step at edge `seen` may send its first packet.
  virtual void begin(Slot slot, Edge seen, common::SimTime at) = 0;

  /// Runs one cycle, which ends with the rising edge `edge`. Returns the ids of the transfers that
  /// complete at it, valid until the next call. Throws FabricFailure for an unexpected packet, and
  /// when nothing has moved for many cycles.
  const std::vector<std::uint64_t>& step(Edge edge);

  /// Returns true when no transfer is in progress: cycles have no effect until the next begin().
  [[nodiscard]] virtual bool idle() const = 0;
  /// Returns the most cycles for which a packet can stay inside after all transfers are complete.
  [[nodiscard]] virtual Edge drain_cycles() const = 0;
  /// Ends the run behind its last edge. May throw FabricFailure for what only the end shows.
  virtual void finish(Edge /*edge*/) {}
  /// Returns the number of links.
  [[nodiscard]] virtual std::size_t links() const = 0;
  /// Returns the number of packets that entered a link.
  [[nodiscard]] virtual std::uint64_t entered_link(std::size_t link) const = 0;
  /// Returns a hash over the edge, place and contents of every packet that moved.
  [[nodiscard]] std::uint64_t hash() const { return hash_.value(); }

 protected:
  /// Runs one cycle. Returns true when a packet has moved.
  virtual bool move(Edge edge) = 0;
  /// Describes what waits in a network that is stuck.
  [[nodiscard]] virtual std::string what_waits() const = 0;

  /// Returns the ids of the transfers that have completed in this cycle.
  [[nodiscard]] virtual std::vector<std::uint64_t>& done() = 0;
  /// Adds a packet that moves to the hash.
  void record(Edge edge, std::size_t place, std::uint64_t packet) {
    hash_.add(edge << 16U | place);
    hash_.add(packet);
  }

 private:
  std::uint64_t stuck_cycles_ = 0;  ///< cycles since the last move
  common::RunHash hash_;
};

/// Describes up to five open transfers, for a message. `name` returns that of a node.
[[nodiscard]] std::string text_of_open(const OpenTransfers& transfers,
                                       const std::function<std::string(std::uint32_t)>& name);

}  // namespace kernbench::model::fabric
