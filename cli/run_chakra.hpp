// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/report_files.hpp"
#include "common/outcome.hpp"
#include "model/bench/runner.hpp"

namespace kernbench::cli {

/// The options of `run` that replay execution traces.
struct ChakraOptions {
  std::string prefix;
  std::string compute = "recorded";
  std::string reuse = "on";
};

/// Adds the options to `run`, and refuses those in `bench_options` beside them.
void add_chakra_options(Command& command, ChakraOptions& options,
                        const std::vector<const char*>& bench_options);

/// The other options of `run` for a replay.
struct ChakraRun {
  std::string spec;
  std::vector<std::string> set;
  ReportFiles files;
  std::string trace;
  std::string trace_detail;
  model::bench::RunOptions options;  ///< with the process groups and the limits
};

/// Replays the traces, prints the figures and writes the report and the timeline.
[[nodiscard]] common::Outcome run_chakra(const ChakraOptions& chakra, ChakraRun run,
                                         const Invocation& invocation);

}  // namespace kernbench::cli
