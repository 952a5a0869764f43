// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/rtl/sim_options.hpp"
#include "common/diagnostics.hpp"
#include "common/outcome.hpp"
#include "sim/regression/case_pool.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::cli {

/// A regression of any design, and the model on which it runs with any seed.
struct Soaked {
  std::string text;                       ///< the file
  std::optional<maze::Shape> shape = {};  ///< shape of a MAZE
  std::string topology = {};              ///< name of a network of any topology; else empty
  std::vector<std::string> channels = {};
  std::uint64_t seed = 1;       ///< seed of the file
  std::string model = {};       ///< path of its library
  std::string model_hash = {};  ///< ModelInfo::build_hash
  std::function<sim::RegressionResult(std::uint64_t seed, const sim::RunOptions& options)> run = {};
  /// Returns the commands that run the cases of a seed again.
  std::function<std::vector<std::string>(std::uint64_t seed)> commands = {};
};

/// Refuses suites that a chunk of one seed cannot run as they are.
template <class Suite>
void require_one_seed(const std::string& path, const std::vector<Suite>& suites) {
  for (const Suite& suite : suites) {
    if (suite.seeds == 1 && suite.faults.empty()) continue;
    throw common::BadInput(
        fmt::format("{}: suite '{}' has {}; each suite of a soak runs once with the "
                    "seed of the chunk",
                    path, suite.name, suite.faults.empty() ? "several seeds" : "faults"));
  }
}

/// Runs the regression with seed after seed until `options.packets` are delivered, and writes the
/// state to the folder of the reports after each. Throws common::BadInput.
[[nodiscard]] common::Outcome soak(const SimOptions& options, const Invocation& invocation);

}  // namespace kernbench::cli
