// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/neighbor_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "common/registry.hpp"

namespace kernbench::model::ccl {

namespace {

common::Registry<NeighborKind>& known_kinds() {
  static common::Registry<NeighborKind> kinds("neighbour kind");
  return kinds;
}

const Neighbor* find(const std::vector<Neighbor>& neighbors, std::string_view direction) {
  const auto found = std::find_if(
      neighbors.begin(), neighbors.end(),
      [direction](const Neighbor& neighbor) { return neighbor.direction == direction; });
  return found == neighbors.end() ? nullptr : &*found;
}

/// Returns what is wrong with a member's direction, or an empty text.
std::string fault_of(std::uint32_t member, const Neighbor& neighbor,
                     const std::vector<std::vector<Neighbor>>& all) {
  const std::string where = fmt::format("'{}' of member {}", neighbor.direction, member);
  if (find(all[member], neighbor.direction) != &neighbor) return where + " is there twice";
  if (neighbor.peer >= all.size()) {
    return fmt::format("{} leads to member {}, but the last is {}", where, neighbor.peer,
                       all.size() - 1);
  }
  if (neighbor.peer == member) return where + " leads to the member itself";
  const Neighbor* const back = find(all[neighbor.peer], neighbor.back);
  const std::string from =
      fmt::format("{} leads to member {}, whose '{}'", where, neighbor.peer, neighbor.back);
  if (back == nullptr) return from + " does not exist";
  if (back->peer != member || back->back != neighbor.direction) {
    return fmt::format("{} leads back to '{}' of member {}", from, back->back, back->peer);
  }
  return {};
}

}  // namespace

GroupShape GroupShape::of(std::uint32_t size) {
  GroupShape shape{size, most_square(size), std::vector<std::uint32_t>(size), {}};
  std::iota(shape.sips.begin(), shape.sips.end(), 0U);
  return shape;
}

const std::vector<const NeighborKind*>& neighbor_kinds() {
  return known_kinds().all();
}

const NeighborKind* find_neighbor_kind(std::string_view name) {
  return known_kinds().find(name);
}

NeighborKindRegistration::NeighborKindRegistration(NeighborKind kind) {
  known_kinds().add(std::move(kind));
}

std::vector<Join> joins_of(const NeighborKind& kind, const GroupShape& group) {
  std::vector<std::vector<Neighbor>> all(group.size);
  for (std::uint32_t member = 0; member < group.size; ++member) {
    all[member] = kind.of(member, group);
  }
  std::vector<Join> joins;
  std::string faults;
  for (std::uint32_t member = 0; member < group.size; ++member) {
    for (const Neighbor& neighbor : all[member]) {
      if (const std::string fault = fault_of(member, neighbor, all); !fault.empty()) {
        faults += "\n  " + fault;
      } else if (std::pair(member, neighbor.direction) < std::pair(neighbor.peer, neighbor.back)) {
        joins.push_back({member, neighbor.direction, neighbor.peer, neighbor.back});
      }
    }
  }
  if (!faults.empty()) {
    throw std::invalid_argument(fmt::format("the neighbour kind '{}' has holes in a group of {}:{}",
                                            kind.name, group.size, faults));
  }
  return joins;
}

}  // namespace kernbench::model::ccl
