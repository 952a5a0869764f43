// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/sweep_search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/console.hpp"
#include "farm/search.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using Targets = std::vector<nlohmann::json>;

/// Returns the targets of a row that passed; none otherwise.
Targets targets_of(const std::optional<farm::Row>& row) {
  return row && row->outcome == Outcome::Pass ? row->targets : Targets();
}

}  // namespace

Outcome run_search(SweepRun& run, const std::filesystem::path& screened, const PointEngine& engine,
                   const Invocation& invocation) {
  const farm::Plan cheap_plan = screening_of(run.plan());
  SweepRun cheap(cheap_plan, screened, {screened, run.database()}, invocation);
  std::vector<std::size_t> every(cheap_plan.points.size());
  std::iota(every.begin(), every.end(), std::size_t{0});
  cheap.open();
  if (cheap.run(every, engine, "points screened") == Outcome::Interrupted) {
    return Outcome::Interrupted;
  }
  std::vector<Targets> estimates;
  std::size_t failed = 0;
  for (const std::optional<farm::Row>& row : cheap.rows()) {
    estimates.push_back(targets_of(row));
    if (estimates.back().empty()) ++failed;
  }
  std::vector<bool> is_exact;
  for (std::size_t t = 0; t < run.plan().targets.size(); ++t) {
    is_exact.push_back(run.values().is_known_before(t));
  }
  farm::PointSearch search(run.plan(), std::move(estimates), std::move(is_exact));
  run.open();
  std::size_t full = 0;
  for (;;) {
    const std::vector<std::size_t> next = search.next();
    if (next.empty()) break;
    if (run.run(next, engine, "points in full") == Outcome::Interrupted) {
      return Outcome::Interrupted;
    }
    const std::vector<std::optional<farm::Row>> rows = run.rows();
    for (const std::size_t point : next) search.add(point, targets_of(rows[point]));
    full += next.size();
  }
  print("search: {} screened by {}, {} of them in full\n", sim::counted(every.size(), "point"),
        fmt::format("{}", fmt::join(run.plan().search->screen, " ")), full);
  if (failed > 0) print("  {} failed when screened, and did not run in full\n", failed);
  if (search.is_cut()) {
    print("  ended by 'points: {}': another point may be better\n", run.plan().search->most_points);
  }
  return Outcome::Pass;
}

}  // namespace kernbench::cli
