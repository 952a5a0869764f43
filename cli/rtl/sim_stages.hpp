// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/rtl/sim_options.hpp"
#include "common/outcome.hpp"
#include "maze/link_frame.hpp"
#include "sim/build/model_store.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/regression/regression_spec.hpp"
#include "sim/structure/structure_file.hpp"

namespace kernbench::cli {

/// Result of the cases of a small fabric.
struct SmallRun {
  std::size_t cases = 0;
  std::vector<std::string>
      failures;  ///< texts of the cases that did not pass, with the command of each
};

/// Returns what is shown of a small regression that has run.
[[nodiscard]] SmallRun small_run(const sim::RegressionResult& result);

/// A regression whose model is built in stages, so that a fault of its RTL shows early.
struct StagePlan {
  maze::Shape shape;                   ///< fabric of the regression
  std::function<bool()> is_current;    ///< there is nothing to build
  std::function<std::string()> build;  ///< builds the model, and returns the path of its library
  /// Elaborates the design and checks its structure; empty without such a check.
  std::function<sim::structure::ModelStructure()> structure;
  maze::Shape small;  ///< fabric that is built and run first, if `shape` has more nodes
  std::function<std::string()> build_small;
  std::function<SmallRun(const std::string& library)> run_small;
};

struct StagedModel {
  std::optional<std::string> library{};  ///< path; absent if the build was interrupted
  bool structure_shown = false;          ///< the findings of the structure check were printed
};

/// Builds the model of a regression. On the way prints the findings of the structure check, and
/// then the failures of the same regression on a small fabric of the same RTL, which runs while the
/// model is built. A stage that cannot judge this RTL is skipped, and a note says why. What the
/// small fabric shows is for people: reports and exit code are those of the regression itself. No
/// stage runs when the model is current, or in a task of an engine.
[[nodiscard]] StagedModel built_in_stages(const StagePlan& plan, const SimOptions& options);

/// Returns the stages in which the model of a regression is built: the structure, and a 4x3 fabric,
/// the smallest with links of depths 0 and 1 whose rows are not as long as its columns.
[[nodiscard]] StagePlan topo_stages(const sim::RegressionSpec& spec, const sim::ModelStore& store,
                                    const sim::ModelRequest& request, const SimOptions& options);

/// Calls `run` now, and again whenever one of the sources has changed, until a signal arrives.
/// Prints what `run` throws as BadInput.
common::Outcome watch(const std::function<sim::SourceState()>& sources,
                      const std::function<common::Outcome()>& run);

/// Returns the smaller shapes whose models `has_model` knows, those with the fewest nodes first.
[[nodiscard]] std::vector<maze::Shape> smaller_shapes(
    const maze::Shape& shape, const std::function<bool(const maze::Shape& shape)>& has_model);

/// Prints the line of --watch about a stage.
void print_stage(bool passed, const std::string& stage, double seconds, const std::string& text);

}  // namespace kernbench::cli
