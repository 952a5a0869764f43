// SPDX-License-Identifier: Apache-2.0
#include "python/run.hpp"

#include <fmt/format.h>
#include "python/language/convert.hpp"
#include "python/language/host_part.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "common/outcome.hpp"
#include "model/bench/mapping_search.hpp"
#include "model/bench/registry.hpp"
#include "model/report/run_explanation.hpp"
#include "model/report/run_page.hpp"
#include "model/runtime/kernel_registry.hpp"

namespace kernbench::python {

namespace py = pybind11;
using model::bench::RunResult;

namespace {

/// Returns a bench whose host part is a function of Python, which takes a HostContext. An exception
/// that it raises, or that one of its ranks does, is kept in `raised`.
model::bench::Bench bench_of(const std::string& name, const py::function& host,
                             std::exception_ptr& raised) {
  model::bench::Bench bench;
  bench.name = name;
  bench.stack_bytes = kHostStackBytes;
  bench.run = [function = host.ptr(), &raised](model::runtime::Context& kb) {
    call_host_part(function, kb, &raised);
  };
  return bench;
}

py::dict run(const Topology& topology, const std::string& name,
             const std::optional<py::function>& host, const Settings& parameters,
             std::uint32_t device, bool verify, bool live, bool explain, const std::string& ccl,
             double time_limit_us) {
  // A copy, since another thread may load a plugin, which moves the registered ones.
  std::exception_ptr raised;
  const model::bench::Bench bench =
      host ? bench_of(name, *host, raised) : model::bench::find_bench(name);
  model::bench::RunOptions options = run_options(device, verify, ccl, time_limit_us);
  options.parameters = parameters;
  options.live = live;
  options.explain = explain;
  std::optional<model::bench::MappedRun> mapped;
  try {
    const py::gil_scoped_release release;
    mapped = run_mapped(bench, topology.graph(), options, std::thread::hardware_concurrency());
  } catch (...) {
    if (const Kept interrupt = take_interrupt()) throw PythonFailure("interrupted", interrupt);
    if (raised) std::rethrow_exception(raised);
    throw;
  }
  const RunResult& result = mapped->result;
  model::report::RunReport report =
      model::report::report_of(bench, topology.graph(), mapped->options, result);
  report.mapping = mapped->mapping;
  if (explain) {
    report.why = model::report::explain_run(topology.graph(), result, report.figures);
    report.shows_why = true;
  }
  py::dict values = values_of(report);
  if (explain) {
    common::ReportEnvelope envelope;
    envelope.kind = model::report::kRunReport.name;
    envelope.outcome = report.outcome();
    envelope.data = report.data();
    values["page"] = model::report::run_page(envelope, report);
  }
  py::dict copies;
  if (host) {
    for (const auto& [number, array] : result.results) {
      copies[py::int_(number)] = py::reinterpret_steal<py::object>(to_python(array).release());
    }
  }
  values["copies"] = copies;
  return values;
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

/// Returns the defaults of the parameters of a bench that name files.
py::dict file_parameters(const std::string& name) {
  py::dict files;
  for (const auto& parameter : model::bench::find_bench(name).parameters) {
    if (parameter.is_file) files[py::str(parameter.name)] = parameter.value;
  }
  return files;
}

py::dict kernels() {
  py::dict all;
  for (const model::runtime::RegisteredKernel& kernel : model::runtime::kernels()) {
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

py::dict values_of(const model::report::RunReport& run) {
  py::dict values;
  values["outcome"] = std::string(common::name(run.outcome()));
  values["data"] = run.data().dump();
  py::dict columns;
  for (const char* const list : {"regions", "launches"}) {
    py::list names;
    const common::ValueForm& rows = model::report::kRunReport.form().member(list).items();
    for (const common::ValueForm& member : rows.parts) names.append(member.name);
    columns[list] = names;
  }
  values["columns"] = columns;
  py::list wrong;
  for (const auto* const checks : {&run.result.checks, &run.result.contracts}) {
    for (const auto& check : *checks) {
      if (check.wrong != 0) wrong.append(fmt::format("{}: {}", check.name, check.first_wrong));
    }
  }
  values["wrong"] = wrong;
  return values;
}

void add_runs(py::module_& module, py::class_<Topology, std::shared_ptr<Topology>>& topology) {
  topology.def("run", &run, py::arg("bench"), py::arg("host"), py::arg("parameters"),
               py::arg("device"), py::arg("verify"), py::arg("live"), py::arg("explain"),
               py::arg("ccl"), py::arg("time_limit_us"));
  module.def("benches", &benches);
  module.def("file_parameters", &file_parameters, py::arg("bench"));
  module.def("kernels", &kernels);
}

}  // namespace kernbench::python
