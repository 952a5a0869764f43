// SPDX-License-Identifier: Apache-2.0
#include "cli/sim_waves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "cli/console.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/numbers.hpp"
#include "common/places.hpp"
#include "common/unmarked_text.hpp"
#include "sim/dut/network_library.hpp"
#include "sim/report/number_text.hpp"
#include "sim/wave/gtkwave_setup.hpp"
#include "sim/wave/wave_window.hpp"

namespace kernbench::cli {
namespace {

constexpr std::size_t kTracedCases = 3;

/// Returns true for a traffic case with a failure or a fault that made a difference.
bool worth_tracing(const sim::CaseSpec& spec, const sim::CaseResult& result) {
  using common::Outcome;
  return spec.suite->kind == sim::SuiteKind::Traffic &&
         (spec.fault == nullptr || result.fault->injected_at) &&
         (result.outcome == Outcome::Mismatch || result.outcome == Outcome::Deadlock ||
          result.outcome == Outcome::Timeout);
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
  if (text == "off") return WaveOption{false, {}};
  if (text == "on-failure") return WaveOption{true, {}};
  const auto colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto first = common::parse_u64(text.substr(0, colon));
  const auto last = common::parse_u64(text.substr(colon + 1));
  if (!first || !last || *first > *last) return std::nullopt;
  return WaveOption{false, sim::TraceWindow{{}, *first, *last, {}}};
}

std::string wave_option_error(const std::string& text) {
  return fmt::format(
      "--waves: '{}' is not off, on-failure or FIRST:LAST (two cycles, such as 100:200)", text);
}

WaveOption checked_waves(const SimOptions& options, std::size_t cases) {
  if (options.watch) return {};  // the model with waves takes longer to build than the other
  const auto waves = parse_wave_option(options.waves);
  if (!waves) throw common::BadInput(wave_option_error(options.waves));
  if (waves->window && cases != 1) {
    throw common::BadInput(
        fmt::format("--waves FIRST:LAST requires a single case: select it with --suite{}",
                    options.network ? "" : " and --seeds 1"));
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

std::vector<std::size_t> cases_to_trace(const sim::RegressionRun& run, const WaveOption& option) {
  std::vector<std::size_t> chosen;
  if (!option.on_failure && !option.window) return chosen;
  for (std::size_t i = 0; i < run.specs.size() && chosen.size() < kTracedCases; ++i) {
    if (option.window || worth_tracing(run.specs[i], run.result.cases[i])) chosen.push_back(i);
  }
  return chosen;
}

void write_waves(sim::RegressionRun& run, const std::vector<std::size_t>& cases,
                 const WaveOption& option, const sim::ModelStore& store, const std::string& model,
                 const std::vector<std::string>& plusargs, const std::string& report_folder) {
  print("Writing waves of {} case{} (building the traced model first can take minutes)...\n",
        cases.size(), cases.size() == 1 ? "" : "s");
  std::fflush(stdout);
  const sim::DutLibrary traced =
      sim::DutLibrary::open(store.ensure_traced(model, run.result.model_hash), plusargs);
  common::ensure_directory(report_folder + "/waves");
  for (const std::size_t i : cases) {
    sim::CaseResult& result = run.result.cases[i];
    const bool fault = run.specs[i].fault != nullptr;
    const std::string stem = fmt::format("waves/{}-seed{}{}", result.suite, result.seed,
                                         fault ? "-" + result.fault->kind : "");
    sim::Failure shown = shown_failure(result, option.window ? option.window->first : 0);
    sim::TraceWindow window = option.window.value_or(sim::failure_window(shown.cycle));
    const std::string file = fmt::format("{}/{}", report_folder, stem);
    window.path = file + ".fst";
    window.link = shown.link;
    sim::trace_case(run.specs[i], result, traced, window, common::interrupted);
    shown.cycle = std::clamp(shown.cycle, window.first, window.last);
    sim::write_gtkwave_setup(file + ".gtkw", window.path, run.result.shape, shown, fault);
    result.wave = stem + ".fst";
    result.wave_setup = stem + ".gtkw";
    result.view = sim::view_command(file + ".gtkw");
  }
}

void write_network_waves(sim::NetworkRegression& network, const WaveOption& option,
                         const sim::ModelStore& store, const std::vector<std::string>& plusargs,
                         const std::string& report_folder) {
  std::vector<sim::NetworkCaseRun*> chosen;
  for (sim::NetworkCaseRun& one : network.cases) {
    const bool has_failed = one.result.outcome == common::Outcome::Mismatch;
    if (option.window || (option.on_failure && has_failed)) chosen.push_back(&one);
    if (chosen.size() == kTracedCases) break;
  }
  if (chosen.empty()) return;
  print("Writing waves of {} (building the traced model first can take minutes)...\n",
        sim::counted(chosen.size(), "case"));
  std::fflush(stdout);
  const sim::NetworkLibrary traced(store.ensure_traced(network.model, network.model_hash),
                                   plusargs);
  common::ensure_directory(report_folder + "/waves");
  for (sim::NetworkCaseRun* const one : chosen) {
    sim::NetworkFailure shown = one->result.failure;
    if (shown.text.empty()) shown = {"passed", option.window->first, sim::NodePort{}};
    if (!shown.at) shown.at = sim::NodePort{};
    const sim::TraceWindow window = option.window.value_or(sim::failure_window(shown.cycle));
    const std::string stem = fmt::format("waves/{}-seed{}", one->spec.name, one->spec.seed);
    const std::string file = fmt::format("{}/{}", report_folder, stem);
    const sim::NetworkTrace trace{file + ".fst", window.first, window.last, *shown.at};
    const sim::NetworkResult again = sim::run_network_case(traced, one->spec, &trace);
    if (again.failure.text != one->result.failure.text) {
      throw common::BadInput(fmt::format(
          "{}: with the model of the waves, whose flops start with other bits, {}", one->spec.name,
          again.failure.text.empty() ? "it passes" : "it fails otherwise: " + again.failure.text));
    }
    shown.cycle = std::clamp(shown.cycle, window.first, window.last);
    sim::write_network_setup(file + ".gtkw", trace.path, network.shape, shown);
    one->wave = stem + ".fst";
    one->wave_setup = stem + ".gtkw";
    one->view = sim::view_command(file + ".gtkw");
  }
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
