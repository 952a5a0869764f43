#pragma once

#include <optional>
#include <string>

#include "sim/dut/model_store.hpp"
#include "sim/regression/regression_runner.hpp"

namespace kernbench::cli {

/// When waves are written: never, of failed cases, or of given cycles of the only case.
struct WaveOption {
  bool on_failure = true;
  std::optional<sim::TraceWindow> window;  ///< without a path
};

/// Reads `off`, `on-failure` or `FIRST:LAST`; nothing for anything else.
[[nodiscard]] std::optional<WaveOption> parse_wave_option(const std::string& text);

/// Runs cases again with waves and names the files in their results. Builds the traced model if
/// need be, which takes minutes the first time. Throws common::BadInput when it cannot be built.
void write_waves(sim::RegressionRun& run, const WaveOption& option, const sim::ModelStore& store,
                 sim::ModelRequest request, const std::string& report_folder);

}  // namespace kernbench::cli
