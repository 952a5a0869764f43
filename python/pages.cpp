// SPDX-License-Identifier: Apache-2.0
// Pages of reports, as the program writes them by --html.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "common/outcome.hpp"
#include "common/report_envelope.hpp"
#include "cosim/report/json.hpp"
#include "model/bench/evaluation/collective_report.hpp"
#include "model/bench/evaluation/gemm_report.hpp"
#include "model/bench/evaluation/topology_report.hpp"
#include "model/fabric/traffic/traffic_report.hpp"
#include "model/report/run_report.hpp"
#include "model/serving/serving_report.hpp"
#include "python/run.hpp"

namespace kernbench::python {

namespace py = pybind11;

namespace {

/// The kinds of report that the package makes.
const plot::ReportKinds& kinds() {
  static const plot::ReportKinds kAll = {
      &model::report::kRunReport,      &model::serving::kServingReport,
      &model::bench::kGemmReport,      &model::bench::kTopologyReport,
      &model::bench::kAllReduceReport, &model::bench::kCollectivesReport,
      &model::fabric::kTrafficReport,  &cosim::kCosimReport};
  return kAll;
}

/// Returns the page of a report whose members are given; nothing for a kind without one here.
std::optional<std::string> page(const std::string& kind_name, const std::string& outcome,
                                const std::string& command, const std::string& config_hash,
                                const std::string& revision, const std::string& data) {
  const plot::ReportKind* const kind = plot::find_kind(kinds(), kind_name);
  const auto known = common::outcome_from_name(outcome);
  if (kind == nullptr || !known) return std::nullopt;
  const py::gil_scoped_release release;
  common::ReportEnvelope report;
  report.kind = kind_name;
  report.outcome = *known;
  report.command = command;
  report.config_hash = config_hash;
  report.revision = revision;
  report.data = nlohmann::json::parse(data);
  return plot::page_of(*kind, report);
}

}  // namespace

void add_pages(py::module_& module) {
  module.def("page", &page, py::arg("kind"), py::arg("outcome"), py::arg("command"),
             py::arg("config_hash"), py::arg("revision"), py::arg("data"));
}

}  // namespace kernbench::python
