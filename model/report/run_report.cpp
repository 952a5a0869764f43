// SPDX-License-Identifier: Apache-2.0
#include "model/report/run_report.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "common/description.hpp"
#include "model/bench/bench_file.hpp"
#include "model/report/run_forms.hpp"
#include "topology/spec/spec_description.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::common {

using model::report::ContractSum;
using model::report::LaunchRow;
using model::report::RaceSum;
using model::report::RegionRow;
using model::report::RunReport;
using model::report::SipOutline;
using model::report::StretchRow;

namespace {

/// Joins the regions or launches of a run with their figures.
template <typename Row, typename Items>
std::vector<Row> rows_of(const Items& items,
                         const std::vector<model::bench::LaunchFigures>& figures) {
  std::vector<Row> rows;
  rows.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) rows.push_back({&items[i], &figures[i]});
  return rows;
}

std::vector<RegionRow> regions_of(const RunReport& run) {
  return rows_of<RegionRow>(run.result.regions, run.region_sums);
}

std::vector<LaunchRow> launches_of(const RunReport& run) {
  return rows_of<LaunchRow>(run.result.launches, run.figures);
}

std::optional<ContractSum> contracts_of(const RunReport& run) {
  if (run.result.contracts.empty()) return {};
  return ContractSum{run.result.contracts.size(), run.all_contracts()};
}

std::optional<RaceSum> races_of(const RunReport& run) {
  if (!run.finds_races) return {};
  return RaceSum{&run};
}

std::vector<StretchRow> explanations_of(const RunReport& run) {
  std::vector<StretchRow> rows;
  if (!run.shows_why) return rows;
  for (const auto& one : run.why->stretches) rows.push_back({{one.path, &run.graph}, &one});
  return rows;
}

std::optional<SipOutline> sip_of(const RunReport& run) {
  if (!run.shows_why) return {};
  return SipOutline{&run.graph.view(topology::ViewLevel::Sip)};
}

std::optional<std::vector<model::bench::LaunchRoofline>> rooflines_of(const RunReport& run) {
  if (!run.shows_why) return {};
  return run.why->rooflines;
}

}  // namespace

