// SPDX-License-Identifier: Apache-2.0
#include "cli/model/run_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/base/console.hpp"
#include "cli/base/text_table.hpp"
#include "common/band.hpp"
#include "model/data/races.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {

using model::bench::RunResult;
using model::report::RunReport;
using model::runtime::CheckReport;
using model::runtime::RepeatSample;

namespace {

/// Difference in percent above which a user should know that reuse does not fit.
constexpr double kLargeError = 1.0;

}  // namespace

void print_reasons(const common::Grade& grade) {
  for (const std::string& reason : grade.reasons) print("{}: {}\n", grade.name(), reason);
}

void print_choices(const RunResult& result) {
  for (const model::runtime::CollectiveChoice& choice : result.choices) {
    std::string text =
        fmt::format("{} of {} bytes in group '{}': {}, SIPs as {}", choice.collective,
                    sim::grouped(choice.bytes), choice.group, choice.algorithm, choice.neighbors);
    if (choice.root_cube) {
      text += fmt::format(", root cube {} ({})", *choice.root_cube, choice.root_place);
    }
    text += fmt::format(": {} us by its formula", fixed_text(choice.predicted_ns / 1000.0, 3));
    if (!choice.next.empty()) {
      text += fmt::format(", next {} {} us", choice.next, fixed_text(choice.next_ns / 1000.0, 3));
    }
    print("{}\n", wrapped(text, 2));
  }
}

void print_mapping(const model::bench::MappingChoice& mapping) {
  const auto us = [](const model::bench::TimedMapping& one) { return one.time.ns() / 1000.0; };
  print("mapping {}: {:.3f} us, others simulated: {}\n", mapping.chosen.name, us(mapping.chosen),
        mapping.simulated);
  if (mapping.next) {
    print("  next {}: {:.3f} us\n", mapping.next->name, us(*mapping.next));
  } else if (mapping.simulated != 0) {
    print("  none of them is within 10 %\n");
  }
}

void print_reuse(const std::optional<model::runtime::RepeatSummary>& repeats) {
  if (!repeats) return;
  const std::vector<RepeatSample>& samples = repeats->samples;
  if (repeats->simulated == 0) {
    print("the bench repeats no work, so that none was drawn to be simulated in full\n");
    return;
  }
  print("{} works simulated, {} repeated; ", repeats->simulated, repeats->repeated);
  if (samples.empty()) {
    print("none drawn to be simulated in full\n");
    return;
  }
  const RepeatSample& worst = *std::max_element(
      samples.begin(), samples.end(),
      [](const RepeatSample& a, const RepeatSample& b) { return a.error() < b.error(); });
  const double percent = worst.error() * 100.0;
  print(
      "times are at most {:.4f} % from those of {} drawn and simulated in full\n  {}, work {}: "
      "{:.3f} us, not {:.3f} us\n",
      percent, samples.size(), worst.key, worst.index, worst.simulated.ns() / 1000.0,
      worst.repeated.ns() / 1000.0);
  if (percent > kLargeError) {
    print_warning(
        fmt::format("works may take {:.2f} % more or less time than the report says; "
                    "without --reuse and --fidelity message it is exact",
                    percent));
  }
}

void print_checks(const RunReport& run) {
  const auto verdict_of = [](const CheckReport& check) {
    return check.wrong != 0 ? "FAIL" : check.elements == 0 ? "VACUOUS" : "PASS";
  };
  for (const CheckReport& check : run.result.checks) {
    print("{}  {}: {} elements, {} wrong, {:.3f} of the tolerance{}\n", verdict_of(check),
          check.name, sim::grouped(check.elements), sim::grouped(check.wrong), check.worst,
          check.wrong == 0 ? std::string() : fmt::format("; first {}", check.first_wrong));
  }
  if (run.result.contracts.empty()) return;
  const CheckReport all = run.all_contracts();
  print(
      "{}  contracts of {} calls of collectives: {} elements, {} wrong, {:.3f} of the rounding "
      "bound{}\n",
      verdict_of(all), sim::grouped(run.result.contracts.size()), sim::grouped(all.elements),
      sim::grouped(all.wrong), all.worst,
      all.wrong == 0 ? std::string() : fmt::format("; first {}: {}", all.name, all.first_wrong));
}

void print_races(const RunReport& run) {
  if (!run.finds_races) return;
  const model::data::RaceReport& found = run.result.races;
  const std::size_t count = found.races.size();
  print("{}  races: {} between {} accesses of {} PEs\n",
        found.accesses == 0 ? "VACUOUS"
        : count == 0        ? "PASS"
                            : "FAIL",
        count, found.accesses, found.pes);
  const std::vector<model::report::RaceText> shown = run.shown_races();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const model::report::RaceText& race = shown[i];
    print_error(
        fmt::format("bench '{}': race {} of {}: two PEs access the same {} bytes without an order\n"
                    "  {}\n  {}\n  {}{}",
                    run.bench.name, i + 1, count, race.bytes, race.earlier, race.later, race.first,
                    race.place));
  }
  if (count > shown.size()) {
    print_error(fmt::format("bench '{}': {} more races are not shown", run.bench.name,
                            count - shown.size()));
  }
}

void print_what_if(const RunReport& run, const std::vector<std::string>& asked) {
  for (const model::bench::Change& change : run.what_if) {
    const bool is_asked = std::find(asked.begin(), asked.end(), change.changes) != asked.end();
    std::string lines;
    for (const char letter : change.changes) {
      lines += letter == ',' ? ",\n        " : std::string(1, letter);
    }
    print("\nwhat if {}{}\n", lines, is_asked ? "" : " (all that are equally fast in series)");
    for (const model::bench::Effect& effect : change.regions) {
      print("  {}: {:.3f} us instead of {:.3f} us: {}\n", effect.after.name,
            effect.after.median.ns() / 1000.0, effect.before.median.ns() / 1000.0,
            difference_text(effect.before.band(), effect.after.band()));
    }
    if (run.mapping && change.mapping != run.mapping->chosen.name) {
      print("  in another mapping: {}\n", change.mapping);
    }
  }
}

}  // namespace kernbench::cli
