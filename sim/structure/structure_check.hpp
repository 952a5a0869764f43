// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "noc/network.hpp"
#include "sim/structure/finding.hpp"

namespace kernbench::sim::structure {

/// Result of the check of one design.
struct CheckResult {
  std::vector<Finding> findings;  ///< in order of their places
  std::vector<Finding> notes;     ///< findings for our RTL alone; other people's may be so
  unsigned links = 0;      ///< instances of IRS_N in TOPO, or channels of a network of any topology
  unsigned nodes = 0;      ///< instances of MAZE_CORE in MAZE_ARRAY, or of NOC_NODE in NOC_TOP
  std::uint64_t bits = 0;  ///< bits of signals that were followed
};

/// Checks the structure of an elaborated fabric. `path` is the dump that Verilator wrote: .xml or
/// .tree.json. Throws common::BadInput when it cannot be read.
[[nodiscard]] CheckResult check_structure(const std::string& path, const maze::Shape& shape);

/// Checks the structure of an elaborated network, MAZE_ARRAY or MAZE_TOP in network_tb_top: its
/// TOPO as above, and all between it, the nodes and their users. What is in MAZE_CORE is not part
/// of it.
[[nodiscard]] CheckResult check_network_structure(const std::string& path,
                                                  const maze::Shape& shape);

/// Checks the structure of an elaborated network of any topology, NOC_TOP in noc_tb_top, against
/// its graph and its routes. Inside NOC_NODE only drivers, loops and latches are checked.
[[nodiscard]] CheckResult check_noc_structure(const std::string& path, const noc::Network& network);

}  // namespace kernbench::sim::structure
