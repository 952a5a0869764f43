// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/natural_routing.hpp"

#include <memory>

#include "topology/zoo/routing/shortest_path.hpp"
#include "topology/zoo/routing/up_down.hpp"
#include "topology/zoo/zoo_kinds.hpp"

namespace kernbench::topology::zoo {

std::unique_ptr<RoutingRelation> natural_routing(const BaseTopology& topology) {
  if (topology.own_routing()) return topology.own_routing()(topology);
  // A plugin's kind may be derived from one that ships, so it goes first.
  for (auto kind = zoo_kinds().rbegin(); kind != zoo_kinds().rend(); ++kind) {
    if (kind->route == nullptr) continue;
    if (auto relation = kind->route(topology)) return relation;
  }
  if (is_two_way(topology)) return std::make_unique<UpDownRouting>(topology);
  return std::make_unique<NegativeHopRouting>(topology);
}

}  // namespace kernbench::topology::zoo
