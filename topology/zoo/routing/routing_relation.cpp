// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/routing_relation.hpp"

#include <fmt/format.h>

namespace kernbench::topology::zoo {

std::string hop_name(const BaseTopology& topology, const Hop& hop) {
  return fmt::format("{} vc{}", channel_name(topology, topology.channels()[hop.channel]), hop.vc);
}

}  // namespace kernbench::topology::zoo
