// SPDX-License-Identifier: Apache-2.0
#include "model/bench/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <set>
#include <utility>

#include "common/description.hpp"
#include "common/parallel.hpp"
#include "common/progress.hpp"
#include "topology/graph/compile.hpp"
#include "topology/routing/series.hpp"
#include "topology/spec/spec_change.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

/// Returns the changes of a row that were simulated.
std::vector<const Change*> changes_of(const TornadoRow& row) {
  std::vector<const Change*> changes;
  if (row.half) changes.push_back(&*row.half);
  if (row.twice) changes.push_back(&*row.twice);
  return changes;
}

/// Returns the rows of a tornado without times.
std::vector<TornadoRow> rows_of(const topology::TopologyGraph& graph) {
  std::vector<TornadoRow> rows;
  for (const topology::SpecNumber& number : topology::sized_numbers(graph.spec())) {
    TornadoRow& row = rows.emplace_back(TornadoRow{{number.key}, number.value});
    if (!number.value) row.no_half = row.no_twice = "it is not a single number";
    if (number.value == 0.0) row.no_half = row.no_twice = "it is 0";
  }
  for (const std::vector<std::string>& keys : topology::equally_fast_in_series(graph)) {
    const auto first = std::find_if(rows.begin(), rows.end(), [&](const TornadoRow& row) {
      return row.keys.front() == keys.front();
    });
    rows.push_back({keys, first->value});
  }
  return rows;
}

}  // namespace

WhatIf::WhatIf(const Bench& bench, const topology::TopologyGraph& graph, const RunOptions& options,
               const Spread& before, const SpreadChoice& choice)
    : bench_(bench),
      graph_(graph),
      options_(timed_only(options)),
      before_(before),
      choice_(choice) {
  options_.samples = false;
}

Change WhatIf::simulate(const std::string& changes, unsigned jobs) const {
  const topology::TopologyGraph changed = changed_graph(graph_, changes);
  Change change{changes, {}, {}, {}};
  call_named(fmt::format("what if {}", changes), [&] {
    const MappedRun run = run_mapped(bench_, changed, options_, jobs);
    if (run.mapping) change.mapping = run.mapping->chosen.name;
    const Spread after =
        measure_spread(bench_, changed, run.options, run.result, choice_, jobs).value();
    for (const TimeBand& before : before_.bands) {
      const TimeBand* const now = after.find(before.name);
      if (now != nullptr) change.regions.push_back({before, *now});
    }
    change.whole = {before_.span, after.span};
  });
  return change;
}

topology::TopologyGraph changed_graph(const topology::TopologyGraph& graph,
                                      const std::string& changes) {
  return topology::compile_topology(
      topology::changed_spec(graph.spec(), topology::parse_spec_changes(changes)));
}

std::vector<std::string> with_equals_in_series(const topology::TopologyGraph& graph,
                                               const std::string& changes) {
  const std::vector<topology::SpecChange> parsed = topology::parse_spec_changes(changes);
  const auto factor_of = [&](const std::string& key) {
    double factor = 1.0;
    for (const topology::SpecChange& change : parsed) {
      if (change.key == key) factor *= change.factor;
    }
    return factor;
  };
  std::vector<std::string> all;
  for (const std::vector<std::string>& group : topology::equally_fast_in_series(graph)) {
    double fastest = 1.0;
    for (const std::string& key : group) fastest = std::max(fastest, factor_of(key));
    if (fastest == 1.0) continue;
    std::string more = changes;
    for (const std::string& key : group) {
      const double factor = factor_of(key);
      if (factor != fastest) more += "," + topology::change_text({key}, fastest / factor);
    }
    if (more != changes) all.push_back(more);
  }
  return all;
}

std::pair<double, double> TornadoRow::range() const {
  std::pair<double, double> range;
  for (const Change* const change : changes_of(*this)) {
    range.first = std::min(range.first, change->whole.percent());
    range.second = std::max(range.second, change->whole.percent());
  }
  return range;
}

