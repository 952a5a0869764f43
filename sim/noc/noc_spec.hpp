// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "sim/noc/noc_case.hpp"
#include "sim/noc/noc_device.hpp"
#include "sim/noc/noc_suite_script.hpp"
#include "sim/regression/regression_spec.hpp"

namespace kernbench::sim {

/// The network of a regression, as its file names it.
struct NocNetworkSpec {
  std::string topology = "BidirectionalTorus2D(4,4)";  ///< text of the zoo, or a file
  unsigned lanes = 1;
  unsigned slots = 8;
  unsigned flit_bits = 0;  ///< 0: as few as the generator takes by default
  unsigned stages = 1;
  double wire = 0;  ///< longest between registers, in units of the picture; 0: not used
};

/// A suite: a case for each seed, or for each seed and kind of traffic.
struct NocSuiteSpec {
  std::string name;
  NocCase shared = {};        ///< its suite, name and seed are not set
  bool permutations = false;  ///< a case for each kind of traffic with one destination a node
  unsigned seeds = 1;
  std::vector<NocFault> faults = {};          ///< each in a case of its own; empty: no fault
  std::optional<NocSuiteScript> script = {};  ///< in place of traffic
};

/// A regression of a network of any topology, already checked.
struct NocSpec {
  std::string text;  ///< the file
  std::string dut = "noc";
  std::string name;
  NocNetworkSpec network;
  std::uint64_t seed = 1;
  bool full_coverage = false;  ///< a missed bin fails the regression
  std::vector<NocSuiteSpec> suites;
};

extern const common::InputKind kNocRegressionFile;

/// Checks the text of a regression of a network of any topology. Throws common::BadInput with all
/// errors of the file.
[[nodiscard]] NocSpec parse_noc_regression(std::string text, const std::string& path);

/// Returns the cases of a regression on a network, in the order of its suites. Appends the suites
/// whose kind of traffic does not work there, and why, to `left_out`.
[[nodiscard]] std::vector<NocCase> noc_cases(const NocSpec& spec, const NocDevice& device,
                                             std::vector<LeftOut>& left_out);

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::NocSpec>& kernbench::common::description_of();
