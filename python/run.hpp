// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "model/bench/runner.hpp"
#include "model/report/run_report.hpp"
#include "python/topology.hpp"

namespace kernbench::python {

/// Returns what kernbench.Result has: the data of the report as JSON, its tables, and the checks
/// that failed.
[[nodiscard]] pybind11::dict values_of(const model::report::RunReport& run);

/// Returns options that runs from Python share.
[[nodiscard]] model::bench::RunOptions run_options(std::uint32_t device, bool verify,
                                                   const std::string& ccl, double time_limit_us);

/// Adds the run of a registered bench to Topology, and the lists of benches and kernels.
void add_runs(pybind11::module_& module,
              pybind11::class_<Topology, std::shared_ptr<Topology>>& topology);

/// Adds page(), which draws reports.
void add_pages(pybind11::module_& module);

/// Adds serve() and evaluate() to Topology.
void add_studies(pybind11::class_<Topology, std::shared_ptr<Topology>>& topology);

}  // namespace kernbench::python
