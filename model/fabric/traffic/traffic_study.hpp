// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "model/fabric/analytic/analytic_fabric.hpp"
#include "model/fabric/traffic/synthetic_traffic.hpp"
#include "model/fabric/traffic/traffic_pattern.hpp"
#include "topology/zoo/zoo.hpp"

namespace kernbench::model::fabric {

/// A base topology with a routing relation, as an analytic fabric takes it.
struct AnalyticNetwork {
  topology::zoo::TopologyPtr topology;
  std::shared_ptr<const topology::zoo::RoutingRelation> relation;
  AnalyticSettings settings;

  /// Chooses the natural routing, and a period of 1 ns. `maze`: the channels have the IRS stages of
  /// a MAZE Topo. Throws std::invalid_argument for `maze` and another topology than a
  /// FlattenedButterfly that a MAZE can be.
  AnalyticNetwork(topology::zoo::TopologyPtr topology, std::uint32_t packet_bits, bool maze);
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
  bool maze = false;  ///< the channels have the IRS stages of a MAZE Topo
};

/// Synthetic traffic at several loads over the analytic fabric of a base topology.
class TrafficStudy {
 public:
  /// Throws std::invalid_argument for a pattern that the topology cannot carry, and as
  /// AnalyticNetwork does.
  TrafficStudy(topology::zoo::TopologyPtr topology, TrafficStudySettings settings);

  [[nodiscard]] const AnalyticNetwork& network() const { return network_; }
  [[nodiscard]] const TrafficStudySettings& settings() const { return settings_; }
  [[nodiscard]] const TrafficPattern& pattern() const { return pattern_; }
  /// Returns the packets of a transfer.
  [[nodiscard]] std::uint64_t packets() const;

  /// Runs one load in its own simulation.
  [[nodiscard]] TrafficResult run(double load) const;
  /// Returns the `data` of a report "traffic" (docs/report-schema.md).
  [[nodiscard]] nlohmann::json data(const std::vector<TrafficResult>& results) const;

 private:
  TrafficStudySettings settings_;
  AnalyticNetwork network_;
  TrafficPattern pattern_;
};

}  // namespace kernbench::model::fabric
