// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/tree_routing.hpp"

namespace kernbench::topology::zoo {

std::vector<Hop> TreeRouting::next(std::uint32_t at, std::optional<Hop> /*in*/,
                                   std::uint32_t dst) const {
  // Parents have smaller numbers, so the climb from `dst` passes `at` or stops at or below it.
  std::uint32_t child = dst;
  while (child > at && tree_.parent(child) > at) child = tree_.parent(child);
  const bool is_below = child > at && tree_.parent(child) == at;
  return hop(at, is_below ? child : tree_.parent(at), 0);
}

}  // namespace kernbench::topology::zoo
