// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/grade.hpp"
#include "model/fabric/clocked/clocked_fabric.hpp"
#include "model/fabric/clocked/packet_network.hpp"
#include "model/fabric/noc/flit_network.hpp"
#include "model/fabric/noc/noc_base.hpp"
#include "model/fabric/seam/fabric_kind.hpp"
#include "model/fabric/traffic/synthetic_traffic.hpp"
#include "model/fabric/traffic/traffic_pattern.hpp"
#include "model/fabric/traffic/traffic_report.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/zoo/zoo.hpp"

namespace kernbench::model::fabric {

/// Returns a SIP whose cubes are joined by the MAZE that a FlattenedButterfly is, with a clock of
/// 1 ns. Throws std::bad_cast for another topology.
[[nodiscard]] topology::SipSpec maze_sip(const topology::zoo::BaseTopology& topology,
                                         std::uint32_t packet_bits);

/// How a base topology carries transfers.
struct BaseFabric {
  FabricKind kind = FabricKind::Analytic;
  /// The topology is that of a MAZE, with the nodes that are built. Otherwise its nodes are
  /// NOC_ROUTERs.
  bool maze = false;
  NocSettings noc{.flit_bits = 8};  ///< sizes of the routers; a MAZE has the flit's data bits only
  /// Make the networks of Rtl.
  std::function<std::unique_ptr<FlitNetwork>()> make_flits{};
  std::function<std::unique_ptr<PacketNetwork>()> make_maze{};
};

/// A base topology with its routes, and the fabric over it.
class BaseNetwork {
 public:
  /// A fabric, and the packets that the channels of the topology have moved over it.
  struct Built {
    std::unique_ptr<Fabric> fabric;
    ChannelPackets packets;            ///< valid as long as the fabric
    ClockedFabric* clocked = nullptr;  ///< the fabric, unless it is analytic
  };

  /// Throws std::invalid_argument for a MAZE of another topology than a FlattenedButterfly that it
  /// can be, for routes of a file that can deadlock or do not arrive, and for sizes out of range.
  BaseNetwork(topology::zoo::TopologyPtr topology, BaseFabric settings);

  [[nodiscard]] const topology::zoo::BaseTopology& topology() const { return *topology_; }
  [[nodiscard]] const topology::zoo::RoutingRelation& relation() const { return *relation_; }
  [[nodiscard]] const BaseFabric& settings() const { return settings_; }

  /// Creates the fabric, with a clock of 1 ns. The network and `simulation` must outlive it.
  [[nodiscard]] Built build(engine::Simulation& simulation) const;

 private:
  [[nodiscard]] Built build_maze(engine::Simulation& simulation) const;

  topology::zoo::TopologyPtr topology_;
  std::shared_ptr<const topology::zoo::RoutingRelation> relation_;
  BaseFabric settings_;
  std::shared_ptr<const NocBase> base_;  ///< network of simulated routers
};

/// Settings of a TrafficStudy besides its topology.
struct TrafficStudySettings {
  TrafficPatternSpec pattern{};
  std::vector<double> loads{};   ///< packets per sender and cycle, 0..1
  std::uint64_t bytes = 1;       ///< bytes of a transfer
  std::uint64_t warmup = 1000;   ///< cycles before the measured ones
  std::uint64_t cycles = 10000;  ///< measured cycles
  std::uint64_t seed = 1;
  BaseFabric fabric{};
};

/// Synthetic traffic at several loads over the fabric of a base topology.
class TrafficStudy {
 public:
  /// Throws std::invalid_argument for a pattern that the topology cannot carry, and as
  /// BaseNetwork does.
  TrafficStudy(topology::zoo::TopologyPtr topology, TrafficStudySettings settings);

  [[nodiscard]] const BaseNetwork& network() const { return network_; }
  [[nodiscard]] const TrafficStudySettings& settings() const { return settings_; }
  [[nodiscard]] const TrafficPattern& pattern() const { return pattern_; }
  /// Returns the packets of a transfer.
  [[nodiscard]] std::uint64_t packets() const;

  /// Runs one load in its own simulation. Throws FabricFailure if the fabric fails.
  [[nodiscard]] TrafficResult run(double load) const;
  /// Returns the grade of the latencies: only those of simulated nodes are exact.
  [[nodiscard]] common::Grade grade() const;
  [[nodiscard]] TrafficReport report(const std::vector<TrafficResult>& results) const;

 private:
  TrafficStudySettings settings_;
  BaseNetwork network_;
  TrafficPattern pattern_;
};

}  // namespace kernbench::model::fabric
