// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "sim/network/network_case.hpp"
#include "sim/regression/regression_spec.hpp"

namespace kernbench::sim {

/// The nodes that fail, each in a case of its own.
enum class FailedNodes : std::uint8_t {
  None,
  Each,
  Ends,  ///< the second node and the last but one
};

/// A suite of a regression of a network: a case, or one for each failed node or kind of traffic.
struct NetworkSuiteSpec {
  std::string name;
  std::string variant;  ///< part of the names of its cases, behind the suite's
  /// Everything that its cases share. Its suite, name, seed and failed node are not set.
  NetworkCase shared = {.cycles = 20'000};
  bool permutations = false;           ///< a case for each kind with one destination a node
  std::uint64_t cycles_per_node = 0;   ///< in place of `cycles`, if not 0
  std::uint64_t cycles_per_reset = 0;  ///< in place of `cycles`, if not 0
  unsigned resets_in_all = 0;          ///< in place of `resets`, if not 0: over all failed nodes
  unsigned seeds = 1;
  std::vector<FaultCase> faults;
  bool stalls_with_odd_failed = false;  ///< receivers stall only with an odd failed node
  FailedNodes failed = FailedNodes::None;
};

/// Resets of one case of a suite with `resets_in_all`.
inline constexpr unsigned kLeastResets = 200;
inline constexpr unsigned kMostResets = 800;

/// A regression of a network, already checked.
struct NetworkSpec {
  std::string text;  ///< the file
  std::string dut = "network";
  std::string name;
  maze::Shape shape;
  std::uint64_t seed = 1;
  unsigned high_bound = 16;  ///< as in NetworkRequest, like the next
  bool fixed_priority = false;
  bool full_coverage = false;  ///< a missed bin fails the regression
  bool deep_coverage = false;  ///< as in NetworkCase
  /// Packets that each link and each A carry in one case without resets: bins in place of the
  /// functional ones. 0: no goal.
  std::uint64_t packets_per_link = 0;
  std::vector<NetworkSuiteSpec> suites;
};

extern const common::InputKind kNetworkRegressionFile;

/// Returns true if the text of the file `path` is a regression of a network, also one with errors.
/// Throws common::BadInput if it is not a map in YAML.
[[nodiscard]] bool is_network_regression(const std::string& text, const std::string& path);

/// Checks the text of a regression of a network. Throws common::BadInput with all errors of the
/// file.
[[nodiscard]] NetworkSpec parse_network_regression(std::string text, const std::string& path);

/// Moves a regression to a network of another size. Removes the suites whose kind of traffic does
/// not exist there. Returns them.
std::vector<LeftOut> move_to_network(NetworkSpec& spec, const maze::Shape& shape);

/// Returns the cases of a regression, in the order of its suites.
[[nodiscard]] std::vector<NetworkCase> network_cases(const NetworkSpec& spec);

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::NetworkSpec>&
kernbench::common::description_of();
