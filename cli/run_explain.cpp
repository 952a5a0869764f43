// SPDX-License-Identifier: Apache-2.0
#include "cli/run_explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "model/trace/what_if.hpp"

namespace kernbench::cli {
namespace {

using common::SimTime;
using model::trace::CriticalPath;
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

nlohmann::json json_of(const std::vector<PathPart>& parts) {
  nlohmann::json list = nlohmann::json::array();
  for (const PathPart& part : parts) {
    list.push_back({{"name", part.name}, {"time_ps", part.time.ps()}});
  }
  return list;
}

/// The answer to `--what-if` for a region.
struct Answer {
  std::string of;
  SimTime time;
  SimTime predicted;
  std::optional<SimTime> simulated;
};

std::vector<Answer> answers_of(const topology::TopologyGraph& graph,
                               const model::bench::RunResult& result, const WhatIf& question) {
  std::vector<Answer> answers;
  for (const auto& [what, path] : model::bench::explain(result)) {
    Answer& answer = answers.emplace_back();
    answer.of = what;
    answer.time = path.time();
    answer.predicted = model::trace::predicted_time(path, graph, *question.after);
  }
  if (question.confirmed == nullptr) return answers;
  const std::vector<model::runtime::MeasuredRegion>& regions = question.confirmed->regions;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i].simulated = i < regions.size() ? regions[i].time() : question.confirmed->end;
  }
  return answers;
}

double change_in_percent(SimTime from, SimTime to) {
  return from == SimTime() ? 0.0 : 100.0 * (to.ns() / from.ns() - 1.0);
}

}  // namespace

void print_explanations(const topology::TopologyGraph& graph,
                        const model::bench::RunResult& result) {
  for (const auto& [what, path] : model::bench::explain(result)) {
    const SimTime whole = path.time();
    print("\ncritical path of {}: {:.3f} us in {} steps\n", what, whole.ns() / 1000.0, path.steps);
    if (whole == SimTime()) continue;
    print_limits(path.by_limit(graph), whole);
    print_parts("by component", path.by_component(graph), whole);
    print_parts("by operation", path.by_operation(), whole);
    print_parts("by PE", path.by_pe(graph), whole);
    print_parts("by link", path.by_link(graph), whole);
    if (path.unnamed() == SimTime()) continue;
    print_part(path.unnamed(), whole, "without a cause: a component says nothing of a delay");
  }
}

nlohmann::json json_of_explanations(const topology::TopologyGraph& graph,
                                    const model::bench::RunResult& result) {
  nlohmann::json list = nlohmann::json::array();
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
                    {"by_link", json_of(path.by_link(graph))}});
  }
  return list;
}

void print_what_if(const topology::TopologyGraph& graph, const model::bench::RunResult& result,
                   const WhatIf& question) {
  print("\nwhat if {}\n", question.text);
  for (const Answer& answer : answers_of(graph, result, question)) {
    print("  {}: {:.3f} us instead of {:.3f} us by its critical path ({:+.1f} %)\n", answer.of,
          answer.predicted.ns() / 1000.0, answer.time.ns() / 1000.0,
          change_in_percent(answer.time, answer.predicted));
    if (!answer.simulated) continue;
    print("    simulated: {:.3f} us ({:+.1f} %); the prediction is {:.1f} % off\n",
          answer.simulated->ns() / 1000.0, change_in_percent(answer.time, *answer.simulated),
          std::abs(change_in_percent(*answer.simulated, answer.predicted)));
  }
}

nlohmann::json json_of_what_if(const topology::TopologyGraph& graph,
                               const model::bench::RunResult& result, const WhatIf& question) {
  nlohmann::json regions = nlohmann::json::array();
  for (const Answer& answer : answers_of(graph, result, question)) {
    nlohmann::json one = {
        {"of", answer.of}, {"time_ps", answer.time.ps()}, {"predicted_ps", answer.predicted.ps()}};
    if (answer.simulated) one["simulated_ps"] = answer.simulated->ps();
    regions.push_back(std::move(one));
  }
  return {{"changes", question.text}, {"regions", std::move(regions)}};
}

}  // namespace kernbench::cli
