// SPDX-License-Identifier: Apache-2.0
// Neighbour kinds of algorithms with a logarithmic number of steps, and of those in which every
// member talks to every other.

#include <fmt/format.h>

#include <bit>

#include "model/ccl/neighbor_kind.hpp"

namespace kernbench::model::ccl::cubes_and_pairs {
namespace {

/// The first 2^k members, as many as there are, form a hypercube; each further one is joined with
/// one of them.
std::vector<Neighbor> hypercube(std::uint32_t member, const GroupShape& group) {
  const std::uint32_t inside = std::bit_floor(group.size);
  std::vector<Neighbor> list;
  if (member >= inside) {
    list.push_back({"fold", member - inside, "fold"});
    return list;
  }
  for (std::uint32_t bit = 0; (std::uint32_t{1} << bit) < inside; ++bit) {
    const std::string direction = fmt::format("{}", bit);
    list.push_back({direction, member ^ (std::uint32_t{1} << bit), direction});
  }
  if (member + inside < group.size) list.push_back({"fold", member + inside, "fold"});
  return list;
}

/// Members at distances of 1, 2, 4, ... around a ring (J. Bruck et al., "Efficient Algorithms for
/// All-to-All Communications in Multiport Message-Passing Systems", 1997).
std::vector<Neighbor> powers(std::uint32_t member, const GroupShape& group) {
  std::vector<Neighbor> list;
  for (std::uint32_t step = 1; step < group.size; step *= 2) {
    const std::string ahead = fmt::format("ahead_{}", step);
    const std::string behind = fmt::format("behind_{}", step);
    list.push_back({ahead, (member + step) % group.size, behind});
    list.push_back({behind, (member + group.size - step) % group.size, ahead});
  }
  return list;
}

std::vector<Neighbor> pairs(std::uint32_t member, const GroupShape& group) {
  std::vector<Neighbor> list;
  for (std::uint32_t peer = 0; peer < group.size; ++peer) {
    if (peer != member) list.push_back({fmt::format("{}", peer), peer, fmt::format("{}", member)});
  }
  return list;
}

const NeighborKindRegistration kHypercube{
    {"hypercube", "0, 1, ...: the member whose index differs in that bit; fold beyond 2^k",
     hypercube}};
const NeighborKindRegistration kPowers{
    {"powers", "ahead_1, behind_1, ahead_2, ...: the members at these distances", powers}};
const NeighborKindRegistration kPairs{
    {"pairs", "0, 1, ...: every other member, by its index", pairs}};

}  // namespace
}  // namespace kernbench::model::ccl::cubes_and_pairs
