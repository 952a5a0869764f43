// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/grade.hpp"
#include "model/fabric/traffic/synthetic_traffic.hpp"
#include "model/fabric/traffic/traffic_pattern.hpp"
#include "model/fabric/traffic/traffic_report.hpp"
#include "topology/zoo/zoo.hpp"

namespace kernbench::model::fabric {

/// A base topology with its routes, and the fabric over it.
struct BaseNetwork {
  /// A fabric, and the packets that the channels of the topology have moved over it.
  struct Built {
    std::unique_ptr<Fabric> fabric;
    ChannelPackets packets;  ///< valid as long as the fabric
  };

  topology::zoo::TopologyPtr topology;
  std::shared_ptr<const topology::zoo::RoutingRelation> relation;
  std::uint32_t packet_bits = 8;
  bool maze = false;

  /// `maze`: the topology is that of a MAZE, with the nodes that are built. Throws
  /// std::invalid_argument for `maze` and another topology than a FlattenedButterfly that a MAZE
  /// can be, and for routes of a file that can deadlock or do not arrive.
  BaseNetwork(topology::zoo::TopologyPtr topology, std::uint32_t packet_bits, bool maze);

  /// Creates the fabric, with a clock of 1 ns: that of a MAZE is cycle-accurate, others are
  /// analytic. The network and `simulation` must outlive it.
  [[nodiscard]] Built build(engine::Simulation& simulation) const;
};

/// Settings of a TrafficStudy besides its topology.
struct TrafficStudySettings {
  TrafficPatternSpec pattern{};
  std::vector<double> loads{};    ///< packets per sender and cycle, 0..1
  std::uint64_t bytes = 1;        ///< bytes of a transfer
  std::uint32_t packet_bits = 8;  ///< data bits in a packet
  std::uint64_t warmup = 1000;    ///< cycles before the measured ones
  std::uint64_t cycles = 10000;   ///< measured cycles
  std::uint64_t seed = 1;
  bool maze = false;  ///< the network is a MAZE, with the nodes that are built
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

  /// Runs one load in its own simulation.
  [[nodiscard]] TrafficResult run(double load) const;
  /// Returns the grade of the latencies: only those of a MAZE come from a simulation of its nodes.
  [[nodiscard]] common::Grade grade() const;
  [[nodiscard]] TrafficReport report(const std::vector<TrafficResult>& results) const;

 private:
  TrafficStudySettings settings_;
  BaseNetwork network_;
  TrafficPattern pattern_;
};

}  // namespace kernbench::model::fabric