double TornadoRow::reach() const {
  return changes_of(*this).empty() ? -1.0 : std::max(-range().first, range().second);
}

bool TornadoRow::is_difference() const {
  const auto changes = changes_of(*this);
  return std::any_of(changes.begin(), changes.end(),
                     [](const Change* change) { return change->whole.is_difference(); });
}

bool TornadoRow::is_without_effect() const {
  const auto changes = changes_of(*this);
  return !changes.empty() && std::all_of(changes.begin(), changes.end(), [](const Change* change) {
    return change->whole.before == change->whole.after;
  });
}

std::pair<double, double> range_of(const std::vector<TornadoRow>& rows) {
  std::pair<double, double> range;
  for (const TornadoRow& row : rows) {
    range.first = std::min(range.first, row.range().first);
    range.second = std::max(range.second, row.range().second);
  }
  return range;
}

std::vector<TornadoRow> run_tornado(const WhatIf& what_if, const topology::TopologyGraph& graph,
                                    unsigned jobs) {
  std::vector<TornadoRow> rows = rows_of(graph);
  common::StepProgress progress("changed systems", 2 * rows.size());
  common::in_parallel(2 * rows.size(), jobs, [&](std::size_t i) {
    TornadoRow& row = rows[i / 2];
    const bool is_half = i % 2 == 0;
    std::string& refused = is_half ? row.no_half : row.no_twice;
    std::optional<Change>& change = is_half ? row.half : row.twice;
    try {
      const std::string changes = topology::change_text(row.keys, is_half ? 0.5 : 2.0);
      if (refused.empty()) change = what_if.simulate(changes, 1);
    } catch (const std::exception& error) {
      refused = error.what();
    }
    progress.step();
  });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TornadoRow& a, const TornadoRow& b) { return a.reach() > b.reach(); });
  return rows;
}

}  // namespace kernbench::model::bench

namespace kernbench::common {

using model::bench::Change;
using model::bench::Effect;
using model::bench::TornadoRow;

template <>
const Description<Effect>& description_of() {
  static const auto kAll =
      Description<Effect>()
          .add(
              "name", [](const auto& of) -> auto& { return of.after.name; })
          .add(
              "before_ps", [](const auto& of) { return of.before.median; }, "median")
          .add("least_ps", [](const auto& of) { return of.after.least; })
          .add("median_ps", [](const auto& of) { return of.after.median; })
          .add("most_ps", [](const auto& of) { return of.after.most; })
          .ascending({"least_ps", "median_ps", "most_ps"})
          .add(
              "percent", [](const auto& of) { return of.percent(); }, "more time, by the medians")
          .add(
              "no_difference", [](const auto& of) { return !of.is_difference(); },
              "the medians differ by no more than the wider band");
  return kAll;
}

template <>
const Description<Change>& description_of() {
  static const auto kAll = Description<Change>()
                               .add("changes", &Change::changes)
                               .not_empty()
                               .add("mapping", &Change::mapping,
                                    "chosen for the changed system; empty if nothing is auto")
                               .add("regions", &Change::regions, "or the run without regions")
                               .add("whole", &Change::whole, "all regions together");
  return kAll;
}

template <>
const Description<TornadoRow>& description_of() {
  static const auto kAll =
      Description<TornadoRow>()
          .add("keys", &TornadoRow::keys, "several are of parts equally fast in series")
          .not_empty()
          .add("value", &TornadoRow::value, "of each key")
          .absent_unless("it is a single number")
          .add("half", &TornadoRow::half)
          .absent_unless("half the value was simulated")
          .add("twice", &TornadoRow::twice)
          .absent_unless("twice the value was simulated")
          .add("no_half", &TornadoRow::no_half, "why half the value was not simulated, or empty")
          .add("no_twice", &TornadoRow::no_twice,
               "why twice the value was not simulated, or empty");
  return kAll;
}

}  // namespace kernbench::common
