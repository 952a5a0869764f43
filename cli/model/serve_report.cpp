// SPDX-License-Identifier: Apache-2.0
#include "cli/model/serve_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "cli/base/console.hpp"

namespace kernbench::cli {

using common::SimTime;
using model::serving::LoadRun;
using model::serving::Percentiles;
using model::serving::Step;
using model::serving::StepCheck;
using model::serving::StepChecks;

namespace {

/// Returns "12.3 45.6 78.9", milliseconds in columns.
std::string columns_of(const std::optional<Percentiles>& percentiles) {
  if (!percentiles) return fmt::format("{:>10} {:>10} {:>10}", "-", "-", "-");
  const auto ms = [](SimTime time) { return time.ns() * 1e-6; };
  return fmt::format("{:>10.3f} {:>10.3f} {:>10.3f}", ms(percentiles->p50), ms(percentiles->p90),
                     ms(percentiles->p99));
}

std::string name_of(const Step& step) {
  if (step.prompt != 0) return fmt::format("prefill of {} tokens", step.prompt);
  return fmt::format("decode after {} tokens", fmt::join(step.contexts, ", "));
}

}  // namespace

void print_runs(const std::vector<LoadRun>& runs) {
  print_heading(fmt::format("{:>5} {:>11} {:>9} {:>9} {:>10} {:>6} {:>6}  {:<32}  {:<32}  {}",
                            "load", "requests/s", "requests", "steps", "tokens/s", "batch", "busy",
                            "first token ms: 50, 90, 99 %", "per token ms: 50, 90, 99 %",
                            "request ms: 50, 90, 99 %"));
  for (const LoadRun& run : runs) {
    print("{:>5} {:>11.4f} {:>9} {:>9} {:>10.1f} {:>6.2f} {:>5.1f}%  {}  {}  {}\n",
          run.load ? fmt::format("{:.2f}", *run.load) : "-", run.rate, run.requests,
          run.queue.prefills + run.queue.decodes, run.per_second(run.queue.output_tokens),
          run.mean_batch(), 100.0 * run.utilization(), columns_of(run.first_token),
          columns_of(run.per_token), columns_of(run.whole));
  }
  print("\n");
  for (const LoadRun& run : runs) {
    const auto mean = [](const std::optional<Percentiles>& times) {
      return times ? fmt::format("{:.3f} ms", times->mean.ns() * 1e-6) : std::string("-");
    };
    print("means{}: first token {}, per token {}, request {}\n",
          run.load ? fmt::format(" at load {:.2f}", *run.load) : "", mean(run.first_token),
          mean(run.per_token), mean(run.whole));
  }
}

void print_checks(const StepChecks& checks) {
  if (checks.steps.empty()) {
    print("\nno step was drawn to check: composed times are compared with nothing\n");
    return;
  }
  const StepCheck& worst = *std::max_element(
      checks.steps.begin(), checks.steps.end(),
      [](const StepCheck& a, const StepCheck& b) { return a.percent() < b.percent(); });
  print(
      "\n{}  {} steps drawn and simulated whole: times are at most {:.3f} % off, their sum {:.3f} "
      "%\n  {}: {:.3f} us, not {:.3f} us\n",
      checks.hold() ? "PASS" : "MISMATCH", checks.steps.size(), checks.worst_percent(),
      checks.sum_percent(), name_of(worst.composed.step), worst.simulated.ns() / 1000.0,
      worst.composed.time.ns() / 1000.0);
  if (!checks.hold()) {
    print_warning(fmt::format(
        "composed times are further from simulated ones than {:g} % of a step or {:g} % of the sum",
        StepChecks::kStepPercent, StepChecks::kSumPercent));
  }
}

}  // namespace kernbench::cli
