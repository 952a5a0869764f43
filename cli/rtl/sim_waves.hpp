// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/rtl/sim_options.hpp"
#include "common/outcome.hpp"
#include "sim/harness/cycle_runner.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::cli {

/// The value of --waves: no waves, waves of failed cases, or waves of some cycles of a single case.
struct WaveOption {
  bool on_failure = true;  ///< failed cases run again on the model with waves
  /// Failed cases that have a page show the window of that page, so that they need no such model.
  bool of_pages = false;
  std::optional<sim::TraceWindow> window = {};  ///< cycles to trace; its path is unset
};

/// Parses `off`, `window`, `on-failure` or `FIRST:LAST`. Returns std::nullopt for any other text.
[[nodiscard]] std::optional<WaveOption> parse_wave_option(const std::string& text);

/// Returns the message about a text that parse_wave_option() refuses.
[[nodiscard]] std::string wave_option_error(const std::string& text);

/// Returns the value of --waves for a run of so many cases. Throws common::BadInput if it has none.
[[nodiscard]] WaveOption checked_waves(const SimOptions& options, std::size_t cases);

/// Writes waves of a run whose results are safe. Returns InternalError or Interrupted if there are
/// none for such a reason, and else Pass: results count without waves.
[[nodiscard]] common::Outcome attempt_waves(const std::function<void()>& write);

/// Runs cases of a regression again on a model with waves.
struct CaseTracer {
  /// Runs case number `index` again and writes the waves of `window`. Throws common::BadInput.
  std::function<void(std::size_t index, const sim::TraceWindow& window)> trace;
  /// Writes the set-up of GTKWave `setup` for `waves`, which show a failure of a case.
  std::function<void(const std::string& setup, const std::string& waves, const sim::Failure& shown,
                     const sim::CaseResult& result)>
      write_setup;
};

/// Returns the cases that `option` selects for waves, of the first `cases` of a result.
[[nodiscard]] std::vector<std::size_t> cases_to_trace(const sim::RegressionResult& result,
                                                      std::size_t cases, const WaveOption& option);

/// Reruns these cases with waves and stores file names and commands in their results.
/// `open_tracer` builds the model with waves if it is missing, which takes minutes, and throws
/// common::BadInput when that fails.
void write_waves(sim::RegressionResult& result, const std::vector<std::size_t>& cases,
                 const WaveOption& option, const std::function<CaseTracer()>& open_tracer,
                 const std::string& report_folder);

/// Sets the waves of the cases that have a page to the window beside it. Returns the path of the
/// first set-up of GTKWave, empty if there is none.
[[nodiscard]] std::string show_windows(sim::RegressionResult& result,
                                       const std::string& report_folder);

/// Stores the path of a GTKWave set-up where `make wave` looks for the latest: in build/last-wave
/// below `root`, if that is a checkout, or in the file that the environment variable
/// KERNBENCH_LAST_WAVE names. Errors are ignored, because the set-up itself is complete.
void remember_wave(const std::string& root, const std::string& setup);

}  // namespace kernbench::cli
