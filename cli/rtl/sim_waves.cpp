// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/sim_waves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "cli/base/console.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/numbers.hpp"
#include "common/places.hpp"
#include "common/unmarked_text.hpp"
#include "sim/regression/regression_runner.hpp"
#include "sim/report/number_text.hpp"
#include "sim/wave/gtkwave_setup.hpp"
#include "sim/wave/wave_window.hpp"

namespace kernbench::cli {
namespace {

constexpr std::size_t kTracedCases = 3;

/// Returns true for a case of traffic that failed, and whose fault, if it has one, made a
/// difference.
bool worth_tracing(const sim::CaseResult& result) {
  using common::Outcome;
  return result.cycles != 0 && (!result.fault || result.fault->injected_at) &&
         (result.outcome == Outcome::Mismatch || result.outcome == Outcome::Deadlock ||
          result.outcome == Outcome::Timeout);
}

/// Returns the begin of the names of a case's files.
std::string stem_of(const sim::CaseResult& result) {
  return fmt::format("waves/{}-seed{}{}", result.title(), result.seed,
                     result.fault && result.name.empty() ? "-" + result.fault->kind : "");
}

/// Returns what the waves of a case show: its first failure, an injected fault that led to none, or
/// cycle `first`.
sim::Failure shown_failure(const sim::CaseResult& result, std::uint64_t first) {
  sim::Failure shown;
  shown.checker = result.suite;
  shown.kind = result.reason.empty() ? "passed" : result.reason;
  shown.cycle = first;
  if (!result.failures.empty()) {
    shown = result.failures.front();
  } else if (result.fault && result.fault->injected_at) {
    shown.cycle = *result.fault->injected_at;
  } else if (result.outcome != common::Outcome::Pass) {
    shown.cycle = result.cycles;
  }
  for (const sim::Failure& failure : result.failures) {
    if (!shown.link) shown.link = failure.link;
  }
  if (!shown.link && result.fault) shown.link = result.fault->link;
  return shown;
}

}  // namespace

std::optional<WaveOption> parse_wave_option(const std::string& text) {
  if (text == "off") return WaveOption{.on_failure = false};
  if (text == "window") return WaveOption{.of_pages = true};
  if (text == "on-failure") return WaveOption{};
  const auto colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto first = common::parse_u64(text.substr(0, colon));
  const auto last = common::parse_u64(text.substr(colon + 1));
  if (!first || !last || *first > *last) return std::nullopt;
  return WaveOption{.on_failure = false, .window = sim::TraceWindow{{}, *first, *last, {}}};
}

std::string wave_option_error(const std::string& text) {
  return fmt::format(
      "--waves: '{}' is not off, window, on-failure or FIRST:LAST (two cycles, such as 100:200)",
      text);
}

WaveOption checked_waves(const SimOptions& options, std::size_t cases) {
  // The model with waves takes longer to build than the other.
  if (options.watch) return {.on_failure = false};
  const auto waves = parse_wave_option(options.waves);
  if (!waves) throw common::BadInput(wave_option_error(options.waves));
  if (waves->window && cases != 1) {
    throw common::BadInput(
        "--waves FIRST:LAST requires a single case: select it with --suite and --seeds 1");
  }
  return *waves;
}

common::Outcome attempt_waves(const std::function<void()>& write) {
  try {
    write();
  } catch (const common::BadInput& error) {
    if (!common::interrupted()) {
      print_error(fmt::format("no waves: {}", common::unmarked_text(error)));
      return common::Outcome::Pass;
    }
    print_error("no waves: interrupted");
    return common::Outcome::Interrupted;
  } catch (const common::Interrupted&) {
    print_error("no waves: interrupted");
    return common::Outcome::Interrupted;
  } catch (const std::exception& error) {
    print_error(fmt::format("no waves: internal error: {}", error.what()));
    return common::Outcome::InternalError;
  }
  return common::Outcome::Pass;
}

std::vector<std::size_t> cases_to_trace(const sim::RegressionResult& result, std::size_t cases,
                                        const WaveOption& option) {
  std::vector<std::size_t> chosen;
  if (!option.on_failure && !option.window) return chosen;
  for (std::size_t i = 0; i < cases && chosen.size() < kTracedCases; ++i) {
    const sim::CaseResult& one = result.cases[i];
    const bool has_window = option.of_pages && !one.page.empty();
    if (option.window || (worth_tracing(one) && !has_window)) chosen.push_back(i);
  }
  return chosen;
}

void write_waves(sim::RegressionResult& result, const std::vector<std::size_t>& cases,
                 const WaveOption& option, const std::function<CaseTracer()>& open_tracer,
                 const std::string& report_folder) {
  for (const sim::CaseResult& one : result.cases) {
    if (!one.page.empty()) print("{}/{} has the cause\n", report_folder, one.page);
  }
  print("Writing waves of {} (building the traced model first can take minutes)...\n",
        sim::counted(cases.size(), "case"));
  std::fflush(stdout);
  const CaseTracer tracer = open_tracer();
  common::ensure_directory(report_folder + "/waves");
  for (const std::size_t i : cases) {
    sim::CaseResult& one = result.cases[i];
    const std::string stem = stem_of(one);
    sim::Failure shown = shown_failure(one, option.window ? option.window->first : 0);
    sim::TraceWindow window = option.window.value_or(sim::failure_window(shown.cycle));
    const std::string file = fmt::format("{}/{}", report_folder, stem);
    window.path = file + ".fst";
    window.link = shown.link;
    tracer.trace(i, window);
    shown.cycle = std::clamp(shown.cycle, window.first, window.last);
    tracer.write_setup(file + ".gtkw", window.path, shown, one);
    one.wave = stem + ".fst";
    one.wave_setup = stem + ".gtkw";
    one.view = sim::view_command(file + ".gtkw");
  }
}

std::string show_windows(sim::RegressionResult& result, const std::string& report_folder) {
  std::string first;
  for (sim::CaseResult& one : result.cases) {
    if (one.page.empty()) continue;
    const std::string folder = std::filesystem::path(one.page).parent_path().string();
    one.wave = folder + "/window.vcd";
    one.wave_setup = folder + "/window.gtkw";
    const std::string setup = fmt::format("{}/{}", report_folder, one.wave_setup);
    one.view = sim::view_command(setup);
    if (first.empty()) first = setup;
  }
  return first;
}

void remember_wave(const std::string& root, const std::string& setup) {
  namespace fs = std::filesystem;
  const char* chosen = std::getenv("KERNBENCH_LAST_WAVE");  // NOLINT(concurrency-mt-unsafe)
  if (chosen == nullptr && !common::is_checkout(root)) return;
  const fs::path file = chosen != nullptr ? fs::path(chosen) : fs::path(root) / "build/last-wave";
  try {
    common::ensure_directory(fs::absolute(file).parent_path());
    common::write_file_atomically(file, fs::absolute(setup).lexically_normal().string() + "\n");
  } catch (const common::BadInput&) {
    return;
  }
}

}  // namespace kernbench::cli