template <>
const Description<RunReport>& description_of() {
  static const auto kAll =
      Description<RunReport>()
          .add("bench", [](const auto& run) { return run.bench.name; })
          .add("parameters", &RunReport::parameters, "all of the bench")
          .add("sources", &RunReport::sources,
               "hashes of the files in Python of the bench and of algorithms, by name")
          .absent_unless("there are any", [](const auto& run) { return !run.sources.empty(); })
          .add(
              "topology", [](const auto& run) { return common::to_json(run.graph.spec()); },
              "the system that ran, as a topology file with all keys")
          .add("device", &RunReport::device, "SIP that ran the bench")
          .add(
              "end_ps", [](const auto& run) { return run.result.end; },
              "time when all requests were complete")
          .add("flit_hops", [](const auto& run) { return run.result.flit_hops; })
          .add(
              "operations", [](const auto& run) { return run.result.operations; },
              "of the host and of kernels")
          .add("uploaded", &RunReport::uploaded,
               "the data of initial tensors travelled in simulated time")
          .add("addresses", &RunReport::addresses, "how kernels address tensors")
          .add("regions", regions_of, "the measured regions, in the order of their starts")
          .add("launches", launches_of, "in the order of their ends")
          .add(
              "checks", [](const auto& run) -> auto& { return run.result.checks; },
              "comparisons of tensors; empty without --verify")
          .add("contracts", contracts_of, "what collectives promise, over all calls")
          .absent_unless("--verify was given and collectives were called")
          .add("races", races_of, "accesses to the same bytes without an order")
          .absent_unless("--races was given")
          .add(
              "figures", [](const auto& run) -> auto& { return run.result.figures; },
              "numbers that the bench reports")
          .absent_unless("there are any")
          .add(
              "choices", [](const auto& run) -> auto& { return run.result.choices; },
              "algorithms of collectives that were chosen by their formulas")
          .absent_unless("there are any")
          .add(
              "reuse", [](const auto& run) -> auto& { return run.result.repeats; },
              "works that were repeated or moved whole messages, and how far their times are off")
          .absent_unless("--reuse or --fidelity message was given")
          .add("mapping", &RunReport::mapping,
               "what the parameters that are auto stand for, chosen by simulation")
          .absent_unless("a parameter that decides the mapping is auto")
          .add("spread", &RunReport::spread,
               "times of runs whose programs start later by draws of their own")
          .absent_unless("--spread was given")
          .add("what_if", &RunReport::what_if, "times of changed systems")
          .absent_unless("--what-if was given",
                         [](const auto& run) { return !run.what_if.empty(); })
          .add("tornado", &RunReport::tornado,
               "times with half and twice each number of the topology, the largest change first")
          .absent_unless("--tornado was given",
                         [](const auto& run) { return !run.tornado.empty(); })
          .add("explanations", explanations_of,
               "critical paths of the measured regions, or of the whole run without any")
          .absent_unless("--explain was given")
          .add("sip", sip_of, "outlines of the blocks of a SIP")
          .absent_unless("--explain was given")
          .add("rooflines", rooflines_of, "limits of the launches, by launch")
          .absent_unless("--explain was given");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::report {

RunReport report_of(const bench::Bench& bench, const topology::TopologyGraph& graph,
                    const bench::RunOptions& options, const bench::RunResult& result) {
  RunReport report{bench, graph, result, resolve_parameters(bench, options.parameters)};
  report.sources = bench::sources_of(bench.name);
  report.sources.insert(result.sources.begin(), result.sources.end());
  report.device = options.device;
  report.uploaded = options.upload;
  report.addresses = options.addresses;
  report.verified = options.verify;
  report.finds_races = options.races;
  report.figures = bench::launch_figures(result.launches, result.recorder->log(), graph);
  report.region_sums = region_figures(result, report.figures);
  return report;
}

runtime::CheckReport RunReport::all_contracts() const {
  runtime::CheckReport all;
  for (const runtime::CheckReport& report : result.contracts) {
    if (all.wrong == 0 && report.wrong != 0) {
      all.name = report.name;
      all.first_wrong = report.first_wrong;
    }
    all.elements += report.elements;
    all.wrong += report.wrong;
    all.worst = std::max(all.worst, report.worst);
  }
  return all;
}

std::uint64_t RunReport::compared_numbers() const {
  std::uint64_t elements = all_contracts().elements;
  for (const runtime::CheckReport& check : result.checks) elements += check.elements;
  return elements;
}

std::vector<RaceText> RunReport::shown_races() const {
  constexpr std::size_t kShown = 10;
  const data::OpLog& log = result.recorder->log();
  std::vector<RaceText> shown;
  for (const data::Race& race : result.races.races) {
    if (shown.size() == kShown) break;
    shown.push_back({race.bytes, place_of(race, log), text_of(race.earlier, log, graph),
                     text_of(race.later, log, graph),
                     race.bytes == race.first.bytes ? "" : "the first are "});
  }
  return shown;
}

common::Outcome RunReport::outcome() const {
  const bool wrong =
      all_contracts().wrong != 0 || std::any_of(result.checks.begin(), result.checks.end(),
                                                [](const auto& check) { return check.wrong != 0; });
  if (wrong || !result.races.races.empty()) return common::Outcome::Mismatch;
  if (verified && compared_numbers() == 0) return common::Outcome::Vacuous;
  return finds_races && result.races.accesses == 0 ? common::Outcome::Vacuous
                                                   : common::Outcome::Pass;
}

nlohmann::json RunReport::data() const {
  return common::to_json(*this);
}

namespace {

constexpr std::array<std::string_view, 6> kInputs = {"bench",  "parameters", "topology",
                                                     "device", "uploaded",   "addresses"};

}  // namespace

const plot::ReportKind kRunReport = {.name = "run",
                                     .command = "run",
                                     .about = "A run of a bench",
                                     .form = common::form_of<RunReport>,
                                     .inputs = kInputs,
                                     .reasons = "explanations",
                                     .has_own_page = true};

}  // namespace kernbench::model::report
