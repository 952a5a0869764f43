// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"
#include "topology/zoo/routing/routing_relation.hpp"
#include "topology/zoo/traffic_endpoints.hpp"

namespace kernbench::topology::zoo {

/// The routes between the endpoints of a topology (traffic_endpoints.hpp): the preferred hops of
/// its routing relation. Immutable.
class EndpointRoutes {
 public:
  /// Throws std::invalid_argument for a topology that has more than kMaxRoutedNodes nodes.
  explicit EndpointRoutes(TopologyPtr topology);

  [[nodiscard]] const TopologyPtr& topology() const { return topology_; }
  [[nodiscard]] const std::shared_ptr<const RoutingRelation>& relation() const { return relation_; }
  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(endpoints_.sources.size());
  }
  /// Return the nodes where the packets of an endpoint enter and leave.
  [[nodiscard]] std::uint32_t source(std::uint32_t endpoint) const {
    return endpoints_.sources.at(endpoint);
  }
  [[nodiscard]] std::uint32_t destination(std::uint32_t endpoint) const {
    return endpoints_.destinations.at(endpoint);
  }

  /// Returns the channels from an endpoint to another, none between endpoints of one node, or
  /// nothing if the relation has no route.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> route(std::uint32_t from,
                                                                std::uint32_t to) const;

 private:
  TopologyPtr topology_;
  std::shared_ptr<const RoutingRelation> relation_;
  TrafficEndpoints endpoints_;
};

}  // namespace kernbench::topology::zoo
