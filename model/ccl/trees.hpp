// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/api.hpp"
#include "model/ccl/neighbor_kind.hpp"

namespace kernbench::model::ccl {

/// The neighbours of a member in a binary tree, by index.
struct TreePlace {
  std::optional<std::uint32_t> parent;  ///< none at the root
  std::optional<std::uint32_t> left;
  std::optional<std::uint32_t> right;
};

/// Returns a member's place in the tree with root 0, in which member i has the children 2i + 1 and
/// 2i + 2.
[[nodiscard]] KERNBENCH_API TreePlace binary_tree(std::uint32_t member, std::uint32_t size);

/// Returns a member's place in one of two trees. In the first, the members are in order and odd
/// ones, counted from 0, are inside. The second is its mirror image for an even size, and shifted
/// by one for an odd size, so that no member but one is inside both.
[[nodiscard]] KERNBENCH_API TreePlace two_tree(std::uint32_t member, std::uint32_t size,
                                               bool second);

/// The members of a SIP within a group and the first of each SIP, its leader.
struct LeaderPlace {
  std::uint32_t leader = 0;            ///< leader of the member's SIP
  std::uint32_t index = 0;             ///< index of the member in `members`
  std::vector<std::uint32_t> members;  ///< members of the same SIP, the leader first
  std::vector<std::uint32_t> leaders;  ///< leaders of all SIPs
  std::uint32_t leader_index = 0;      ///< index of `leader` in `leaders`
};
[[nodiscard]] KERNBENCH_API LeaderPlace leader_place(std::uint32_t member, const GroupShape& group);

}  // namespace kernbench::model::ccl
