// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "maze/link_frame.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

/// True for a pattern that sends all packets of a node to one destination.
[[nodiscard]] bool is_permutation(Pattern pattern);

/// Returns the node to which a permutation pattern sends the packets of `node`, possibly `node`
/// itself. The pattern must be allowed on the shape (`problem` in traffic_rules.hpp).
[[nodiscard]] unsigned permuted_node(Pattern pattern, const maze::Shape& shape, unsigned node);

/// Adds the links that carry packets from `source` towards `target` in one hop: the X link into the
/// target's column and the Y link into the target's row, where column and row differ.
void add_links_towards(const maze::Shape& shape, unsigned source, unsigned target,
                       maze::BitPlane& links);

}  // namespace kernbench::sim
