// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// A size of a base topology: its key in YAML and its least valid value.
struct SizeParameter {
  std::string_view key;
  std::uint32_t least = 1;
};

/// Parameters of a kind besides sizes.
enum class KindShape : std::uint8_t { Sized, Terminal, Hierarchical, Custom };

/// A kind of topology that can be selected by name.
struct ZooKind {
  std::string_view name;        ///< spelling of Constellation
  std::string_view parameters;  ///< readable list: "nx, ny"
  std::string_view doc;         ///< one line
  KindShape shape = KindShape::Sized;
  std::vector<SizeParameter> sizes;  ///< in the order of the constructor's parameters; Sized only
  NewTopology (*make)(std::span<const std::uint32_t> sizes) = nullptr;  ///< set for Sized only
};

/// Returns all kinds, in the order of the documentation.
[[nodiscard]] const std::vector<ZooKind>& zoo_kinds();
/// Returns the names of all kinds, in the same order.
[[nodiscard]] const std::vector<std::string_view>& zoo_kind_names();

/// Largest nesting depth of topologies.
inline constexpr std::uint32_t kMaxNesting = 8;

}  // namespace kernbench::topology::zoo
