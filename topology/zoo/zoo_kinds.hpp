// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "topology/zoo/base/base_topology.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

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
  std::string name;        ///< letters and digits; spelling of Constellation
  std::string parameters;  ///< readable list: "nx, ny"
  std::string doc;         ///< one line
  KindShape shape = KindShape::Sized;
  std::vector<SizeParameter> sizes;  ///< in the order of the constructor's parameters; Sized only
  NewTopology (*make)(std::span<const std::uint32_t> sizes) = nullptr;  ///< set for Sized only
  /// Returns the natural relation of a topology of this kind, and null for any other topology. Null
  /// for kinds that are routed like any graph.
  std::unique_ptr<RoutingRelation> (*route)(const BaseTopology& topology) = nullptr;
};

/// Returns all kinds: those that ship, in the order of the documentation, then those of plugins.
[[nodiscard]] const std::deque<ZooKind>& zoo_kinds();
/// Returns the names of all kinds, in the same order.
[[nodiscard]] std::vector<std::string_view> zoo_kind_names();

/// Registers a kind of topology. A plugin's file needs only this line:
///
///     const TopologyRegistration kStar{{.name = "Star", .parameters = "n", .doc = "a star",
///                                       .sizes = {{"n", 2}}, .make = make_star}};
class KERNBENCH_API TopologyRegistration {
 public:
  /// Refuses a name that is registered or has other characters than letters and digits, and a kind
  /// without a size or a function that makes it.
  explicit TopologyRegistration(ZooKind kind);
};

/// Largest nesting depth of topologies.
inline constexpr std::uint32_t kMaxNesting = 8;

}  // namespace kernbench::topology::zoo
