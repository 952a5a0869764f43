// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/trace/critical_path.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::trace {

/// Returns whether two graphs have the same nodes and edges, whatever their speeds.
[[nodiscard]] bool have_same_parts(const topology::TopologyGraph& a,
                                   const topology::TopologyGraph& b);

/// Returns the time of a path of `before` on `after`, which must have the same parts: each share
/// takes as much longer as its wire, memory, engine or node does. A wait for a part scales with it.
/// Another path may then be longer, so a part that gets faster may save less than this says.
[[nodiscard]] common::SimTime predicted_time(const CriticalPath& path,
                                             const topology::TopologyGraph& before,
                                             const topology::TopologyGraph& after);

}  // namespace kernbench::model::trace
