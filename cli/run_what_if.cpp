// SPDX-License-Identifier: Apache-2.0
#include "cli/run_what_if.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "cli/console.hpp"
#include "model/trace/what_if.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/spec_change.hpp"

namespace kernbench::cli {
namespace {

using common::SimTime;

/// The answer to `--what-if` for a region.
struct Answer {
  std::string of;
  SimTime time;
  SimTime predicted;
  std::optional<SimTime> simulated;
};

std::vector<Answer> answers_of(const topology::TopologyGraph& graph, const RunExplanation& why,
                               const WhatIf& question) {
  std::vector<Answer> answers;
  for (const auto& [what, path, use] : why.stretches) {
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

topology::TopologyGraph changed_graph(const topology::TopologyGraph& graph,
                                      const std::string& changes) {
  const std::vector<topology::SpecChange> parsed = topology::parse_spec_changes(changes);
  topology::TopologyGraph changed =
      topology::compile_topology(topology::changed_spec(graph.spec(), parsed));
  for (const topology::SpecChange& change : parsed) {
    if (topology::changes_speed(change) && model::trace::have_same_parts(graph, changed)) continue;
    throw std::invalid_argument(fmt::format(
        "'{}' changes more than the speed of parts; run a topology file with the change",
        change.text));
  }
  return changed;
}

void print_what_if(const topology::TopologyGraph& graph, const RunExplanation& why,
                   const WhatIf& question) {
  print("\nwhat if {}\n", question.text);
  for (const Answer& answer : answers_of(graph, why, question)) {
    print("  {}: {:.3f} us instead of {:.3f} us by its critical path ({:+.1f} %)\n", answer.of,
          answer.predicted.ns() / 1000.0, answer.time.ns() / 1000.0,
          change_in_percent(answer.time, answer.predicted));
    if (!answer.simulated) continue;
    print("    simulated: {:.3f} us ({:+.1f} %); the prediction is {:.1f} % off\n",
          answer.simulated->ns() / 1000.0, change_in_percent(answer.time, *answer.simulated),
          std::abs(change_in_percent(*answer.simulated, answer.predicted)));
  }
}

nlohmann::json json_of_what_if(const topology::TopologyGraph& graph, const RunExplanation& why,
                               const WhatIf& question) {
  nlohmann::json regions = nlohmann::json::array();
  for (const Answer& answer : answers_of(graph, why, question)) {
    nlohmann::json one = {
        {"of", answer.of}, {"time_ps", answer.time.ps()}, {"predicted_ps", answer.predicted.ps()}};
    if (answer.simulated) one["simulated_ps"] = answer.simulated->ps();
    regions.push_back(std::move(one));
  }
  return {{"changes", question.text}, {"regions", std::move(regions)}};
}

}  // namespace kernbench::cli
