// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "model/engine/simulation.hpp"
#include "model/engine/slot_pool.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "model/transport/flit.hpp"
#include "model/transport/route_table.hpp"
#include "model/transport/wire.hpp"
#include "topology/routing/carried_links.hpp"

namespace kernbench::model::transport {

/// Makes the fabric that joins the cubes of a SIP, or, for network_between_sips(), the SIPs; null:
/// that is as the spec says. Nodes are cubes in a MAZE, and routers in another network.
using FabricFactory =
    std::function<std::unique_ptr<fabric::Fabric>(engine::Simulation&, const topology::SipSpec&)>;

/// Receives the flits that leave a fabric.
class FabricExitListener {
 public:
  virtual ~FabricExitListener() = default;
  /// The flit, still at its hop through the fabric, arrives now at the port where its next wire
  /// begins.
  virtual void on_fabric_exit(const Flit& flit) = 0;
};

/// Carries flits from port to port of the fabrics: each flit is one transfer (DESIGN section 6).
class FabricGateway : private fabric::TransferListener {
 public:
  /// All but `make_fabric` must outlive the gateway. Without `make_fabric`, fabrics are as
  /// the spec says.
  FabricGateway(engine::Simulation& simulation, const WireTable& wires, const RouteTable& routes,
                const FabricFactory& make_fabric, FabricExitListener& exit);

  /// Submits a flit of `bytes` that arrives now at a port. `transaction` is for traces.
  void enter(const Flit& flit, std::uint32_t bytes, std::uint64_t transaction);

  /// Returns the use of a link of a fabric by the transfers submitted so far. Its longest wait is
  /// not known.
  [[nodiscard]] WireUse use(topology::EdgeId link) const { return uses_.at(link.value()); }

 private:
  void on_transfer_done(std::uint64_t id) override;
  /// Returns the node at which a hop begins.
  [[nodiscard]] topology::NodeId begin_of(std::uint32_t hop) const;
  /// Adds a transfer to the links from port to port.
  void count(const fabric::Fabric& fabric, topology::NodeId from, topology::NodeId to,
             std::uint64_t bytes);

  const topology::TopologyGraph& graph_;
  const RouteTable& routes_;
  FabricExitListener& exit_;
  std::vector<std::unique_ptr<fabric::Fabric>> fabrics_;  ///< by SIP; none with a UCIe mesh
  std::unique_ptr<fabric::Fabric> between_sips_;          ///< if the spec has one
  engine::SlotPool<Flit> flits_;                          ///< by the id of their transfer
  topology::CarriedLinks links_;
  std::unordered_map<std::uint64_t, std::vector<topology::EdgeId>> ways_;  ///< by the two ports
  std::vector<WireUse> uses_;  ///< by edge; empty without a fabric
};

}  // namespace kernbench::model::transport
