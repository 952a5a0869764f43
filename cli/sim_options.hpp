// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "cli/part_options.hpp"
#include "maze/link_frame.hpp"
#include "sim/dut/rtl_sources.hpp"
#include "sim/regression/case_runner.hpp"

namespace kernbench::common {
class Parts;
}

namespace kernbench::sim {
struct RunOptions;
class RegressionProgress;
}  // namespace kernbench::sim

namespace kernbench::cli {

/// The reports of a regression.
inline constexpr std::array<const char*, 5> kReports = {"report.json", "report.html", "junit.xml",
                                                        "summary.txt", "coverage.json"};

/// The options of `kernbench sim`.
struct SimOptions {
  std::string program = "kernbench";  ///< as typed
  std::string config;
  bool own_config = false;  ///< `config` was given
  std::optional<maze::Shape> fabric;
  std::optional<std::uint64_t> seed;
  std::optional<unsigned> seeds;
  std::optional<std::uint64_t> cycles;
  std::vector<std::string> suites;
  std::string fault;
  std::optional<unsigned> jobs;
  bool fail_fast = false;
  std::size_t durations = 0;  ///< slowest cases to list
  std::string waves = "on-failure";
  std::string report = "build/reports";
  std::string models;
  std::string default_models;
  std::string model;
  sim::RtlRequest rtl;
  std::vector<std::string> plusargs;  ///< plusargs of the RTL: NAME or NAME=VALUE
  std::string code_coverage;
  std::string replay;
  bool no_checkers = false;
  bool node_checkers = false;          ///< checkers of the nodes of a network
  std::optional<unsigned> high_bound;  ///< parameter of the arbiters of a network
  bool fixed_priority = false;         ///< parameter of the arbiters of a network
  bool no_structure = false;
  bool structure_only = false;
  bool list = false;
  bool network = false;
  bool watch = false;  ///< run again when a source changes, with one line a stage
  PartOptions parts;

  [[nodiscard]] unsigned threads() const {
    return jobs.value_or(std::max(1U, std::thread::hardware_concurrency()));
  }

  /// Returns the report beside which the files of a cluster are.
  [[nodiscard]] std::string job_output() const { return report + "/report.json"; }
};

/// Returns the options of a regression that counts its cases and cycles in `done`, until the user
/// interrupts it. They lack the commands that run a case again.
[[nodiscard]] sim::RunOptions run_options(const SimOptions& options, common::Parts* parts,
                                          sim::RegressionProgress& done);

/// Parses the value of --fabric, such as 3x5 or 16x16x32. Throws common::BadInput.
[[nodiscard]] maze::Shape parse_fabric(const std::string& text);

/// Returns the options that decide the result of one case, quoted for a shell.
[[nodiscard]] std::string case_options(const SimOptions& options, const sim::CaseSpec& spec);

/// Returns the shell command that runs one case again, from the folder of this run. Its reports go
/// to the folder `again` below those of this run.
[[nodiscard]] std::string rerun_command(const SimOptions& options, const sim::CaseSpec& spec);

/// Returns the options that name this RTL, each behind a blank; empty for the repository's own.
[[nodiscard]] std::string rtl_options(const sim::RtlRequest& rtl);

/// Returns `--plusarg` with each of these, behind a blank.
[[nodiscard]] std::string plusarg_options(const std::vector<std::string>& plusargs);

/// Returns `--report` with the folder of the reports of a command that runs a case again.
[[nodiscard]] std::string report_again(const SimOptions& options);

/// Returns the command line with the program as typed, so that it can be pasted. It begins with
/// "kernbench".
[[nodiscard]] std::string command_as_typed(const SimOptions& options,
                                           const std::string& command_line);

/// Creates `folder`. Throws common::BadInput if these reports cannot be written to it. Called
/// before a run that may take hours.
void require_writable(const std::string& folder, std::span<const char* const> reports);

/// Deletes these reports of an earlier run, so that they are not taken for those of this one if it
/// does not end. Called when the cases start.
void remove_reports(const std::string& folder, std::span<const char* const> reports);

/// Returns the shell command that replays the failure of a co-simulation that `options` name.
[[nodiscard]] std::string replay_command(const SimOptions& options);

}  // namespace kernbench::cli
