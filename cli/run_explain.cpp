// SPDX-License-Identifier: Apache-2.0
#include "cli/run_explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "model/bench/part_use.hpp"
#include "model/trace/critical_path.hpp"

namespace kernbench::cli {
namespace {

using common::SimTime;
using model::bench::KindUse;
using model::bench::PartUse;
using model::bench::StretchUse;
using model::trace::PathPart;

constexpr std::size_t kShownParts = 10;

void print_part(SimTime time, SimTime whole, const std::string& name) {
  print("    {:>12.3f} {:>6.1f} %  {}\n", time.ns() / 1000.0, 100.0 * time.ns() / whole.ns(), name);
}

void print_parts(const char* heading, const std::vector<PathPart>& parts, SimTime whole) {
  print("  {:<14}us\n", heading);
  SimTime others;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i < kShownParts) {
      print_part(parts[i].time, whole, parts[i].name);
    } else {
      others += parts[i].time;
    }
  }
  if (parts.size() <= kShownParts) return;
  print_part(others, whole, fmt::format("in {} smaller parts", parts.size() - kShownParts));
}

/// Prints what limits the time in one sentence.
void print_limits(const std::vector<PathPart>& limits, SimTime whole) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, limits.size()); ++i) {
    text += fmt::format("{}{} ({:.0f} %)", i == 0 ? "" : ", ", limits[i].name,
                        100.0 * limits[i].time.ns() / whole.ns());
  }
  print("  limited by: {}\n", text);
}

/// Prints how busy the parts of each kind are: no faster part elsewhere helps beyond that.
void print_use(const StretchUse& use) {
  const auto percent = [&](SimTime time) { return 100.0 * time.ns() / use.time.ns(); };
  print("  {:<26}{:>10} {:>8} {:>8}  {}\n", "busy", "us", "busiest", "mean", "busiest of the used");
  if (use.hbm_slices != 0) {
    print("    {:<24}{:>10.3f} {:>8} {:>6.1f} %  at least, for {} slices\n", "bandwidth of the HBM",
          use.hbm.ns() / 1000.0, "", percent(use.hbm), use.hbm_slices);
  }
  const std::vector<KindUse> kinds = use.kinds();
  for (std::size_t i = 0; i < std::min(kShownParts, kinds.size()); ++i) {
    const KindUse& kind = kinds[i];
    print("    {:<24}{:>10.3f} {:>6.1f} % {:>6.1f} %  {} of {}\n", kind.kind,
          kind.busy.ns() / 1000.0, percent(kind.busy), percent(kind.mean()), kind.busiest,
          kind.parts);
  }
  if (kinds.size() > kShownParts) {
    print("    {:<24}{:>10.3f} {:>6.1f} %\n",
          fmt::format("{} less busy kinds", kinds.size() - kShownParts),
          kinds[kShownParts].busy.ns() / 1000.0, percent(kinds[kShownParts].busy));
  }
}

nlohmann::json json_of(const StretchUse& use) {
  nlohmann::json kinds = nlohmann::json::array();
  for (const KindUse& kind : use.kinds()) {
    kinds.push_back({{"kind", kind.kind},
                     {"parts", kind.parts},
                     {"busiest", kind.busiest},
                     {"busy_ps", kind.busy.ps()},
                     {"total_ps", kind.total.ps()},
                     {"work", kind.work}});
  }
  nlohmann::json parts = nlohmann::json::array();
  for (const PartUse& part : use.parts) {
    parts.push_back({{"kind", part.kind},
                     {"name", part.name},
                     {"busy_ps", part.busy.ps()},
                     {"work", part.work}});
  }
  return {
      {"hbm", {{"bytes", use.hbm_bytes}, {"slices", use.hbm_slices}, {"least_ps", use.hbm.ps()}}},
      {"kinds", std::move(kinds)},
      {"parts", std::move(parts)}};
}

nlohmann::json json_of(const std::vector<PathPart>& parts) {
  nlohmann::json list = nlohmann::json::array();
  for (const PathPart& part : parts) {
    list.push_back({{"name", part.name}, {"time_ps", part.time.ps()}});
  }
  return list;
}

}  // namespace

void print_explanations(const topology::TopologyGraph& graph,
                        const model::bench::RunResult& result) {
  const std::vector<StretchUse> uses = model::bench::part_uses(result, graph);
  auto use = uses.begin();
  for (const auto& [what, path] : model::bench::explain(result)) {
    const StretchUse& here = *use++;
    const SimTime whole = path.time();
    print("\ncritical path of {}: {:.3f} us in {} steps\n", what, whole.ns() / 1000.0, path.steps);
    if (whole == SimTime()) continue;
    print_limits(path.by_limit(graph), whole);
    print_parts("by component", path.by_component(graph), whole);
    print_parts("by operation", path.by_operation(), whole);
    print_parts("by PE", path.by_pe(graph), whole);
    print_parts("by link", path.by_link(graph), whole);
    print_use(here);
    if (path.unnamed() == SimTime()) continue;
    print_part(path.unnamed(), whole, "without a cause: a component says nothing of a delay");
  }
}

nlohmann::json json_of_explanations(const topology::TopologyGraph& graph,
                                    const model::bench::RunResult& result) {
  nlohmann::json list = nlohmann::json::array();
  const std::vector<StretchUse> uses = model::bench::part_uses(result, graph);
  auto use = uses.begin();
  for (const auto& [what, path] : model::bench::explain(result)) {
    list.push_back({{"of", what},
                    {"start_ps", path.start.ps()},
                    {"time_ps", path.time().ps()},
                    {"unnamed_ps", path.unnamed().ps()},
                    {"steps", path.steps},
                    {"by_limit", json_of(path.by_limit(graph))},
                    {"by_component", json_of(path.by_component(graph))},
                    {"by_operation", json_of(path.by_operation())},
                    {"by_pe", json_of(path.by_pe(graph))},
                    {"by_link", json_of(path.by_link(graph))},
                    {"use", json_of(*use++)}});
  }
  return list;
}

}  // namespace kernbench::cli
