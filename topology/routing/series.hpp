// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// Returns groups of bandwidth keys (`_gbs`) of a system whose parts lie in series and are equally
/// fast: on some way of data, from a memory to the TCM of a PE or back, between a TCM and an
/// engine, or from the host, no part is slower than theirs. Making one of them faster gains nothing
/// there; all together do. Keys and groups are in the order of the spec and of their first keys.
[[nodiscard]] std::vector<std::vector<std::string>> equally_fast_in_series(
    const TopologyGraph& graph);

}  // namespace kernbench::topology
