// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/routing_relation.hpp"

#include <fmt/format.h>

#include <string>

namespace kernbench::topology::zoo {

std::string hop_name(const BaseTopology& topology, const Hop& hop) {
  const std::uint32_t lane = topology.lane_of(hop.channel);
  return fmt::format("{}{} vc{}", channel_name(topology, topology.channels()[hop.channel]),
                     lane == 0 ? std::string() : fmt::format("#{}", lane), hop.vc);
}

}  // namespace kernbench::topology::zoo
