#include "cli/sim_failures.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "common/atomic_file.hpp"
#include "sim/wave/gtkwave_setup.hpp"

namespace kernbench::cli {
namespace {

constexpr std::size_t kTracedCases = 3;

/// A case that failed by itself; a fault that survived is no failure of the fabric's.
bool worth_tracing(const sim::CaseResult& result) {
  using common::Outcome;
  return !result.fault && !result.failures.empty() &&
         (result.outcome == Outcome::Mismatch || result.outcome == Outcome::Deadlock ||
          result.outcome == Outcome::Timeout) &&
         result.cycles != 0;
}

}  // namespace

void trace_failures(sim::RegressionRun& run, const sim::RegressionSpec& spec,
                    const sim::ModelStore& store, sim::ModelRequest request,
                    const std::string& report_folder) {
  std::vector<std::size_t> failed;
  for (std::size_t i = 0; i < run.specs.size() && failed.size() < kTracedCases; ++i) {
    if (worth_tracing(run.result.cases[i])) failed.push_back(i);
  }
  if (failed.empty()) return;

  request.trace = true;
  fmt::print(
      "Making waves of {} failed case{} (the traced model is built once, this may take "
      "minutes)...\n",
      failed.size(), failed.size() == 1 ? "" : "s");
  std::fflush(stdout);
  const sim::DutLibrary traced = sim::DutLibrary::open(store.ensure(request));
  common::ensure_directory(report_folder + "/waves");
  for (const std::size_t i : failed) {
    sim::CaseResult& result = run.result.cases[i];
    const std::string stem = fmt::format("waves/{}-seed{}", result.suite, result.seed);
    const sim::CaseRun again =
        sim::trace_case(run.specs[i], result, traced, report_folder + "/" + stem + ".fst");
    if (again.result.output_hash != result.output_hash) {
      throw std::logic_error(fmt::format("suite {} seed {}: the traced run differs from the first",
                                         result.suite, result.seed));
    }
    result.wave = stem + ".fst";
    result.wave_setup = stem + ".gtkw";
    sim::write_gtkwave_setup(report_folder + "/" + result.wave_setup,
                             report_folder + "/" + result.wave, spec.shape,
                             result.failures.front());
  }
}

}  // namespace kernbench::cli
