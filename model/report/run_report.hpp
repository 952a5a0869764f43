// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "common/outcome.hpp"
#include "model/bench/launch_figures.hpp"
#include "model/bench/mapping_search.hpp"
#include "model/bench/runner.hpp"
#include "model/bench/spread.hpp"
#include "model/bench/what_if.hpp"
#include "model/report/run_explanation.hpp"
#include "plot/report_kind.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::report {

/// A race, in words.
struct RaceText {
  std::uint64_t bytes = 0;
  std::string place;
  std::string earlier;
  std::string later;
  std::string first;  ///< "the first are " if `place` has not all bytes
};

/// A run of a bench with all that was asked of it. `bench`, `graph` and `result` must outlive it.
struct RunReport {
  const bench::Bench& bench;
  const topology::TopologyGraph& graph;
  const bench::RunResult& result;
  std::map<std::string, std::string> parameters;  ///< all of the bench
  std::map<std::string, std::string> sources{};   ///< hashes of files in Python, by name
  std::uint32_t device = 0;
  bool uploaded = false;
  runtime::AddressModel addresses = runtime::AddressModel::Virtual;
  bool verified = false;
  bool finds_races = false;
  std::vector<bench::LaunchFigures> figures{};      ///< by launch
  std::vector<bench::LaunchFigures> region_sums{};  ///< by region
  std::optional<RunExplanation> why{};              ///< recorded causes
  bool shows_why = false;                           ///< the report has them
  std::vector<bench::Change> what_if{};
  std::vector<bench::TornadoRow> tornado{};
  std::optional<bench::Spread> spread{};
  std::optional<bench::MappingChoice> mapping{};

  /// Returns the contracts of all calls together, under the name of the first that is broken.
  [[nodiscard]] runtime::CheckReport all_contracts() const;
  /// Returns how many numbers have been compared, by checks and contracts.
  [[nodiscard]] std::uint64_t compared_numbers() const;
  /// Returns the first races.
  [[nodiscard]] std::vector<RaceText> shown_races() const;
  /// Returns Mismatch for wrong numbers and races, Vacuous if what was asked for had nothing to
  /// compare, else Pass.
  [[nodiscard]] common::Outcome outcome() const;

  /// Returns the data of the report.
  [[nodiscard]] nlohmann::json data() const;
};

/// The report of `kernbench run`; its page has more parts (run_page()).
extern const plot::ReportKind kRunReport;

/// Returns the report of a run, still without answers, spread and causes.
[[nodiscard]] RunReport report_of(const bench::Bench& bench, const topology::TopologyGraph& graph,
                                  const bench::RunOptions& options, const bench::RunResult& result);

}  // namespace kernbench::model::report

/// Describes the choice of a collective, which reports of traces have, too.
template <>
const kernbench::common::Description<kernbench::model::runtime::CollectiveChoice>&
kernbench::common::description_of();
