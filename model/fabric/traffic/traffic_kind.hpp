// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "topology/zoo/layout/grid.hpp"

namespace kernbench::model::fabric {

/// The endpoints of a topology, numbered 0..count-1, as a kind of traffic sees them.
struct TrafficShape {
  std::string topology;  ///< its name, for messages: "Mesh2D(4,4)"
  std::uint32_t count = 0;
  bool has_grid = false;
  topology::zoo::Grid grid{};  ///< arrangement of the endpoints; one row if they have none
};

/// A rule that maps sources to destinations.
struct TrafficKind {
  std::string name;  ///< lower-case words with '_', after the namespace of another tool and a '.'
  std::string description;
  /// Returns the destinations of a source. Each transfer goes to one of them, with equal
  /// probability; one that occurs k times is k times as likely. The source itself is left out.
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

/// Registers a kind of traffic. A plugin's file needs only this line:
///
///     const TrafficRegistration kShift{{"shift", "i to i + 3", to_third_next}};
class KERNBENCH_API TrafficRegistration {
 public:
  /// Refuses a name that is already registered, that of another workload of `kernbench cosim`, and
  /// one with other characters than a-z, 0-9, '_' and '.'.
  explicit TrafficRegistration(TrafficKind kind);
};

}  // namespace kernbench::model::fabric
