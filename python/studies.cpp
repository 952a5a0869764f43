// SPDX-License-Identifier: Apache-2.0
// Servers and evaluations, whose reports are those of the program.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/description.hpp"
#include "common/outcome.hpp"
#include "model/bench/evaluation/collective_report.hpp"
#include "model/bench/evaluation/gemm_report.hpp"
#include "model/bench/evaluation/gemm_sweep.hpp"
#include "model/bench/evaluation/topology_report.hpp"
#include "model/bench/registry.hpp"
#include "model/serving/study.hpp"
#include "python/run.hpp"

namespace kernbench::python {

namespace py = pybind11;

namespace {

py::dict report_of(const plot::ReportKind& kind, common::Outcome outcome,
                   const nlohmann::json& data) {
  py::dict report;
  report["kind"] = std::string(kind.name);
  report["outcome"] = std::string(common::name(outcome));
  report["data"] = data.dump();
  return report;
}

py::dict serve(const Topology& topology, const Settings& parameters, const std::string& ccl,
               const std::vector<double>& loads, std::optional<double> rate,
               const std::string& requests, std::uint64_t prompt, std::uint64_t output,
               double seconds, std::uint64_t max_batch, std::uint64_t seed, std::uint64_t checks,
               unsigned jobs) {
  for (const std::string& wrong : model::serving::wrong_parameters(parameters)) {
    throw std::invalid_argument(wrong);
  }
  const py::gil_scoped_release release;
  model::bench::RunOptions options = run_options(0, false, ccl, 1e6);
  options.parameters =
      model::bench::resolve_parameters(model::bench::find_bench("transformer"), parameters);
  model::serving::Study study{.max_batch = max_batch,
                              .file = requests,
                              .loads = loads,
                              .rate = rate,
                              .lengths = {prompt, output, seed},
                              .seconds = seconds,
                              .checks = checks,
                              .jobs = jobs};
  if (!requests.empty()) study.requests = model::serving::read_requests(requests);
  const model::serving::Served served = model::serving::serve(topology.graph(), options, study);
  if (!served.nothing.empty()) throw std::invalid_argument(served.nothing);
  const nlohmann::json data = common::to_json(served.report);
  const py::gil_scoped_acquire acquire;
  return report_of(model::serving::kServingReport, served.outcome(), data);
}

py::dict evaluate(const Topology& topology, const std::string& name, bool quick, unsigned jobs,
                  const std::string& ccl, const std::string& transformer) {
  using namespace model::bench;
  if (name == "gemm") {
    nlohmann::json data;
    {
      const py::gil_scoped_release release;
      data = common::to_json(run_gemm_sweep(topology.graph(), gemm_cases(quick), jobs));
    }
    return report_of(kGemmReport, common::Outcome::Pass, data);
  }
  for (const CollectiveStudy* const study : {&kAllReduceStudy, &kCollectivesStudy}) {
    if (study->name != name) continue;
    CollectiveEvaluation evaluation;
    {
      const py::gil_scoped_release release;
      evaluation = model::bench::evaluate(*study, topology.graph().spec(),
                                          {.quick = quick, .jobs = jobs, .ccl = ccl});
    }
    return report_of(study->kind, evaluation.outcome(), common::to_json(evaluation));
  }
  if (name == "topologies") {
    TopologyEvaluation evaluation;
    {
      const py::gil_scoped_release release;
      evaluation = evaluate_networks(topology.graph().spec(), transformer, quick, jobs, nullptr);
    }
    return report_of(kTopologyReport, evaluation.outcome(), common::to_json(evaluation));
  }
  throw std::invalid_argument("evaluate: '" + name +
                              "' is not one of gemm, all-reduce, collectives, topologies");
}

}  // namespace

void add_studies(py::class_<Topology, std::shared_ptr<Topology>>& topology) {
  topology.def("serve", &serve, py::arg("parameters"), py::arg("ccl"), py::arg("loads"),
               py::arg("rate"), py::arg("requests"), py::arg("prompt"), py::arg("output"),
               py::arg("seconds"), py::arg("max_batch"), py::arg("seed"), py::arg("checks"),
               py::arg("jobs"));
  topology.def("evaluate", &evaluate, py::arg("name"), py::arg("quick"), py::arg("jobs"),
               py::arg("ccl"), py::arg("transformer"));
}

}  // namespace kernbench::python
