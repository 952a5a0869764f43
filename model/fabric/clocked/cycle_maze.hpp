// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/hash.hpp"
#include "common/random.hpp"
#include "maze/link_frame.hpp"
#include "model/fabric/clocked/maze_routes.hpp"
#include "model/fabric/clocked/packet_observer.hpp"
#include "model/fabric/clocked/transfer_endpoints.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::model::fabric {

struct MazeSettings {
  topology::DimensionOrder order = topology::DimensionOrder::XY;
  /// Probability (0..1) with which a receiver is not ready in a cycle, independently of others.
  double receiver_stalls = 0.0;
  std::uint64_t seed = 1;              ///< random seed of the stalls
  PacketObserver* observer = nullptr;  ///< must outlive the MAZE
};

/// A MAZE that is simulated cycle by cycle: the ends of all transfers, and below them nodes and
/// links (DESIGN section 6).
class CycleMaze {
 public:
  /// `failed` is the node without a clock, if any.
  CycleMaze(const maze::Shape& shape, std::optional<unsigned> failed, const MazeSettings& settings);
  CycleMaze(const CycleMaze&) = delete;
  CycleMaze& operator=(const CycleMaze&) = delete;
  virtual ~CycleMaze() = default;

  [[nodiscard]] const maze::Shape& shape() const { return shape_; }
  [[nodiscard]] std::optional<unsigned> failed() const { return failed_; }

  /// Registers a transfer of `packets` packets, to be started by begin().
  [[nodiscard]] Slot accept(const Transfer& transfer, std::uint64_t packets);
  /// Starts a transfer, submitted at time `at`: the step at edge `seen` may send its first packet.
  void begin(Slot slot, Edge seen, common::SimTime at);

  /// Runs one cycle, which ends with the rising edge `edge`. Returns the ids of the transfers that
  /// complete at it, valid until the next call. Throws FabricFailure for an unexpected packet, and
  /// when nothing has moved for many cycles.
  const std::vector<std::uint64_t>& step(Edge edge);

  /// Returns true when no transfer is in progress: cycles have no effect until the next begin().
  [[nodiscard]] bool idle() const { return endpoints_.idle(); }
  /// Returns the number of packets that entered the link at output `port` of `node`.
  [[nodiscard]] virtual std::uint64_t entered(unsigned node, unsigned port) const = 0;
  /// Returns a hash over the edge, place and contents of every packet that moved.
  [[nodiscard]] std::uint64_t hash() const { return hash_.value(); }

 protected:
  /// Prepares a transfer that has been accepted.
  virtual void prepare(OpenTransfer& /*transfer*/) const {}
  /// Tells that `node` has something to send.
  virtual void wake(unsigned node) = 0;
  /// Runs one cycle. Returns true when a packet has moved.
  virtual bool move(Edge edge) = 0;
  /// Describes the packets in flight, for the message about a MAZE that is stuck.
  [[nodiscard]] virtual std::string held_packets() const = 0;

  [[nodiscard]] const MazeRoutes& routes() const { return routes_; }
  [[nodiscard]] TransferEndpoints& endpoints() { return endpoints_; }
  [[nodiscard]] const OpenTransfer& transfer(Slot slot) const { return endpoints_.transfer(slot); }
  [[nodiscard]] PacketObserver* observer() const { return endpoints_.observer(); }
  [[nodiscard]] bool stalls_receivers() const { return stall_threshold_ != 0; }
  /// Returns a word whose bits are 1 with the probability of a stall.
  [[nodiscard]] std::uint64_t draw_stalls() { return stalls_.bernoulli_word(stall_threshold_); }
  void record(Edge edge, std::size_t place, maze::Payload packet) {
    hash_.add(edge << 16U | place);
    hash_.add(packet);
  }

 private:
  [[nodiscard]] unsigned destinations(const Transfer& transfer) const;

  maze::Shape shape_;
  std::optional<unsigned> failed_;
  MazeRoutes routes_;
  TransferEndpoints endpoints_;
  std::uint64_t stall_threshold_;
  common::Rng stalls_;
  std::uint64_t stuck_cycles_ = 0;  ///< cycles since the last move
  common::RunHash hash_;
};

}  // namespace kernbench::model::fabric
