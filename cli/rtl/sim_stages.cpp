// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/sim_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "cli/base/console.hpp"
#include "cli/rtl/sim_structure.hpp"
#include "common/diagnostics.hpp"
#include "common/duration_text.hpp"
#include "common/interrupt.hpp"
#include "common/unmarked_text.hpp"
#include "sim/dut/dut_library.hpp"
#include "sim/regression/regression_runner.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;

/// Failing cases of the small fabric that are shown.
constexpr std::size_t kMostShown = 3;

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// A stage that has begun.
class Stage {
 public:
  Stage(std::string name, bool watched) : name_(std::move(name)), watched_(watched) {}

  void end(bool passed, const std::string& text) const {
    if (!watched_) return;
    print_stage(passed, name_, std::chrono::duration<double>(Clock::now() - start_).count(), text);
  }
  /// Names the stage and why it was skipped. Throws Interrupted if that is the reason.
  void skip(const BadInput& error) const {
    if (common::interrupted()) throw common::Interrupted{};
    print_note(fmt::format("{}: skipped: {}", name_, first_line(common::unmarked_text(error))));
  }
  void show(const SmallRun& run) const {
    if (run.cases == 0) return skip(BadInput("it has no case"));
    if (watched_) {
      end(run.failures.empty(), run.failures.empty() ? sim::counted(run.cases, "case")
                                                     : first_line(run.failures.front()));
      return;
    }
    const std::size_t shown = std::min(run.failures.size(), kMostShown);
    for (std::size_t i = 0; i < shown; ++i) {
      print_failure(fmt::format("{}: {}", name_, run.failures[i]));
    }
    if (run.failures.size() > shown) {
      print_failure(fmt::format("{}: {} of {} failed", name_, run.failures.size(),
                                sim::counted(run.cases, "case")));
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::string name_;
  bool watched_;
  Clock::time_point start_ = Clock::now();
};

/// Returns false if the design could not be elaborated.
bool show_structure_of(const StagePlan& plan, const SimOptions& options) {
  const Stage stage("structure", options.watch);
  try {
    const sim::structure::ModelStructure structure = plan.structure();
    const bool shipped = options.rtl.shipped();
    const sim::CaseResult checked = options.watch
                                        ? sim::structure::structure_case(structure, shipped)
                                        : show_structure(structure, shipped);
    stage.end(checked.outcome == Outcome::Pass, first_line(checked.reason));
    return true;
  } catch (const BadInput&) {
    // The build of the model says the same, if it needs what failed here.
    if (common::interrupted()) throw common::Interrupted{};
    return false;
  }
}

std::string build_beside_small(const StagePlan& plan, const SimOptions& options) {
  if (plan.shape.nodes() <= plan.small.nodes()) return plan.build();
  const Stage stage(fmt::format("{}x{} first", plan.small.nx, plan.small.ny), options.watch);
  std::string small;
  try {
    small = plan.build_small();
  } catch (const BadInput& error) {
    stage.skip(error);
    return plan.build();
  }
  auto built = std::async(std::launch::async, plan.build);
  try {
    const SmallRun run = plan.run_small(small);
    if (!common::interrupted()) stage.show(run);
  } catch (const BadInput& error) {
    stage.skip(error);
  }
  return built.get();
}

}  // namespace

SmallRun small_run(const sim::RegressionResult& result) {
  SmallRun shown{result.cases.size(), {}};
  for (const sim::CaseResult& one : result.cases) {
    if (one.outcome == Outcome::Pass) continue;
    shown.failures.push_back(fmt::format(
        "{} seed {}: {}\n  again: {}", one.title(), one.seed,
        one.failures.empty()
            ? one.reason
            : fmt::format("cycle {}: {}", one.failures.front().cycle, one.failures.front().message),
        one.command));
  }
  return shown;
}

StagedModel built_in_stages(const StagePlan& plan, const SimOptions& options) {
  StagedModel staged;
  try {
    if (options.parts.is_task() || plan.is_current()) {
      staged.library = plan.build();
    } else {
      if (plan.structure) staged.structure_shown = show_structure_of(plan, options);
      staged.library = build_beside_small(plan, options);
    }
  } catch (const common::Interrupted&) {
    return {};
  } catch (const BadInput&) {
    if (common::interrupted()) return {};
    throw;
  }
  return staged;
}

StagePlan topo_stages(const sim::RegressionSpec& spec, const sim::ModelStore& store,
                      const sim::ModelRequest& request, const SimOptions& options) {
  sim::ModelRequest small = request;
  small.shape = {4, 3, request.shape.flit_w};
  StagePlan plan;
  plan.shape = request.shape;
  plan.is_current = [&store, request] { return store.is_current(request); };
  plan.build = [&store, request] { return store.ensure(request); };
  if (!options.no_structure) {
    plan.structure = [&store, request] {
      const sim::ElaboratedDesign design = store.ensure_design(request);
      return sim::structure::structure_of_design(design.folder, request.shape, design.build_hash);
    };
  }
  plan.small = small.shape;
  plan.build_small = [&store, small] { return store.ensure(small); };
  plan.run_small = [&spec, &options, small](const std::string& library) {
    sim::RegressionSpec moved = spec;
    moved.full_coverage = false;
    (void)sim::move_to_fabric(moved, small.shape);
    // The file knows for its own fabric which checkers notice a fault.
    std::erase_if(moved.suites, [](const sim::SuiteSpec& suite) { return !suite.faults.empty(); });
    if (moved.suites.empty()) throw BadInput("no suite of the regression runs on it");
    SimOptions rerun = options;
    rerun.fabric = small.shape;
    sim::RunOptions run;
    run.jobs = options.jobs;
    run.interrupted = common::interrupted;
    const std::vector<sim::CaseSpec> cases = sim::list_cases(moved);
    run.command = [&](std::size_t i) { return rerun_command(rerun, cases[i]); };
    const auto result =
        sim::run_regression(moved, sim::DutLibrary(library, options.plusargs), run).result;
    return small_run(result);
  };
  return plan;
}

Outcome watch(const std::function<sim::SourceState()>& sources,
              const std::function<Outcome()>& run) {
  constexpr std::chrono::milliseconds kPoll{200};
  const common::InterruptGuard guard;
  while (!common::interrupted()) {
    const sim::SourceState before = sources();
    try {
      (void)run();
    } catch (const BadInput& error) {
      print_error(error);
    }
    const sim::SourceState after = sources();
    // The run may have learned of more sources, but it has not changed one.
    if (std::any_of(after.begin(), after.end(), [&](const auto& file) {
          const auto found = before.find(file.first);
          return found != before.end() && found->second != file.second;
        })) {
      continue;
    }
    if (!common::interrupted()) print_note("waiting for a change of the sources; Ctrl-C ends this");
    while (!common::interrupted() && sources() == after) std::this_thread::sleep_for(kPoll);
  }
  return Outcome::Interrupted;
}

std::vector<maze::Shape> smaller_shapes(
    const maze::Shape& shape, const std::function<bool(const maze::Shape& shape)>& has_model) {
  std::vector<maze::Shape> found;
  for (unsigned ny = 2; ny <= shape.ny; ++ny) {
    for (unsigned nx = 2; nx <= shape.nx; ++nx) {
      const maze::Shape one{nx, ny, shape.flit_w};
      if (one != shape && has_model(one)) found.push_back(one);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const maze::Shape& a, const maze::Shape& b) {
    return a.nodes() < b.nodes();
  });
  return found;
}

void print_stage(bool passed, const std::string& stage, double seconds, const std::string& text) {
  print("{}  {:<10} {:>8}{}{}\n", passed ? "PASS" : "FAIL", stage, common::duration_text(seconds),
        text.empty() ? "" : "  ", text);
  std::fflush(stdout);
}

}  // namespace kernbench::cli
