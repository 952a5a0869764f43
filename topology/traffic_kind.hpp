// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "topology/grid.hpp"

namespace kernbench::topology {

/// The endpoints of a topology, numbered 0..count-1, as a kind of traffic sees them. Those of TOPO
/// and of the MAZE are its nodes.
struct TrafficShape {
  std::string topology;  ///< its name, for messages: "Mesh2D(4,4)"
  std::uint32_t count = 0;
  bool has_grid = false;
  Grid grid{};  ///< arrangement of the endpoints; one row if they have none
};

/// A rule that maps sources to destinations, of one name and meaning in `kernbench sim`, `traffic`
/// and `cosim`.
struct TrafficKind {
  std::string name;  ///< lower-case words with '_', after the namespace of another tool and a '.'
  std::string description;
  /// Returns the destinations of a source. Each transfer goes to one of them, with equal
  /// probability; one that occurs k times is k times as likely. The source itself is left out;
  /// `kernbench sim` draws it, too, and then sends nothing.
  std::vector<std::uint32_t> (*destinations)(std::uint32_t source,
                                             const TrafficShape& shape) = nullptr;
  /// Returns why the kind does not work on a shape, as "needs ...", or an empty text. Null if it
  /// works on all.
  std::string (*refuse)(const TrafficShape& shape) = nullptr;
  /// Leaves out destinations without a route; otherwise they are errors.
  bool skips_unreachable = false;
  bool hotspot = false;  ///< has a node and its share of the transfers (TrafficPatternSpec)
};

/// Returns all kinds: those that ship, then those of plugins, in the order of registration.
[[nodiscard]] const std::deque<TrafficKind>& traffic_kinds();

/// Returns the names of all kinds.
[[nodiscard]] std::vector<std::string_view> traffic_names();

/// Returns the kind of this name, or null.
[[nodiscard]] const TrafficKind* find_traffic(std::string_view name);

/// Returns why a kind does not work on a shape, as "needs ...", or an empty text.
[[nodiscard]] std::string refusal(const TrafficKind& kind, const TrafficShape& shape);

/// Returns the names of the other workloads of `kernbench cosim` and patterns of `kernbench sim`,
/// which kinds of traffic cannot have.
[[nodiscard]] const std::vector<std::string_view>& other_traffic_names();

/// Registers a kind of traffic. A plugin's file needs only this line:
///
///     const TrafficRegistration kShift{{"shift", "i to i + 3", to_third_next}};
class KERNBENCH_API TrafficRegistration {
 public:
  /// Refuses a name that is already registered, one of other_traffic_names(), and one with other
  /// characters than a-z, 0-9, '_' and '.'.
  explicit TrafficRegistration(TrafficKind kind);
};

}  // namespace kernbench::topology
