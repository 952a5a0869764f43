#pragma once

#include <optional>
#include <string>

#include "sim/dut/model_store.hpp"
#include "sim/regression/regression_runner.hpp"

namespace kernbench::cli {

/// The value of --waves: no waves, waves of failed cases, or waves of some cycles of a single case.
struct WaveOption {
  bool on_failure = true;
  std::optional<sim::TraceWindow> window;  ///< cycles to trace; its path is unset
};

/// Parses `off`, `on-failure` or `FIRST:LAST`. Returns std::nullopt for any other text.
[[nodiscard]] std::optional<WaveOption> parse_wave_option(const std::string& text);

/// Reruns the selected cases with waves and stores the file names in their results. Builds the
/// traced model if it is missing, which takes minutes. Throws common::BadInput when that fails.
void write_waves(sim::RegressionRun& run, const WaveOption& option, const sim::ModelStore& store,
                 sim::ModelRequest request, const std::string& report_folder);

}  // namespace kernbench::cli
