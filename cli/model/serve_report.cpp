// SPDX-License-Identifier: Apache-2.0
#include "cli/model/serve_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/console.hpp"
#include "cli/base/text_table.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {

using common::SimTime;
using model::serving::LoadRun;
using model::serving::Percentiles;
using model::serving::Step;
using model::serving::StepCheck;
using model::serving::StepChecks;

namespace {

/// Adds mean and percentiles in ms to the cells of a row.
void add_times(std::vector<std::string>& cells, const std::optional<Percentiles>& times) {
  const auto ms = [](SimTime time) { return fixed_text(time.ns() * 1e-6, 3); };
  for (const auto part :
       {&Percentiles::mean, &Percentiles::p50, &Percentiles::p90, &Percentiles::p99}) {
    cells.push_back(times ? ms((*times).*part) : "-");
  }
}

std::string name_of(const Step& step) {
  if (step.prompt != 0) return fmt::format("prefill of {} tokens", step.prompt);
  return fmt::format("decode after {} tokens", fmt::join(step.contexts, ", "));
}

}  // namespace

void print_runs(const std::vector<LoadRun>& runs) {
  const auto load_of = [](const LoadRun& run) {
    return run.load ? fmt::format("{:.2f}", *run.load) : std::string("-");
  };
  const auto count = [](std::uint64_t number) { return sim::grouped(number); };
  TextTable rates(
      {"load", "requests/s", "requests", "steps", "tokens/s", "mean batch", "busy (%)"});
  for (const LoadRun& run : runs) {
    rates.add({load_of(run), fixed_text(run.rate, 4), count(run.requests),
               count(run.queue.prefills + run.queue.decodes),
               fixed_text(run.per_second(run.queue.output_tokens), 1),
               fixed_text(run.mean_batch(), 2), fixed_text(100.0 * run.utilization(), 1)});
  }
  print_table(rates);
  print("\nLatencies in ms: mean, and what 50, 90 and 99 % do not exceed\n");
  std::vector<std::string> headings = {"load"};
  for (const char* const what : {"first token", "per token", "request"}) {
    for (const char* const part : {"mean", "50 %", "90 %", "99 %"}) {
      headings.push_back(fmt::format("{} {}", what, part));
    }
  }
  TextTable times(std::move(headings));
  for (const LoadRun& run : runs) {
    std::vector<std::string> cells = {load_of(run)};
    for (const auto part : {&LoadRun::first_token, &LoadRun::per_token, &LoadRun::whole}) {
      add_times(cells, run.*part);
    }
    times.add(std::move(cells));
  }
  print_table(times);
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
