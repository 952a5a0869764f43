#include "cli/sim_waves.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <vector>

#include "common/atomic_file.hpp"
#include "common/numbers.hpp"
#include "sim/wave/gtkwave_setup.hpp"

namespace kernbench::cli {
namespace {

constexpr std::size_t kTracedCases = 3;

/// Returns true for a failed traffic case without an injected fault. An undetected fault is a
/// failure of the checkers, and its waves show nothing.
bool worth_tracing(const sim::CaseSpec& spec, const sim::CaseResult& result) {
  using common::Outcome;
  return spec.suite->kind == sim::SuiteKind::Traffic && spec.fault == nullptr &&
         (result.outcome == Outcome::Mismatch || result.outcome == Outcome::Deadlock ||
          result.outcome == Outcome::Timeout);
}

std::vector<std::size_t> chosen_cases(const sim::RegressionRun& run, const WaveOption& option) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < run.specs.size() && chosen.size() < kTracedCases; ++i) {
    if (option.window || worth_tracing(run.specs[i], run.result.cases[i])) chosen.push_back(i);
  }
  return chosen;
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
  return WaveOption{false, sim::TraceWindow{{}, *first, *last}};
}

void write_waves(sim::RegressionRun& run, const WaveOption& option, const sim::ModelStore& store,
                 sim::ModelRequest request, const std::string& report_folder) {
  const std::vector<std::size_t> cases = chosen_cases(run, option);
  if (cases.empty()) return;
  fmt::print("Writing waves of {} case{} (building the traced model first takes minutes)...\n",
             cases.size(), cases.size() == 1 ? "" : "s");
  std::fflush(stdout);
  request.trace = true;
  const sim::DutLibrary traced = sim::DutLibrary::open(store.ensure(request));
  common::ensure_directory(report_folder + "/waves");
  for (const std::size_t i : cases) {
    sim::CaseResult& result = run.result.cases[i];
    const std::string stem = fmt::format("waves/{}-seed{}", result.suite, result.seed);
    sim::TraceWindow window = option.window.value_or(sim::failure_window(result));
    const std::string file = fmt::format("{}/{}", report_folder, stem);
    window.path = file + ".fst";
    sim::trace_case(run.specs[i], result, traced, window);
    sim::Failure shown;  // without a failure, the setup shows the first cycle of the window
    shown.cycle = window.first;
    if (!result.failures.empty()) shown = result.failures.front();
    sim::write_gtkwave_setup(file + ".gtkw", window.path, run.result.shape, shown);
    result.wave = stem + ".fst";
    result.wave_setup = stem + ".gtkw";
  }
}

}  // namespace kernbench::cli
