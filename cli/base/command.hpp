// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/line/command.hpp"
#include "common/outcome.hpp"
#include "common/report_envelope.hpp"

namespace kernbench::cli {

struct Invocation;
struct SimOptions;
struct Soaked;

/// The heading of the options for execution traces in the help of `kernbench replay`.
inline constexpr const char* kReplayOfTraces = "Execution traces (PREFIX.et)";

/// The parts of a program beside the commands that verify RTL. All members are empty in the program
/// that only does that.
struct Parts {
  using AddCommand = void (*)(Command& program, const Invocation& invocation);
  /// Adds a command, by the name of the command.
  std::map<std::string_view, AddCommand> commands;
  /// Loads these plugins. Throws common::BadInput.
  std::function<void(const std::vector<std::string>& paths)> load_plugins;
  /// Registers the benches of the files in these folders. Throws common::BadInput.
  std::function<void(const std::vector<std::string>& folders)> read_benches{};
  /// Replays of other files than pin-traces.
  struct Replay {
    /// Repeats the failure of a co-simulation that a report has. Throws common::BadInput.
    std::function<common::Outcome(const common::ReportEnvelope& report, const SimOptions& options,
                                  const std::string& root)>
        cosimulation{};
    /// Describes the options of a replay of execution traces, and returns what replays them.
    std::function<std::function<common::Outcome(const std::string& prefix)>(
        Command& replay, const Invocation& invocation)>
        describe_traces{};
  };
  Replay replay{};
  /// Runs a regression of a network of any topology, whose file has this text.
  std::function<common::Outcome(const SimOptions& options, const std::string& text,
                                const Invocation& invocation)>
      simulate_noc{};
  /// Checks the structure of the RTL of a network of any topology.
  std::function<common::Outcome(const SimOptions& options, const Invocation& invocation)>
      check_noc_structure{};
  /// Reads a regression of a network of any topology, whose file has this text, for a soak, and
  /// builds its model. Throws common::BadInput.
  std::function<void(const SimOptions& options, const std::string& text,
                     const Invocation& invocation, Soaked& soaked)>
      soak_noc{};
};

/// Returns the parts of the whole program.
[[nodiscard]] Parts all_parts();

/// Options that every command has.
struct CommonOptions {
  bool quiet = false;
  bool verbose = false;
  std::vector<std::string> plugins;        ///< paths of all --plugin options
  std::vector<std::string> bench_folders;  ///< folders of all --bench-dir options
};

/// The context of a command.
struct Invocation {
  std::string root;     ///< data folder: RTL, Makefile.verilator and configs/
  std::string models;   ///< default folder of built models
  std::string program;  ///< the program as typed
  Parts parts{};        ///< parts of this program
  std::shared_ptr<CommonOptions> common = std::make_shared<CommonOptions>();
  const Command* command = nullptr;  ///< the command that runs; set when the words are parsed

  /// Returns the words that repeat the call, wherever it runs: without the options of a cluster.
  [[nodiscard]] Words words() const;
  /// Returns these words as a line of a shell, for reports.
  [[nodiscard]] std::string command_line() const { return shell_line("kernbench", words()); }
};

/// Adds all commands. Those that are not among the parts of the invocation say so.
void add_commands(Command& program, const Invocation& invocation);

/// Throws common::BadInput: `name` is not in this build.
[[noreturn]] void fail_not_in_this_build(std::string_view name);

// Each function adds a command.

/// Adds `kernbench sim`.
void add_sim_command(Command& program, const Invocation& invocation);
/// Adds `kernbench structure`.
void add_structure_command(Command& program, const Invocation& invocation);
/// Adds `kernbench replay`.
void add_replay_command(Command& program, const Invocation& invocation);
/// Adds `kernbench shrink`.
void add_shrink_command(Command& program, const Invocation& invocation);
/// Adds `kernbench bisect`.
void add_bisect_command(Command& program, const Invocation& invocation);
/// Adds `kernbench coverage merge` and `kernbench coverage report`.
void add_coverage_command(Command& program, const Invocation& invocation);
/// Adds `kernbench model`.
void add_model_command(Command& program, const Invocation& invocation);
/// Adds `kernbench topology build|show|export|route|check|zoo`.
void add_topology_command(Command& program, const Invocation& invocation);
/// Adds `kernbench probe`.
void add_probe_command(Command& program, const Invocation& invocation);
/// Adds `kernbench rerun`.
void add_rerun_command(Command& program, const Invocation& invocation);
/// Adds `kernbench run`.
void add_run_command(Command& program, const Invocation& invocation);
/// Adds `kernbench list`.
void add_list_command(Command& program, const Invocation& invocation);
/// Adds `kernbench kernel record`.
void add_kernel_command(Command& program, const Invocation& invocation);
/// Adds `kernbench serve`.
void add_serve_command(Command& program, const Invocation& invocation);
/// Adds `kernbench evaluate`.
void add_evaluate_command(Command& program, const Invocation& invocation);
/// Adds `kernbench traffic`.
void add_traffic_command(Command& program, const Invocation& invocation);
/// Adds `kernbench compare`.
void add_compare_command(Command& program, const Invocation& invocation);
/// Adds `kernbench cosim`.
void add_cosim_command(Command& program, const Invocation& invocation);
/// Adds `kernbench doctor`.
void add_doctor_command(Command& program, const Invocation& invocation);
/// Adds `kernbench schema`.
void add_schema_command(Command& program, const Invocation& invocation);
/// Adds `kernbench sweep` with `show`, `compare` and `rm`.
void add_sweep_command(Command& program, const Invocation& invocation);
/// Adds `kernbench job run`.
void add_job_command(Command& program, const Invocation& invocation);
/// Adds `kernbench web`.
void add_web_command(Command& program, const Invocation& invocation);
/// Adds `kernbench completion` and `kernbench reference`.
void add_reference_commands(Command& program);
/// Adds `zoo` to `kernbench topology`.
void add_zoo_command(Command& topology, const Invocation& invocation);
/// Adds `rtl` to `kernbench topology`.
void add_topology_rtl_command(Command& topology, const Invocation& invocation);
/// Adds `prove` to `kernbench topology`.
void add_topology_prove_command(Command& topology, const Invocation& invocation);

}  // namespace kernbench::cli
