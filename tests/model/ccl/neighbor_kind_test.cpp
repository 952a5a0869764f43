// SPDX-License-Identifier: Apache-2.0
// Neighbour kinds have no holes, and a hole is named.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "model/ccl/neighbor_kind.hpp"
#include "model/ccl/trees.hpp"

namespace kernbench::model::ccl {
namespace {

/// Returns a group whose members are in SIPs of three.
GroupShape three_in_a_sip(std::uint32_t size) {
  GroupShape group = GroupShape::of(size);
  for (std::uint32_t member = 0; member < size; ++member) group.sips[member] = member % 4 + 7;
  return group;
}

TEST(NeighborKinds, HaveNoHolesInGroupsOfAnySize) {
  EXPECT_GE(neighbor_kinds().size(), 9U);
  std::size_t joins = 0;
  for (const NeighborKind* const kind : neighbor_kinds()) {
    for (std::uint32_t size = 1; size <= 40; ++size) {
      for (const GroupShape& group : {GroupShape::of(size), three_in_a_sip(size)}) {
        EXPECT_NO_THROW(joins += joins_of(*kind, group).size()) << kind->name << " " << size;
      }
    }
  }
  EXPECT_GT(joins, 10'000U);
}

TEST(NeighborKinds, ReachEveryMember) {
  for (const NeighborKind* const kind : neighbor_kinds()) {
    for (std::uint32_t size = 1; size <= 40; ++size) {
      std::set<std::uint32_t> reached{0};
      std::vector<std::uint32_t> todo{0};
      GroupShape group = three_in_a_sip(size);
      if (kind->from_start) {  // of the PEs of a cube
        group.places.resize(size);
        std::iota(group.places.begin(), group.places.end(), 0U);
      }
      while (!todo.empty()) {
        const std::uint32_t member = todo.back();
        todo.pop_back();
        for (const Neighbor& neighbor : kind->of(member, group)) {
          if (reached.insert(neighbor.peer).second) todo.push_back(neighbor.peer);
        }
      }
      EXPECT_EQ(reached.size(), size) << kind->name;
    }
  }
}

TEST(NeighborKinds, AMemberInsideOneOfTwoTreesIsALeafOfTheOther) {
  for (std::uint32_t size = 1; size <= 40; ++size) {
    for (std::uint32_t member = 0; member < size; ++member) {
      const auto inside = [&](bool second) {
        const TreePlace place = two_tree(member, size, second);
        return place.left.has_value() || place.right.has_value();
      };
      EXPECT_FALSE(inside(false) && inside(true)) << member << " of " << size;
    }
  }
}

using List = std::vector<Neighbor>;

/// Returns the message of a kind with holes in a group of three.
std::string faults_of(List (*of)(std::uint32_t member, const GroupShape& group)) {
  try {
    (void)joins_of({"holes", "", of}, GroupShape::of(3));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no faults";
}

TEST(NeighborKinds, WithHolesAreRefusedWithALineForEach) {
  EXPECT_EQ(faults_of([](std::uint32_t member, const GroupShape&) {
              return List{{"next", member + 1, "prev"}};
            }),
            "the neighbour kind 'holes' has holes in a group of 3:\n"
            "  'next' of member 0 leads to member 1, whose 'prev' does not exist\n"
            "  'next' of member 1 leads to member 2, whose 'prev' does not exist\n"
            "  'next' of member 2 leads to member 3, but the last is 2");
  EXPECT_EQ(
      faults_of([](std::uint32_t member, const GroupShape&) {
        return List{{"next", (member + 1) % 3, "next"}};
      }),
      "the neighbour kind 'holes' has holes in a group of 3:\n"
      "  'next' of member 0 leads to member 1, whose 'next' leads back to 'next' of member 2\n"
      "  'next' of member 1 leads to member 2, whose 'next' leads back to 'next' of member 0\n"
      "  'next' of member 2 leads to member 0, whose 'next' leads back to 'next' of member 1");
  EXPECT_EQ(faults_of([](std::uint32_t member, const GroupShape&) {
              return member == 0 ? List{{"a", 1, "b"}, {"a", 1, "b"}, {"c", 0, "c"}}
                                 : (member == 1 ? List{{"b", 0, "a"}} : List{});
            }),
            "the neighbour kind 'holes' has holes in a group of 3:\n"
            "  'a' of member 0 is there twice\n"
            "  'c' of member 0 leads to the member itself");
}

}  // namespace
}  // namespace kernbench::model::ccl
