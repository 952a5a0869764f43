// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "topology/traffic_kind.hpp"

namespace kernbench::sim {

/// Returns the nodes of a shape as a kind of traffic sees them.
[[nodiscard]] topology::TrafficShape traffic_shape(const maze::Shape& shape);

/// The destinations of each node under a kind of traffic, possibly the node itself.
using NodeDestinations = std::vector<std::vector<std::uint32_t>>;

/// Returns the destinations of every node. Throws std::invalid_argument if the kind refuses the
/// shape, or names a node beyond the last.
[[nodiscard]] NodeDestinations destinations_of(const topology::TrafficKind& kind,
                                               const maze::Shape& shape);

/// Returns the text with which destinations_of() would throw, or nothing.
[[nodiscard]] std::optional<std::string> kind_problem(const topology::TrafficKind& kind,
                                                      const maze::Shape& shape);

/// True if no node has more than one destination.
[[nodiscard]] bool is_permutation(const NodeDestinations& destinations);

/// Adds the links that carry packets from `source` towards `target` in one hop: the X link into the
/// target's column and the Y link into the target's row, where column and row differ.
void add_links_towards(const maze::Shape& shape, unsigned source, unsigned target,
                       maze::BitPlane& links);

}  // namespace kernbench::sim
