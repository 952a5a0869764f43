// SPDX-License-Identifier: Apache-2.0
#include "python/run.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "model/bench/kernel_registry.hpp"
#include "model/bench/launch_figures.hpp"
#include "model/bench/registry.hpp"
#include "python/columns.hpp"

namespace kernbench::python {

using model::bench::LaunchFigures;
using model::bench::RunResult;

namespace {

py::dict regions_of(const RunResult& result) {
  py::dict columns;
  columns["name"] = text_column(result.regions, [](const auto& region) { return region.name; });
  columns["start_ps"] =
      column<std::int64_t>(result.regions, [](const auto& region) { return region.start.ps(); });
  columns["time_ps"] =
      column<std::int64_t>(result.regions, [](const auto& region) { return region.time().ps(); });
  return columns;
}

py::dict launches_of(const RunResult& result, const topology::TopologyGraph& graph) {
  const auto& all = result.launches;
  const std::vector<LaunchFigures> figures =
      model::bench::launch_figures(all, result.recorder->log(), graph);
  py::dict columns;
  columns["kernel"] = text_column(all, [](const auto& launch) { return launch.kernel; });
  columns["region"] = column<std::int64_t>(all, [](const auto& launch) {
    return launch.region ? static_cast<std::int64_t>(*launch.region) : -1;
  });
  columns["sip"] = column<std::uint32_t>(all, [](const auto& launch) { return launch.device.sip; });
  columns["programs"] =
      column<std::uint64_t>(all, [](const auto& launch) { return launch.programs; });
  columns["start_ps"] =
      column<std::int64_t>(all, [](const auto& launch) { return launch.start.ps(); });
  columns["end_ps"] = column<std::int64_t>(all, [](const auto& launch) { return launch.end.ps(); });
  columns["read_bytes"] =
      column<std::uint64_t>(figures, [](const auto& one) { return one.read.bytes; });
  columns["read_gbs"] = column<double>(figures, [](const auto& one) { return one.read.gbs(); });
  columns["written_bytes"] =
      column<std::uint64_t>(figures, [](const auto& one) { return one.written.bytes; });
  columns["written_gbs"] =
      column<double>(figures, [](const auto& one) { return one.written.gbs(); });
  columns["macs"] = column<std::uint64_t>(figures, [](const auto& one) { return one.macs; });
  return columns;
}

py::dict run(const Topology& topology, const std::string& name, const Settings& parameters,
             std::uint32_t device, bool verify, const std::string& ccl, double time_limit_us) {
  // A copy, since another thread may load a plugin, which moves the registered ones.
  const model::bench::Bench bench = model::bench::find_bench(name);
  model::bench::RunOptions options = run_options(device, verify, ccl, time_limit_us);
  options.parameters = parameters;
  RunResult result;
  {
    const py::gil_scoped_release release;
    result = model::bench::run_bench(bench, topology.graph(), options);
  }
  return values_of(result, topology.graph());
}

py::dict benches() {
  py::dict all;
  for (const model::bench::Bench& bench : model::bench::benches()) {
    py::dict parameters;
    for (const auto& parameter : bench.parameters) {
      parameters[py::str(parameter.name)] = parameter.value;
    }
    all[py::str(bench.name)] = parameters;
  }
  return all;
}

py::dict kernels() {
  py::dict all;
  for (const model::bench::RegisteredKernel& kernel : model::bench::kernels()) {
    all[py::str(kernel.name)] = kernel.signature();
  }
  return all;
}

}  // namespace

model::bench::RunOptions run_options(std::uint32_t device, bool verify, const std::string& ccl,
                                     double time_limit_us) {
  model::bench::RunOptions options;
  options.device = device;
  options.verify = verify;
  options.ccl.name = ccl;
  options.time_limit = common::SimTime::from_ns(time_limit_us * 1000.0);
  return options;
}

py::dict values_of(const RunResult& result, const topology::TopologyGraph& graph) {
  py::dict values;
  values["end_ps"] = result.end.ps();
  values["operations"] = result.operations;
  values["flit_hops"] = result.flit_hops;
  py::list wrong;
  for (const auto* const checks : {&result.checks, &result.contracts}) {
    for (const auto& check : *checks) {
      if (check.wrong != 0) wrong.append(fmt::format("{}: {}", check.name, check.first_wrong));
    }
  }
  values["wrong"] = wrong;
  values["regions"] = regions_of(result);
  values["launches"] = launches_of(result, graph);
  return values;
}

void add_runs(py::module_& module, py::class_<Topology, std::shared_ptr<Topology>>& topology) {
  topology.def("run", &run, py::arg("bench"), py::arg("parameters"), py::arg("device"),
               py::arg("verify"), py::arg("ccl"), py::arg("time_limit_us"));
  module.def("benches", &benches);
  module.def("kernels", &kernels);
}

}  // namespace kernbench::python
