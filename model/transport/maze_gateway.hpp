// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "model/engine/simulation.hpp"
#include "model/engine/slot_pool.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "model/transport/flit.hpp"
#include "model/transport/route_table.hpp"

namespace kernbench::model::transport {

/// Makes the fabric between the MAZE nodes of a SIP. Node numbers of the fabric are cube numbers.
using FabricFactory =
    std::function<std::unique_ptr<fabric::Fabric>(engine::Simulation&, const topology::SipSpec&)>;

/// Receives the flits that leave a MAZE.
class MazeExitListener {
 public:
  virtual ~MazeExitListener() = default;
  /// The flit, still at its MAZE hop, arrives now at the MAZE node where its next wire begins.
  virtual void on_maze_exit(const Flit& flit) = 0;
};

/// Carries flits from MAZE node to MAZE node: each flit is one transfer of the SIP's fabric (DESIGN
/// section 6).
class MazeGateway : private fabric::TransferListener {
 public:
  /// All but `make_fabric` must outlive the gateway. Without `make_fabric`, fabrics are as
  /// the spec says.
  MazeGateway(engine::Simulation& simulation, const WireTable& wires, const RouteTable& routes,
              const FabricFactory& make_fabric, MazeExitListener& exit);

  /// Submits a flit of `bytes` that arrives now at a MAZE node. `transaction` is for traces.
  void enter(const Flit& flit, std::uint32_t bytes, std::uint64_t transaction);

 private:
  void on_transfer_done(std::uint64_t id) override;
  /// Returns the node at which a hop begins.
  [[nodiscard]] const topology::Node& begin_of(std::uint32_t hop) const;

  const topology::TopologyGraph& graph_;
  const RouteTable& routes_;
  MazeExitListener& exit_;
  std::vector<std::unique_ptr<fabric::Fabric>> fabrics_;  ///< by SIP; none without a MAZE
  engine::SlotPool<Flit> flits_;                          ///< by the id of their transfer
};

}  // namespace kernbench::model::transport
