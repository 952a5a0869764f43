// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/ccl/grid.hpp"

namespace kernbench::model::ccl {

/// A group as neighbour kinds see it.
struct KERNBENCH_API GroupShape {
  std::uint32_t size = 1;
  Grid grid{};                      ///< an arrangement of all members, for kinds that use one
  std::vector<std::uint32_t> sips;  ///< the SIP of each member
  /// The place in `grid` of each member, for the PEs of one cube as they lie in it; else empty.
  std::vector<std::uint32_t> places{};

  /// Returns a group of `size` members, each in a SIP of its own, in the most square grid.
  [[nodiscard]] static GroupShape of(std::uint32_t size);
};

/// A neighbour of a member of a group.
struct Neighbor {
  std::string direction;   ///< its name at the member
  std::uint32_t peer = 0;  ///< index of the neighbour in the group
  std::string back;        ///< the direction at the neighbour that leads back to the member
};

/// A way to join the members of a group, such as a ring: a function from member and group to named
/// directions (Architecture, "pe_ipcq").
struct NeighborKind {
  std::string name;  ///< as in ccl.yaml
  std::string description;
  std::vector<Neighbor> (*of)(std::uint32_t member, const GroupShape& group) = nullptr;
  /// The process group joins its ranks so from the start: directions have no text before them.
  bool from_start = false;
};

/// Returns all neighbour kinds, sorted by name.
[[nodiscard]] KERNBENCH_API const std::vector<const NeighborKind*>& neighbor_kinds();
/// Returns the kind with this name, or null.
[[nodiscard]] KERNBENCH_API const NeighborKind* find_neighbor_kind(std::string_view name);

/// Registers a neighbour kind when the program starts, or when the plugin is loaded.
class KERNBENCH_API NeighborKindRegistration {
 public:
  /// Refuses a name that is already registered.
  explicit NeighborKindRegistration(NeighborKind kind);
};

/// Two members that are neighbours, by their directions.
struct Join {
  std::uint32_t a = 0;
  std::string a_direction;
  std::uint32_t b = 0;
  std::string b_direction;
};

/// Returns the joins of a kind in a group, each once, by member and then in the order of its
/// directions. Throws std::invalid_argument, with a line for each fault, for a direction that leads
/// to the member itself, to no member, or to one whose direction back leads elsewhere, and for two
/// directions of one name.
[[nodiscard]] KERNBENCH_API std::vector<Join> joins_of(const NeighborKind& kind,
                                                       const GroupShape& group);

}  // namespace kernbench::model::ccl
