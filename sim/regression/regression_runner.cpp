// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/regression_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "common/archive.hpp"
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

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Runs the cases of a regression and keeps their results in case order.
class CasePool {
 public:
  CasePool(const RegressionSpec& spec, const DutLibrary& library, const RunOptions& options,
           const std::vector<CaseSpec>& cases)
      : spec_(spec),
        library_(library),
        options_(options),
        cases_(cases),
        order_(longest_first(cases)),
        runs_(cases.size()) {}

  std::vector<CaseRun> run() {
    if (options_.parts != nullptr) {
      // Cases that other processes do not finish before an interruption.
      for (std::size_t i = 0; i < cases_.size(); ++i) runs_[i].result = not_started(cases_[i]);
    }
    common::run_loop(
        options_.parts, options_.jobs,
        {.count = cases_.size(),
         .compute = [this](std::size_t part) { return compute(order_[part]); },
         .bytes_of = [this](std::size_t part) { return common::archived(runs_[order_[part]]); },
         .take =
             [this](std::size_t part, const std::string& bytes) {
               CaseRun& run = runs_[order_[part]];
               common::unarchive(bytes, run);
               done(run, 0);
             },
         .give_up =
             [this](std::size_t part, const std::string& reason) {
               CaseRun& run = runs_[order_[part]];
               run.result.outcome = Outcome::InternalError;
               run.result.reason = reason;
               done(run, 0);
             }});
    if (error_) std::rethrow_exception(error_);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (options_.command) runs_[i].result.command = options_.command(cases_[i]);
    }
    return std::move(runs_);
  }

 private:
  /// Returns the numbers of the cases by descending length, so that none of the threads is left
  /// with a long case at the end.
  static std::vector<std::size_t> longest_first(const std::vector<CaseSpec>& cases) {
    std::vector<std::size_t> order(cases.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return cases[a].suite->cycles > cases[b].suite->cycles;
    });
    return order;
  }

  static CaseResult not_started(const CaseSpec& spec) {
    CaseResult result;
    result.suite = spec.suite->name;
    result.seed = spec.seed;
    result.outcome = Outcome::Interrupted;
    result.reason = "not started";
    return result;
  }

  /// Runs a case. Returns false after an error, which ends the regression.
  bool compute(std::size_t index) {
    if (options_.fail_fast && failed_) {
      runs_[index].skipped = true;
      return true;
    }
    try {
      runs_[index] = run_one(index);
      if (runs_[index].result.outcome != Outcome::Pass) failed_ = true;
      return true;
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
      return false;
    }
  }

  CaseRun run_one(std::size_t index) {
    const CaseSpec& spec = cases_[index];
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t reported = 0;
    CaseOptions options;
    options.packets_per_link = spec_.packets_per_link;
    options.deep_coverage = spec_.deep_coverage;
    options.heartbeat = [&](std::uint64_t cycle) {
      if (options_.progress) options_.progress(cycle - reported);
      reported = cycle;
      return !stopped();
    };
    CaseRun run;
    if (stopped()) {
      run.result = not_started(spec);
    } else {
      const auto dut = library_.create(spec.seed);
      run = run_case(spec, *dut, options);
      if (!options_.code_coverage.empty()) {
        write_code_coverage(*dut, library_.names(),
                            fmt::format("{}/{}.dat", options_.code_coverage, index));
      }
    }
    run.result.seconds = seconds_since(start);
    done(run, reported);
    return run;
  }

  /// Announces a finished case. `reported` of its cycles are announced already.
  void done(const CaseRun& run, std::uint64_t reported) const {
    if (options_.progress && run.result.cycles > reported) {
      options_.progress(run.result.cycles - reported);
    }
    if (options_.case_done) options_.case_done(run.result);
  }

  [[nodiscard]] bool stopped() const { return options_.interrupted && options_.interrupted(); }
  const RegressionSpec& spec_;
  const DutLibrary& library_;
  const RunOptions& options_;
  const std::vector<CaseSpec>& cases_;
  std::vector<std::size_t> order_;  ///< in which the cases are started
  std::vector<CaseRun> runs_;
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

