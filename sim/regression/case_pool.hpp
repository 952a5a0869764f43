// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/archive.hpp"
#include "common/parts.hpp"
#include "sim/dut/dut.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Options of a regression that do not affect the result of a case.
struct RunOptions {
  unsigned jobs = 1;                                       ///< threads; a case runs in one of them
  std::function<void(std::uint64_t new_cycles)> progress;  ///< called from any thread, as cases run
  std::function<void(const CaseResult&)> case_done;  ///< called from any thread, once per case
  std::function<bool()> interrupted;
  bool fail_fast = false;  ///< start no case after the first that does not pass
  /// Returns whether a failure is known, so that other cases start after it; null: none is.
  std::function<bool(const CaseResult&)> is_known;
  /// Returns the command that runs case number `index` again.
  std::function<std::string(std::size_t index)> command;
  /// Folder for the code coverage of every case, as Verilator's `<case number>.dat`. Empty: none.
  std::string code_coverage;
  /// Runs the cases in other processes; null: in threads of this one.
  common::Parts* parts = nullptr;
};

/// A case of a pool before it runs.
struct PooledCase {
  std::string suite;
  std::string name;  ///< empty if suite and seed name it
  std::uint64_t seed = 0;
  std::uint64_t cycles = 0;  ///< longer cases start first
};

/// Result and measurements of a case.
template <class Coverage>
struct MeasuredCase {
  CaseResult result;
  bool skipped = false;                     ///< not run, because another case failed before
  std::optional<Coverage> coverage;         ///< coverage of traffic without a fault
  std::vector<std::uint64_t> link_packets;  ///< without a fault, [port*nodes + receiving node]
  std::vector<std::uint64_t> link_stalls;   ///< cycles with a waiting packet, indexed like them
  std::vector<std::uint64_t> link_longest_stalls;  ///< cycles of the longest, indexed like them
};

/// Results of a regression, and what its cases were, in the order of the first of `result`: cases
/// of coverage goals and structure come behind them.
template <class Spec, class Coverage>
struct MeasuredRegression {
  RegressionResult result;
  std::optional<Coverage> coverage;  ///< sum over all cases that collected it
  std::vector<Spec> specs;
};

using Heartbeat = std::function<bool(std::uint64_t cycle)>;

/// Runs the cases of a regression, each as a `Run` with a CaseResult `result` and a flag `skipped`,
/// and keeps them in case order.
template <class Run>
class CasePool {
 public:
  /// `run_case` runs the case of this number; the heartbeat returns false once it has to end.
  CasePool(std::vector<PooledCase> cases, const RunOptions& options,
           std::function<Run(std::size_t index, const Heartbeat& heartbeat)> run_case)
      : cases_(std::move(cases)),
        options_(options),
        run_case_(std::move(run_case)),
        order_(longest_first(cases_)),
        runs_(cases_.size()) {}

