// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/outcome.hpp"
#include "common/report_envelope.hpp"

namespace kernbench::cli {

struct Invocation;
struct SimOptions;

/// The parts of a program beside the commands that verify RTL. All members are empty in the program
/// that only does that.
struct Parts {
  using AddCommand = void (*)(CLI::App& app, const Invocation& invocation,
                              common::Outcome& outcome);
  /// Adds a command, by the name of the command.
  std::map<std::string_view, AddCommand> commands;
  /// Loads these plugins. Throws common::BadInput.
  std::function<void(const std::vector<std::string>& paths)> load_plugins;
  /// Repeats the failure of a co-simulation that a report has. Throws common::BadInput.
  std::function<common::Outcome(const common::ReportEnvelope& report, const SimOptions& options,
                                const std::string& root)>
      replay;
};

/// Returns the parts of the whole program.
[[nodiscard]] Parts all_parts();

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
  Parts parts{};  ///< parts of this program
};

/// Adds all commands, with their examples and exit codes. Those that are not among the parts of the
/// invocation say so.
void add_commands(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);

/// Throws common::BadInput: `name` is not in this build.
[[noreturn]] void fail_not_in_this_build(std::string_view name);

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
/// Adds `kernbench run`.
void add_run_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
/// Adds `kernbench list`.
void add_list_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
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
void add_schema_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome);
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
