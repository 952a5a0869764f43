#pragma once

#include "maze/link_frame.hpp"
#include "sim/stimulus/traffic_spec.hpp"

namespace kernbench::sim {

/// Whether a pattern sends all packets of a node to one destination.
[[nodiscard]] bool is_permutation(Pattern pattern);

/// The node to which a permutation pattern sends the packets of `node`, possibly itself.
/// The pattern must be allowed on the shape (`problem` in traffic_rules.hpp).
[[nodiscard]] unsigned permuted_node(Pattern pattern, const maze::Shape& shape, unsigned node);

/// The links that carry a packet from `source` to `target` over one hop each: the X link into the
/// target's column and, independent of it, the Y link into the target's row, where these differ.
void add_links_towards(const maze::Shape& shape, unsigned source, unsigned target,
                       maze::BitPlane& links);

}  // namespace kernbench::sim
