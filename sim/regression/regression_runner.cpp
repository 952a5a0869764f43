// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/regression_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "common/diagnostics.hpp"
#include "sim/dut/code_coverage.hpp"
#include "sim/regression/case_archive.hpp"

namespace kernbench::sim {

using common::Outcome;
using maze::Shape;

namespace {

// Cycles shown before and after the first failing cycle.
constexpr std::uint64_t kTraceBefore = 60;
// More than any screen shows at the zoom of the set-up: GTKWave starts at the failure only if its
// window ends within the dump.
constexpr std::uint64_t kTraceAfter = 160;

}  // namespace

std::vector<CaseSpec> list_cases(const RegressionSpec& spec) {
  std::vector<CaseSpec> cases;
  for (const SuiteSpec& suite : spec.suites) {
    for (unsigned k = 0; k < suite.seeds; ++k) {
      if (suite.faults.empty()) cases.push_back({&suite, spec.seed + k, nullptr});
      for (const FaultCase& fault : suite.faults) cases.push_back({&suite, spec.seed + k, &fault});
    }
  }
  return cases;
}

void require_shape(const DutInfo& info, const Shape& shape, const std::string& path) {
  if (info.shape == shape) return;
  throw common::BadInput(fmt::format(
      "{}: built for a {}x{} fabric with {} data bits, the configuration asks for {}x{} with {}",
      path, info.shape.nx, info.shape.ny, info.shape.flit_w, shape.nx, shape.ny, shape.flit_w));
}

RegressionRun run_regression(const RegressionSpec& spec, const DutLibrary& library,
                             const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  RegressionRun run;
  RegressionResult& result = run.result;
  {
    const auto dut = library.create(spec.seed);
    require_shape(dut->info(), spec.shape, library.path());
    if (!options.code_coverage.empty()) require_code_coverage(*dut, library.path(), "");
    record_model(result, *dut);
  }
  result.config = spec.path;
  result.seed = spec.seed;
  result.full_coverage = spec.full_coverage;

  const std::vector<CaseSpec> planned = list_cases(spec);
  std::vector<PooledCase> cases;
  for (const CaseSpec& one : planned) {
    cases.push_back({one.suite->name, "", one.seed, one.suite->cycles});
  }
  CasePool<CaseRun> pool(std::move(cases), options, [&](std::size_t i, const Heartbeat& heartbeat) {
    CaseOptions of_case;
    of_case.packets_per_link = spec.packets_per_link;
    of_case.deep_coverage = spec.deep_coverage;
    of_case.heartbeat = heartbeat;
    const auto dut = library.create(planned[i].seed);
    CaseRun one = run_case(planned[i], *dut, of_case);
    if (!options.code_coverage.empty()) {
      write_code_coverage(*dut, library.names(),
                          fmt::format("{}/{}.dat", options.code_coverage, i));
    }
    return one;
  });
  const bool interrupted = collect_cases(pool.run(), planned, run);
  std::optional<CoverageGoal> goal;
  if (run.coverage) goal = CoverageGoal{run.coverage->total_bins(), run.coverage->missed()};
  conclude(result, interrupted, goal);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return run;
}

TraceWindow failure_window(std::uint64_t cycle) {
  const std::uint64_t at = cycle;
  return {{}, at > kTraceBefore ? at - kTraceBefore : 0, at + kTraceAfter, {}};
}

void trace_case(const CaseSpec& spec, const CaseResult& first_run, const DutLibrary& traced,
                const TraceWindow& window, const std::function<bool()>& interrupted) {
  CaseOptions options;
  options.trace = window;
  options.heartbeat = [&](std::uint64_t) { return !interrupted || !interrupted(); };
  const CaseRun run = run_case(spec, *traced.create(spec.seed), options);
  require_same_outputs(fmt::format("{} seed {}", first_run.title(), spec.seed), first_run,
                       run.result);
}

}  // namespace kernbench::sim
