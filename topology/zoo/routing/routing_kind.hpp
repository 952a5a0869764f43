// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// A routing relation that can be selected by name, in place of the natural one of a topology.
struct RoutingKind {
  std::string name;  ///< lower-case words with '_'
  std::string doc;   ///< one line
  /// Makes the relation over a topology. Throws std::invalid_argument for one that it cannot route.
  std::unique_ptr<RoutingRelation> (*make)(const BaseTopology& topology) = nullptr;
};

/// Returns all kinds: those that ship, then those of plugins, in the order of registration.
[[nodiscard]] const std::deque<RoutingKind>& routing_kinds();
/// Returns the names of all kinds.
[[nodiscard]] std::vector<std::string_view> routing_kind_names();
/// Returns the kind of this name, or null.
[[nodiscard]] const RoutingKind* find_routing(std::string_view name);

/// Registers a routing relation. A plugin's file needs only this line:
///
///     const RoutingRegistration kWestFirst{{"west_first", "XY, but west first", make_west_first}};
class KERNBENCH_API RoutingRegistration {
 public:
  /// Refuses a name that is registered or has other characters than a-z, 0-9 and '_', and a kind
  /// without a function that makes it.
  explicit RoutingRegistration(RoutingKind kind);
};

}  // namespace kernbench::topology::zoo
