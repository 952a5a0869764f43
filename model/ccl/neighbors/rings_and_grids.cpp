// SPDX-License-Identifier: Apache-2.0
// Neighbour kinds that are rings and grids. In a ring of two, both directions lead to the same
// member; a direction never leads to the member itself.

#include <string>

#include "model/ccl/neighbor_kind.hpp"

namespace kernbench::model::ccl::rings_and_grids {
namespace {

/// Adds the neighbours of a place in a ring of `size`. `step` is the distance of indices between
/// neighbours, `first` the member at place 0.
void add_ring(std::vector<Neighbor>& list, std::uint32_t first, std::uint32_t step,
              std::uint32_t place, std::uint32_t size, const std::string& next,
              const std::string& prev) {
  if (size == 1) return;
  list.push_back({next, first + (place + 1) % size * step, prev});
  list.push_back({prev, first + (place + size - 1) % size * step, next});
}

std::vector<Neighbor> ring(std::uint32_t member, const GroupShape& group) {
  std::vector<Neighbor> list;
  add_ring(list, 0, 1, member, group.size, "next", "prev");
  return list;
}

std::vector<Neighbor> chain(std::uint32_t member, const GroupShape& group) {
  std::vector<Neighbor> list;
  if (member + 1 < group.size) list.push_back({"down", member + 1, "up"});
  if (member > 0) list.push_back({"up", member - 1, "down"});
  return list;
}

std::vector<Neighbor> torus(std::uint32_t member, const GroupShape& group) {
  const auto [w, h] = group.grid;
  std::vector<Neighbor> list;
  add_ring(list, member / w * w, 1, member % w, w, "E", "W");
  add_ring(list, member % w, w, member / w, h, "S", "N");
  return list;
}

std::vector<Neighbor> mesh(std::uint32_t member, const GroupShape& group) {
  const auto [w, h] = group.grid;
  const std::uint32_t x = member % w;
  const std::uint32_t y = member / w;
  std::vector<Neighbor> list;
  if (x + 1 < w) list.push_back({"E", member + 1, "W"});
  if (x > 0) list.push_back({"W", member - 1, "E"});
  if (y + 1 < h) list.push_back({"S", member + w, "N"});
  if (y > 0) list.push_back({"N", member - w, "S"});
  return list;
}

/// The mesh of the PEs of a cube.
std::vector<Neighbor> pes(std::uint32_t member, const GroupShape& group) {
  if (group.places.empty()) return {};
  std::vector<std::uint32_t> at(group.size);
  for (std::uint32_t i = 0; i < group.size; ++i) at[group.places[i]] = i;
  std::vector<Neighbor> list = mesh(group.places[member], group);
  for (Neighbor& neighbor : list) neighbor.peer = at[neighbor.peer];
  return list;
}

const NeighborKindRegistration kRing{{"ring", "next, prev", ring}};
const NeighborKindRegistration kChain{
    {"chain", "down, up; no link from the last to the first", chain}};
const NeighborKindRegistration kTorus{
    {"torus", "E, W, S, N: rows and columns of a grid, each a ring", torus}};
const NeighborKindRegistration kMesh{{"mesh", "E, W, S, N: a grid without wrap-around", mesh}};
const NeighborKindRegistration kPes{
    {"pes", "E, W, S, N: the PEs of a cube as they lie in it", pes, true}};

}  // namespace
}  // namespace kernbench::model::ccl::rings_and_grids