void add(std::vector<std::uint64_t>& total, const std::vector<std::uint64_t>& part) {
  for (std::size_t i = 0; i < part.size(); ++i) total[i] += part[i];
}

void keep_longest(std::vector<std::uint64_t>& longest, const std::vector<std::uint64_t>& part) {
  for (std::size_t i = 0; i < part.size(); ++i) longest[i] = std::max(longest[i], part[i]);
}

/// Makes a case of the missed bins, so that they fail the regression. Without coverage nothing was
/// compared with the goals.
CaseResult coverage_case(const std::optional<CoverageData>& coverage) {
  CaseResult result;
  result.suite = "coverage goals";
  result.pattern = kCoveragePattern;
  if (!coverage) {
    result.outcome = Outcome::Vacuous;
    result.reason = "full_coverage is required, but no case collected coverage";
    return result;
  }
  const std::vector<std::string> missed = coverage->missed();
  result.checkers.push_back({"coverage", coverage->total_bins(), missed.size()});
  for (std::size_t i = 0; i < std::min<std::size_t>(missed.size(), 20); ++i) {
    result.failures.push_back({"coverage", "missed_bin", 0, std::nullopt, missed[i]});
  }
  if (!missed.empty()) {
    result.outcome = Outcome::Mismatch;
    result.reason = fmt::format("{} functional {} missed", missed.size(),
                                missed.size() == 1 ? "bin was" : "bins were");
  }
  return result;
}

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
  run.specs = list_cases(spec);
  RegressionResult& result = run.result;
  {
    const auto dut = library.create(spec.seed);
    const DutInfo& info = dut->info();
    require_shape(info, spec.shape, library.path());
    if (!options.code_coverage.empty() && !info.coverage) {
      throw common::BadInput(without_code_coverage(library.path(), ""));
    }
    result.model_hash = info.build_hash;
    result.checkers = info.checkers;
    result.rtl_checks = dut->rtl_checks();
  }
  result.config = spec.path;
  result.seed = spec.seed;
  result.shape = spec.shape;
  result.full_coverage = spec.full_coverage;
  result.link_packets.resize(spec.shape.links());
  result.link_stalls.resize(spec.shape.links());
  result.link_longest_stalls.resize(spec.shape.links());

  result.planned = run.specs.size();
  const std::vector<CaseSpec> planned = std::move(run.specs);
  run.specs.clear();
  bool interrupted = false;
  std::vector<CaseRun> runs = CasePool(spec, library, options, planned).run();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    CaseRun& one = runs[i];
    if (one.skipped) {
      ++result.not_run;
      continue;
    }
    if (one.result.outcome == Outcome::Interrupted) {
      interrupted = true;
      continue;
    }
    run.specs.push_back(planned[i]);
    result.outcome = common::worst(result.outcome, one.result.outcome);
    add(result.link_packets, one.link_packets);
    add(result.link_stalls, one.link_stalls);
    keep_longest(result.link_longest_stalls, one.link_longest_stalls);
    if (one.coverage) {
      if (run.coverage) {
        run.coverage->merge(*one.coverage);
      } else {
        run.coverage = std::move(one.coverage);
      }
    }
    result.cases.push_back(std::move(one.result));
  }
  if (interrupted) {
    result.outcome = Outcome::Interrupted;
  } else if (spec.full_coverage && result.not_run == 0) {
    result.cases.push_back(coverage_case(run.coverage));
    result.outcome = common::worst(result.outcome, result.cases.back().outcome);
  } else if (result.cases.empty()) {
    result.outcome = Outcome::Vacuous;
  }
  result.seconds = seconds_since(start);
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
  if (run.result.outcome == Outcome::Interrupted) throw common::BadInput("interrupted");
  if (run.result.output_hash != first_run.output_hash) {
    throw std::logic_error(fmt::format("suite {} seed {}: the traced run differs from the first",
                                       spec.suite->name, spec.seed));
  }
}

}  // namespace kernbench::sim
