// SPDX-License-Identifier: Apache-2.0
#include "cli/console.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "cli/run_what_if.hpp"
#include "cli/spread.hpp"
#include "common/band.hpp"
#include "common/grade.hpp"
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
  std::optional<common::Band> before;  ///< with --spread
  std::optional<common::Band> after;   ///< band of the changed system, or the prediction alone
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
  for (std::size_t i = 0; question.spread != nullptr && i < answers.size(); ++i) {
    Answer& answer = answers[i];
    const common::Band band = question.spread->bands.at(i).band();
    if (question.changed_spread != nullptr) {
      answer.before = band;
      answer.after = question.changed_spread->bands.at(i).band();
    } else {
      // The prediction follows from the run as it is: its difference from that run has to be larger
      // than the band.
      const double predicted = answer.predicted.ns();
      answer.before = common::Band{band.least, answer.time.ns(), band.most};
      answer.after = common::Band{predicted, predicted, predicted};
    }
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
  print("\nwhat if {} (predictions are estimates)\n", question.text);
  for (const Answer& answer : answers_of(graph, why, question)) {
    print("  {}: {:.3f} us instead of {:.3f} us by its critical path ({:+.1f} %)\n", answer.of,
          answer.predicted.ns() / 1000.0, answer.time.ns() / 1000.0,
          change_in_percent(answer.time, answer.predicted));
    if (answer.after && question.changed_spread == nullptr) {
      print("    {}\n", difference_text(*answer.before, *answer.after));
    }
    if (!answer.simulated) continue;
    print("    simulated: {:.3f} us ({:+.1f} %); the prediction is {:.1f} % off\n",
          answer.simulated->ns() / 1000.0, change_in_percent(answer.time, *answer.simulated),
          std::abs(change_in_percent(*answer.simulated, answer.predicted)));
    if (!answer.after) continue;
    print("    medians of {} runs: {:.3f} us instead of {:.3f} us: {}\n", question.spread->runs,
          answer.after->median / 1000.0, answer.before->median / 1000.0,
          difference_text(*answer.before, *answer.after));
  }
}

nlohmann::json json_of_what_if(const topology::TopologyGraph& graph, const RunExplanation& why,
                               const WhatIf& question) {
  nlohmann::json regions = nlohmann::json::array();
  for (const Answer& answer : answers_of(graph, why, question)) {
    nlohmann::json one = {
        {"of", answer.of}, {"time_ps", answer.time.ps()}, {"predicted_ps", answer.predicted.ps()}};
    if (answer.simulated) one["simulated_ps"] = answer.simulated->ps();
    if (answer.after) one["no_difference"] = !differ(*answer.before, *answer.after);
    regions.push_back(std::move(one));
  }
  nlohmann::json json = {
      {"changes", question.text},
      {"grade", to_json(common::Grade::estimate("predicted from the critical path"))},
      {"regions", std::move(regions)}};
  if (question.changed_spread != nullptr) json["spread"] = to_json(*question.changed_spread);
  return json;
}

}  // namespace kernbench::cli
