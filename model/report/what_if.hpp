// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/band.hpp"
#include "common/units.hpp"
#include "model/bench/runner.hpp"
#include "model/bench/spread.hpp"
#include "model/report/run_explanation.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::report {

/// Returns the system of `--what-if`. Throws std::invalid_argument if the changes are wrong, or
/// change more than speeds.
[[nodiscard]] topology::TopologyGraph changed_graph(const topology::TopologyGraph& graph,
                                                    const std::string& changes);

/// The simulations of the changed system.
struct ChangedRun {
  const bench::RunResult* run = nullptr;  ///< null without `--confirm`
  const bench::Spread* spread = nullptr;  ///< null without `--spread` of the system as it is
  const bench::Spread* changed_spread = nullptr;  ///< null without `--confirm` and `--spread`
};

/// The answer to `--what-if` for a region.
struct Answer {
  std::string of;
  common::SimTime time;
  common::SimTime predicted;
  std::optional<common::SimTime> simulated{};
  std::optional<common::Band> before{};  ///< with --spread
  std::optional<common::Band> after{};   ///< band of the changed system, or the prediction alone
};

/// The answers to `--what-if`.
struct WhatIf {
  std::string changes;  ///< as the user wrote them
  std::vector<Answer> answers;
  std::optional<bench::Spread> spread{};  ///< spread of the changed system
};

/// Returns the answers for the regions of a run that has been explained.
[[nodiscard]] WhatIf answer_what_if(const std::string& changes,
                                    const topology::TopologyGraph& graph,
                                    const topology::TopologyGraph& changed,
                                    const RunExplanation& why, const ChangedRun& simulated);

}  // namespace kernbench::model::report
