// SPDX-License-Identifier: Apache-2.0
#include "model/report/what_if.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "model/trace/what_if.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/spec_change.hpp"

namespace kernbench::model::report {

topology::TopologyGraph changed_graph(const topology::TopologyGraph& graph,
                                      const std::string& changes) {
  const std::vector<topology::SpecChange> parsed = topology::parse_spec_changes(changes);
  topology::TopologyGraph changed =
      topology::compile_topology(topology::changed_spec(graph.spec(), parsed));
  for (const topology::SpecChange& change : parsed) {
    if (topology::changes_speed(change) && trace::have_same_parts(graph, changed)) continue;
    throw std::invalid_argument(fmt::format(
        "'{}' changes more than the speed of parts; run a topology file with the change",
        change.text));
  }
  return changed;
}

WhatIf answer_what_if(const std::string& changes, const topology::TopologyGraph& graph,
                      const topology::TopologyGraph& changed, const RunExplanation& why,
                      const ChangedRun& simulated) {
  WhatIf what_if{changes, {}};
  for (const auto& [what, path, use] : why.stretches) {
    const std::size_t i = what_if.answers.size();
    Answer& answer = what_if.answers.emplace_back();
    answer.of = what;
    answer.time = path.time();
    answer.predicted = trace::predicted_time(path, graph, changed);
    if (simulated.run != nullptr) {
      const std::deque<runtime::MeasuredRegion>& regions = simulated.run->regions;
      answer.simulated = i < regions.size() ? regions[i].time() : simulated.run->end;
    }
    if (simulated.spread == nullptr) continue;
    const common::Band band = simulated.spread->bands.at(i).band();
    if (simulated.changed_spread != nullptr) {
      answer.before = band;
      answer.after = simulated.changed_spread->bands.at(i).band();
    } else {
      // The prediction follows from the run as it is: its difference from that run has to be larger
      // than the band.
      const double predicted = answer.predicted.ns();
      answer.before = common::Band{band.least, answer.time.ns(), band.most};
      answer.after = common::Band{predicted, predicted, predicted};
    }
  }
  if (simulated.changed_spread != nullptr) what_if.spread = *simulated.changed_spread;
  return what_if;
}

}  // namespace kernbench::model::report
