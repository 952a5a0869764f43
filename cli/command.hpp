// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "common/outcome.hpp"

namespace kernbench::cli {

/// The context of a command.
struct Invocation {
  std::string root;     ///< data folder: RTL, Makefile.verilator and configs/
  std::string models;   ///< default folder of built models
  std::string program;  ///< the program as typed
  /// Words of the command line after the program, without the options of an engine.
  std::vector<std::string> words{};
  std::string command_line;  ///< shell command that repeats the call, for reports
  /// Paths of all --plugin options, complete when the command line is parsed.
  std::shared_ptr<std::vector<std::string>> plugins = std::make_shared<std::vector<std::string>>();
};

/// Adds all commands, with their examples and exit codes.
void add_commands(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);

// Each function adds a command, whose callback stores the result in `outcome`.

/// Adds `kernbench sim`.
void add_sim_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench soak`.
void add_soak_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench coverage merge` and `kernbench coverage report`.
void add_coverage_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench model`.
void add_model_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench topology build|show|export|route|check|schema|zoo`.
void add_topology_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench probe`.
void add_probe_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench run` and `kernbench list`.
void add_run_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench kernel record`.
void add_kernel_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench serve`.
void add_serve_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench evaluate`.
void add_evaluate_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `gemm` to `kernbench evaluate`.
void add_evaluate_gemm(CLI::App& evaluate, const Invocation& invocation, common::Outcome& outcome);
/// Adds `collectives` to `kernbench evaluate`.
void add_evaluate_collectives(CLI::App& evaluate, const Invocation& invocation,
                              common::Outcome& outcome);
/// Adds `all-reduce` to `kernbench evaluate`.
void add_evaluate_all_reduce(CLI::App& evaluate, const Invocation& invocation,
                             common::Outcome& outcome);
/// Adds `kernbench traffic`.
void add_traffic_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench cosim`.
void add_cosim_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench doctor`.
void add_doctor_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench schema`.
void add_schema_command(CLI::App& app, common::Outcome& outcome);
/// Adds `kernbench sweep` with `show`, `compare` and `rm`.
void add_sweep_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench job run`.
void add_job_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench web`.
void add_web_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench completion` and `kernbench reference`.
void add_reference_commands(CLI::App& app, common::Outcome& outcome);
/// Adds `zoo` to `kernbench topology`.
void add_zoo_command(CLI::App& topology, const Invocation& invocation, common::Outcome& outcome);

}  // namespace kernbench::cli
