// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "maze/link_frame.hpp"
#include "model/fabric/clocked/maze_routes.hpp"
#include "model/fabric/clocked/packet_observer.hpp"
#include "model/fabric/clocked/stepped_network.hpp"
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
class CycleMaze : public SteppedNetwork {
 public:
  /// `failed` is the node without a clock, if any.
  CycleMaze(const maze::Shape& shape, std::optional<unsigned> failed, const MazeSettings& settings);

  [[nodiscard]] const maze::Shape& shape() const { return shape_; }
  [[nodiscard]] std::optional<unsigned> failed() const { return failed_; }

  [[nodiscard]] Fabric::Properties properties(common::SimTime period) const final;
  [[nodiscard]] Slot accept(const Transfer& transfer, std::uint64_t packets) final;
  void begin(Slot slot, Edge seen, common::SimTime at) final;
  [[nodiscard]] bool idle() const final { return endpoints_.idle(); }
  [[nodiscard]] Edge drain_cycles() const final;
  [[nodiscard]] std::size_t links() const final { return shape_.links(); }
  [[nodiscard]] std::uint64_t entered_link(std::size_t link) const final {
    return entered(static_cast<unsigned>(link / shape_.ports()),
                   static_cast<unsigned>(link % shape_.ports()));
  }
  /// Returns the number of packets that entered the link at output `port` of `node`.
  [[nodiscard]] virtual std::uint64_t entered(unsigned node, unsigned port) const = 0;

 protected:
  /// Prepares a transfer that has been accepted.
  virtual void prepare(OpenTransfer& /*transfer*/) const {}
  /// Tells that `node` has something to send.
  virtual void wake(unsigned node) = 0;
  /// Describes the packets in flight, for the message about a MAZE that is stuck.
  [[nodiscard]] virtual std::string held_packets() const = 0;

  [[nodiscard]] const MazeRoutes& routes() const { return routes_; }
  [[nodiscard]] TransferEndpoints& endpoints() { return endpoints_; }
  [[nodiscard]] const OpenTransfer& transfer(Slot slot) const { return endpoints_.transfer(slot); }
  [[nodiscard]] PacketObserver* observer() const { return endpoints_.observer(); }
  [[nodiscard]] bool stalls_receivers() const { return stall_threshold_ != 0; }
  /// Returns a word whose bits are 1 with the probability of a stall.
  [[nodiscard]] std::uint64_t draw_stalls() { return stalls_.bernoulli_word(stall_threshold_); }

 private:
  [[nodiscard]] unsigned destinations(const Transfer& transfer) const;
  [[nodiscard]] std::string what_waits() const final {
    return endpoints_.what_waits() + held_packets();
  }
  [[nodiscard]] std::vector<std::uint64_t>& done() final { return endpoints_.done(); }

  maze::Shape shape_;
  std::optional<unsigned> failed_;
  MazeRoutes routes_;
  TransferEndpoints endpoints_;
  std::uint64_t stall_threshold_;
  common::Rng stalls_;
};

}  // namespace kernbench::model::fabric
