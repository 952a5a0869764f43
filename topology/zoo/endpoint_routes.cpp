// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/endpoint_routes.hpp"

#include <utility>

#include "topology/zoo/routing/hop_distances.hpp"
#include "topology/zoo/routing/natural_routing.hpp"

namespace kernbench::topology::zoo {
namespace {

/// Returns a topology that is small enough.
TopologyPtr routable(TopologyPtr topology) {
  require_routable_size(*topology);
  return topology;
}

}  // namespace

EndpointRoutes::EndpointRoutes(TopologyPtr topology)
    : topology_(routable(std::move(topology))),
      relation_(natural_routing(*topology_)),
      endpoints_(traffic_endpoints(*topology_)) {}

std::optional<std::vector<std::uint32_t>> EndpointRoutes::route(std::uint32_t from,
                                                                std::uint32_t to) const {
  // A longer route visits a virtual channel of a channel twice, so it never ends.
  const std::size_t most = topology_->channels().size() * relation_->n_vcs();
  std::vector<std::uint32_t> channels;
  std::optional<Hop> in;
  for (std::uint32_t at = source(from); at != destination(to);) {
    const std::vector<Hop> hops = relation_->next(at, in, destination(to));
    if (hops.empty() || channels.size() == most) return std::nullopt;
    in = hops.front();
    channels.push_back(in->channel);
    at = topology_->channels()[in->channel].dst;
  }
  return channels;
}

}  // namespace kernbench::topology::zoo
