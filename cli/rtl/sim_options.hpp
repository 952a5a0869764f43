// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/options.hpp"
#include "cli/farm/part_options.hpp"
#include "maze/link_frame.hpp"
#include "sim/dut/rtl_sources.hpp"
#include "sim/noc/noc_spec.hpp"
#include "sim/regression/case_runner.hpp"

namespace kernbench::common {
class Parts;
}

namespace kernbench::sim {

struct KnownFailures;
struct RunOptions;
class RegressionProgress;
struct NetworkCase;
}  // namespace kernbench::sim

namespace kernbench::cli {

/// The reports of a regression.
inline constexpr std::array<const char*, 5> kReports = {"report.json", "report.html", "junit.xml",
                                                        "summary.txt", "coverage.json"};

inline constexpr const char* kDefaultRegression = "configs/regressions/default.yaml";
inline constexpr const char* kSoakRegression = "configs/regressions/soak.yaml";

// Devices whose structure `kernbench structure` checks.
inline constexpr std::string_view kTopoDevice = "topo";
inline constexpr std::string_view kNetworkDevice = "network";

/// The heading of the options for RTL in the help of `kernbench replay`.
inline constexpr const char* kReplayOfRtl = "Failures and pin-traces (.json)";

/// The options of `kernbench sim`, `structure` and `replay`.
struct SimOptions {
  const Invocation* invocation = nullptr;
  std::string config;
  std::optional<maze::Shape> fabric;
  std::string noc;  ///< topology of a regression of a network of any topology; empty: its own
  sim::NocNetworkSpec routers;  ///< sizes of a network whose structure is checked
  std::optional<std::uint64_t> seed;
  std::optional<unsigned> seeds;
  std::optional<std::uint64_t> cycles;
  std::vector<std::string> suites;
  std::string fault;
  unsigned jobs = all_processors();
  bool fail_fast = false;
  std::size_t durations = 0;  ///< slowest cases to list
  std::string waves = "window";
  std::uint64_t shrink = 400'000;  ///< simulated cycles spent on shrinking a failure; 0: none
  bool smaller = false;            ///< shrinks on smaller fabrics with a model, too
  std::string known;               ///< file of known failures; empty: none
  std::shared_ptr<const sim::KnownFailures> known_list{};  ///< its content
  std::string history;         ///< SQLite file that gets a row of the run; empty: none
  std::string expected_model;  ///< hash of the model that is to run; empty: any
  std::string report = "build/reports";
  std::string models;
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
  bool list = false;
  bool network = false;                  ///< structure of the network, not of TOPO
  std::string write_verilog;             ///< file for the design in Verilog-2005; empty: none
  std::optional<std::uint64_t> packets;  ///< run seed after seed until so many are delivered
  bool resume = false;                   ///< continue the state in the folder of the reports
  bool watch = false;                    ///< run again when a source changes, with one line a stage
  PartOptions parts;

  /// Returns the report beside which the files of a cluster are.
  [[nodiscard]] std::string job_output() const { return report + "/report.json"; }
};

/// Returns the options of a regression that counts its cases and cycles in `done`, until the user
/// interrupts it. They lack the commands that run a case again.
[[nodiscard]] sim::RunOptions run_options(const SimOptions& options, common::Parts* parts,
                                          sim::RegressionProgress& done);

/// Parses the value of --fabric, such as 3x5 or 16x16x32. Throws common::BadInput.
[[nodiscard]] maze::Shape parse_fabric(const std::string& text);

/// Describes the options of `kernbench sim`.
void describe(Command& sim, SimOptions& options, const Invocation& invocation);
/// Describes the options of `kernbench structure`.
void describe_structure(Command& structure, SimOptions& options, const Invocation& invocation);
/// Describes the options of `kernbench replay` for failures and pin-traces of RTL.
void describe_replay(Command& replay, SimOptions& options, const Invocation& invocation);

/// Returns the shell command that replays the failure of a co-simulation that `options` name.
[[nodiscard]] std::string replay_command(const SimOptions& options);

/// Returns the words of the command that runs one case again, from `sim` on.
[[nodiscard]] Words rerun_words(const SimOptions& options, const sim::CaseSpec& spec);
/// Returns the same for a case of a network of this shape.
[[nodiscard]] Words rerun_words(const SimOptions& options, const maze::Shape& shape,
                                const sim::NetworkCase& one);

/// Returns the same for a case of a suite, or of its own name, of any other design.
[[nodiscard]] Words rerun_words(const SimOptions& options, const std::string& suite,
                                std::uint64_t seed);

/// Returns the shell command that runs one case again, from the folder of this run. Its reports go
/// to the folder `again` below those of this run.
[[nodiscard]] std::string rerun_command(const SimOptions& options, const sim::CaseSpec& spec);
/// Returns the same for a case of a network of this shape.
[[nodiscard]] std::string rerun_command(const SimOptions& options, const maze::Shape& shape,
                                        const sim::NetworkCase& one);

/// Returns the same for a case of a suite, or of its own name, of any other design.
[[nodiscard]] std::string rerun_command(const SimOptions& options, const std::string& suite,
                                        std::uint64_t seed);

/// Returns the shell command that runs another regression file on the same design.
[[nodiscard]] std::string regression_command(const SimOptions& options, const std::string& file);

/// Runs a regression, as `kernbench sim` does. Throws common::BadInput.
[[nodiscard]] common::Outcome run_simulation(const SimOptions& options,
                                             const Invocation& invocation);

/// Creates `folder`. Throws common::BadInput if these reports cannot be written to it. Called
/// before a run that may take hours.
void require_writable(const std::string& folder, std::span<const char* const> reports);

/// Deletes these reports of an earlier run, so that they are not taken for those of this one if it
/// does not end. Called when the cases start.
void remove_reports(const std::string& folder, std::span<const char* const> reports);

/// The texts of a size, such as 3x5 or 16x16x32.
template <>
struct ValueText<maze::Shape> {
  static constexpr const char* kType = "TEXT";
  static Check check() { return {}; }
  static maze::Shape parse(const std::string& text) { return parse_fabric(text); }
  static std::string print(const maze::Shape& shape) {
    return fmt::format("{}x{}x{}", shape.nx, shape.ny, shape.flit_w);
  }
};

}  // namespace kernbench::cli
