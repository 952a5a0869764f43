// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "model/bench/runner.hpp"
#include "python/topology.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::python {

/// Returns what kernbench.Result has: times, counts, failed checks, and the columns of its frames.
[[nodiscard]] pybind11::dict values_of(const model::bench::RunResult& result,
                                       const topology::TopologyGraph& graph);

/// Returns options that runs from Python share.
[[nodiscard]] model::bench::RunOptions run_options(std::uint32_t device, bool verify,
                                                   const std::string& ccl, double time_limit_us);

/// Adds the run of a registered bench to Topology, and the lists of benches and kernels.
void add_runs(pybind11::module_& module,
              pybind11::class_<Topology, std::shared_ptr<Topology>>& topology);

/// Adds the class Host, the interface of a bench whose host part is Python.
void add_host(pybind11::module_& module);

}  // namespace kernbench::python
