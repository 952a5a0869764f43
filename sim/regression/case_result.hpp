// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "maze/link_frame.hpp"
#include "sim/check/checker_set.hpp"
#include "sim/dut/rtl_output.hpp"
#include "sim/failure.hpp"
#include "sim/regression/proofs.hpp"
#include "sim/regression/user_traffic.hpp"

namespace kernbench::sim {

/// `CaseResult::pattern` of the structure check, which is a case without traffic.
inline constexpr const char* kStructurePattern = "elaborated design";
/// `CaseResult::pattern` of the case that fails when functional bins were missed.
inline constexpr const char* kCoveragePattern = "all traffic suites";

/// A fault that a case injected, and the checkers that noticed it.
struct FaultResult {
  std::string kind;
  LinkEnd link;
  std::optional<std::uint64_t> injected_at;  ///< first cycle of effect; absent when it had none
  std::vector<std::string> caught_by;        ///< checkers, in the order in which they reported
  std::string place = {};  ///< name of the link in a network of any topology, in place of `link`
};

/// One suite run with one seed.
struct CaseResult {
  std::string suite;
  std::string name = {};  ///< name of the case, if suite and seed do not name it
  std::uint64_t seed = 0;
  common::Outcome outcome = common::Outcome::Pass;
  std::string reason;         ///< why the outcome is not Pass, in one line
  std::string known;          ///< why the failure is known, and until when; empty if it is not
  std::string command;        ///< command that runs exactly this case again
  std::string pattern;        ///< traffic pattern, as configured
  std::string back_pressure;  ///< class of back-pressure, as configured
  std::uint64_t cycles = 0;
  std::uint64_t delivered = 0;          ///< packets, over all links
  double mean_latency = 0.0;            ///< cycles from acceptance to delivery
  std::optional<unsigned> failed_node;  ///< node of a network without a clock
  std::optional<UserTraffic> users;     ///< traffic of a network
  std::uint64_t output_hash = 0;
  std::vector<CheckerResult> checkers;
  std::vector<std::string> not_checked;  ///< checks that the run was too short for, one line each
  std::vector<Failure> failures;         ///< the first failures, by cycle
  std::optional<FaultResult> fault;
  RtlText rtl_text;                ///< output of the RTL, safe to print
  std::vector<std::string> cause;  ///< lines of diagnosis_text(); empty if none was looked for
  std::string page;  ///< page of the failure, relative to the report folder; may be empty
  std::string wave;  ///< FST of the failure's window, relative to the report folder; may be empty
  std::string wave_setup;  ///< the .gtkw file next to `wave`
  std::string view;        ///< command that opens the waves from any folder; may be empty
  double seconds = 0.0;    ///< host time; not part of any hash

  /// Returns what names the case, with its seed.
  [[nodiscard]] const std::string& title() const { return name.empty() ? suite : name; }
};

/// A network of any topology, as reports name it.
struct NocNames {
  std::string topology;  ///< such as "Mesh2D(4,3)"
  std::uint32_t classes = 1, lanes = 1, slots = 8, flit_bits = 0;
  std::vector<std::string> nodes = {};
  std::vector<std::string> channels = {};
  std::vector<std::uint32_t> stages = {};  ///< registers of each channel
};

/// Result of a regression. Cases are in configuration order.
struct RegressionResult {
  std::string config;  ///< path of the configuration as given
  std::string config_hash;
  std::string revision;
  std::string command;
  std::uint64_t seed = 0;
  std::string dut = "TOPO";     ///< name of the design in titles
  maze::Shape shape;            ///< a MAZE
  std::optional<NocNames> noc;  ///< a network of any topology in its place
  std::string model_hash;       ///< DutInfo::build_hash
  bool checkers = false;        ///< the model contains the SystemVerilog checkers
  RtlChecks rtl_checks;         ///< checks that the RTL has
  std::string structure;  ///< state of the structure check of the model; empty when none was asked
  std::optional<Proofs> proofs;  ///< absent unless `make prove` has left results
  common::Outcome outcome = common::Outcome::Pass;
  bool full_coverage = false;  ///< every functional bin was required; a missed one is a failure
  std::size_t planned = 0;     ///< cases to run; an interrupted regression has fewer in `cases`
  std::size_t not_run = 0;     ///< planned cases that were not started after a failure
  std::vector<CaseResult> cases;
  std::vector<std::uint64_t>
      link_packets;  ///< deliveries, [port*nodes + receiving node], all cases
  std::vector<std::uint64_t>
      link_stalls;  ///< cycles with a waiting packet, indexed like link_packets
  std::vector<std::uint64_t>
      link_longest_stalls;           ///< cycles of the longest stall, indexed like link_packets
  std::optional<UserTraffic> users;  ///< traffic of a network, over all cases without a fault
  double seconds = 0.0;

  /// Returns the number of links, for which packets are counted.
  [[nodiscard]] std::size_t links() const { return noc ? noc->channels.size() : shape.links(); }
};

}  // namespace kernbench::sim