  std::vector<Run> run() {
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
               Run& run = runs_[order_[part]];
               common::unarchive(bytes, run);
               done(run, 0);
             },
         .give_up =
             [this](std::size_t part, const std::string& reason) {
               Run& run = runs_[order_[part]];
               run.result.outcome = common::Outcome::InternalError;
               run.result.reason = reason;
               done(run, 0);
             }});
    if (error_) std::rethrow_exception(error_);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (options_.command) runs_[i].result.command = options_.command(i);
    }
    return std::move(runs_);
  }

 private:
  /// Returns the numbers of the cases by descending length, so that none of the threads is left
  /// with a long case at the end.
  static std::vector<std::size_t> longest_first(const std::vector<PooledCase>& cases) {
    std::vector<std::size_t> order(cases.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return cases[a].cycles > cases[b].cycles;
    });
    return order;
  }

  static CaseResult not_started(const PooledCase& one) {
    CaseResult result;
    result.suite = one.suite;
    result.name = one.name;
    result.seed = one.seed;
    result.outcome = common::Outcome::Interrupted;
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
      const CaseResult& result = runs_[index].result;
      const bool is_known = options_.is_known && options_.is_known(result);
      if (result.outcome != common::Outcome::Pass && !is_known) failed_ = true;
      return true;
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
      return false;
    }
  }

  Run run_one(std::size_t index) {
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t reported = 0;
    const Heartbeat heartbeat = [&](std::uint64_t cycle) {
      if (options_.progress) options_.progress(cycle - reported);
      reported = cycle;
      return !stopped();
    };
    Run run;
    if (stopped()) {
      run.result = not_started(cases_[index]);
    } else {
      run = run_case_(index, heartbeat);
    }
    run.result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    done(run, reported);
    return run;
  }

  /// Announces a finished case. `reported` of its cycles are announced already.
  void done(const Run& run, std::uint64_t reported) const {
    if (options_.progress && run.result.cycles > reported) {
      options_.progress(run.result.cycles - reported);
    }
    if (options_.case_done) options_.case_done(run.result);
  }

  [[nodiscard]] bool stopped() const { return options_.interrupted && options_.interrupted(); }

  std::vector<PooledCase> cases_;
  const RunOptions& options_;
  std::function<Run(std::size_t, const Heartbeat&)> run_case_;
  std::vector<std::size_t> order_;  ///< in which the cases are started
  std::vector<Run> runs_;
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

/// Sets what a model tells about the regression that runs on it; of a MAZE also its shape.
void record_model(RegressionResult& result, const Model& model);
void record_model(RegressionResult& result, const Dut& dut);

/// Throws common::BadInput unless a case had the same outputs again, on the model with waves.
void require_same_outputs(const std::string& name, const CaseResult& first,
                          const CaseResult& again);

/// Adds up counts of links, or keeps the largest of each.
void add_counts(std::vector<std::uint64_t>& total, const std::vector<std::uint64_t>& part);
void keep_largest(std::vector<std::uint64_t>& largest, const std::vector<std::uint64_t>& part);

/// Moves the cases that ran into a regression, each with its spec from `planned`, and sets the
/// outcome to the worst of them. Returns true if a case was interrupted.
template <class Spec, class Coverage>
bool collect_cases(std::vector<MeasuredCase<Coverage>> runs, const std::vector<Spec>& planned,
                   MeasuredRegression<Spec, Coverage>& regression) {
  RegressionResult& result = regression.result;
  result.planned = runs.size();
  for (auto* counts : {&result.link_packets, &result.link_stalls, &result.link_longest_stalls}) {
    counts->resize(result.links());
  }
  bool interrupted = false;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    MeasuredCase<Coverage>& one = runs[i];
    if (one.skipped) {
      ++result.not_run;
      continue;
    }
    if (one.result.outcome == common::Outcome::Interrupted) {
      interrupted = true;
      continue;
    }
    regression.specs.push_back(planned[i]);
    result.outcome = common::worst(result.outcome, one.result.outcome);
    add_counts(result.link_packets, one.link_packets);
    add_counts(result.link_stalls, one.link_stalls);
    keep_largest(result.link_longest_stalls, one.link_longest_stalls);
    if (one.coverage && regression.coverage) {
      regression.coverage->merge(*one.coverage);
    } else if (one.coverage) {
      regression.coverage = std::move(one.coverage);
    }
    result.cases.push_back(std::move(one.result));
  }
  return interrupted;
}

/// Bins of a regression that had to be hit, and the names of those that were missed.
struct CoverageGoal {
  std::uint64_t bins = 0;
  std::vector<std::string> missed;
};

/// Sets the outcome of a regression whose cases were collected. If `full_coverage` is required,
/// adds a case that fails if bins were missed, or if no case collected coverage (`goal` is absent).
void conclude(RegressionResult& result, bool interrupted, const std::optional<CoverageGoal>& goal);

}  // namespace kernbench::sim
