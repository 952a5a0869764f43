// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/trees.hpp"

#include <algorithm>
#include <bit>

namespace kernbench::model::ccl {

namespace {

/// Returns the place of `member` in the in-order tree of the numbers 1..size: a number with k
/// trailing zeros is at height k, and its children are 2^(k-1) below and above.
TreePlace in_order(std::uint32_t number, std::uint32_t size) {
  TreePlace place;
  const std::uint32_t bit = number & (~number + 1);
  const std::uint32_t root = std::bit_floor(size);
  if (number != root) {
    // The parent is at the next height; beyond the last number, it is the one below.
    const std::uint32_t upper = (number & ~bit) | (bit << 1U);
    place.parent = upper <= size ? upper : number & ~bit;
  }
  if (bit > 1) {
    place.left = number - bit / 2;
    std::uint32_t step = bit / 2;
    while (step > 0 && number + step > size) step /= 2;
    if (step > 0) place.right = number + step;
  }
  return place;
}

}  // namespace

TreePlace binary_tree(std::uint32_t member, std::uint32_t size) {
  TreePlace place;
  if (member != 0) place.parent = (member - 1) / 2;
  if (2 * member + 1 < size) place.left = 2 * member + 1;
  if (2 * member + 2 < size) place.right = 2 * member + 2;
  return place;
}

TreePlace two_tree(std::uint32_t member, std::uint32_t size, bool second) {
  // Positions are 1..size; even ones are inside.
  const bool mirrored = second && size % 2 == 0;
  const bool shifted = second && size % 2 != 0;
  const auto to_number = [&](std::uint32_t m) {
    if (mirrored) return size - m;
    return shifted ? (m + size - 1) % size + 1 : m + 1;
  };
  const auto to_member = [&](std::uint32_t number) {
    if (mirrored) return size - number;
    return shifted ? number % size : number - 1;
  };
  TreePlace place = in_order(to_number(member), size);
  for (std::optional<std::uint32_t>* const one : {&place.parent, &place.left, &place.right}) {
    if (*one) **one = to_member(**one);
  }
  return place;
}

LeaderPlace leader_place(std::uint32_t member, const GroupShape& group) {
  LeaderPlace place;
  for (std::uint32_t other = 0; other < group.size; ++other) {
    const auto first = std::find(group.sips.begin(), group.sips.end(), group.sips[other]);
    const auto leader = static_cast<std::uint32_t>(first - group.sips.begin());
    if (leader == other) {
      if (group.sips[other] == group.sips[member]) {
        place.leader = leader;
        place.leader_index = static_cast<std::uint32_t>(place.leaders.size());
      }
      place.leaders.push_back(leader);
    }
    if (group.sips[other] != group.sips[member]) continue;
    if (other == member) place.index = static_cast<std::uint32_t>(place.members.size());
    place.members.push_back(other);
  }
  return place;
}

}  // namespace kernbench::model::ccl
