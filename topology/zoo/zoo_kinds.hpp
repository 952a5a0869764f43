#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// A size of a base topology: its key in YAML, and the least value that makes sense.
struct SizeParameter {
  std::string_view key;
  std::uint32_t least = 1;
};

/// What the rest of a topology is made of, besides sizes.
enum class KindShape : std::uint8_t { Sized, Terminal, Hierarchical, Custom };

/// A kind of topology that can be asked for by name.
struct ZooKind {
  std::string_view name;        ///< as Constellation spells it
  std::string_view parameters;  ///< for people: "nx, ny"
  std::string_view doc;         ///< one line
  KindShape shape = KindShape::Sized;
  std::vector<SizeParameter> sizes;  ///< in the order of the constructor; of Sized only
  TopologyPtr (*make)(std::span<const std::uint32_t> sizes) = nullptr;  ///< of Sized only
};

/// All kinds, in the order of the documentation.
[[nodiscard]] const std::vector<ZooKind>& zoo_kinds();
/// Their names, in the same order.
[[nodiscard]] const std::vector<std::string_view>& zoo_kind_names();

/// Topologies within topologies: at most this many, one in the other.
inline constexpr std::uint32_t kMaxNesting = 8;

}  // namespace kernbench::topology::zoo
