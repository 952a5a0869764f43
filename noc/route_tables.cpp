// SPDX-License-Identifier: Apache-2.0
#include "noc/route_tables.hpp"

namespace kernbench::noc {

std::vector<std::vector<std::uint32_t>> tables_of(const Network& network) {
  const Sizes& sizes = network.sizes();
  std::vector<std::vector<std::uint32_t>> tables;
  for (std::uint32_t node = 0; node < network.nodes(); ++node) {
    tables.emplace_back(std::size_t{network.inputs(node)} * sizes.vcs() * network.nodes());
  }
  for_each_used_way(network, [&](std::uint32_t node, std::uint32_t input, std::uint32_t vc_class,
                                 std::uint32_t dst, Network::Way way) {
    for (std::uint32_t lane = 0; lane < sizes.lanes; ++lane) {
      const std::uint32_t vc = vc_class * sizes.lanes + lane;
      tables[node][(std::size_t{input} * sizes.vcs() + vc) * network.nodes() + dst] =
          way.output * sizes.classes + way.vc_class;
    }
  });
  return tables;
}

}  // namespace kernbench::noc
