// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cosim/run/fabric_run.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::cosim {

/// The fabric of a run as a user describes it. Messages name the options of `kernbench cosim`.
struct MazeSetup {
  std::string topology;                      ///< topology file
  std::string nodes = "maze";                ///< maze or ideal
  std::optional<std::uint32_t> failed_node;  ///< replaces sip.maze.failed_node
  std::string models;                        ///< folder of built models
  std::string model;                         ///< prebuilt model; empty to build one if needed
  std::vector<std::string> plusargs;         ///< plusargs of the RTL: NAME or NAME=VALUE
  bool no_checkers = false;                  ///< build without the bound checkers
};

/// Returns the fabrics that a name stands for: analytic, cycle, rtl or all. Throws
/// common::BadInput for any other name.
[[nodiscard]] std::vector<FabricKind> parse_fabrics(const std::string& text);

/// Returns the kind of nodes of a set-up. Throws common::BadInput for an unknown name.
[[nodiscard]] model::fabric::MazeNodeKind nodes_of(const MazeSetup& setup);

/// Returns the SIP of a topology with the failed node of the set-up. Throws common::BadInput when
/// the nodes cannot have one, cannot route in the order of the topology, or are not those of the
/// set-up.
[[nodiscard]] topology::SipSpec sip_of(const MazeSetup& setup, const topology::TopologyGraph& graph,
                                       bool clocked);

/// Throws common::BadInput for an option of a MAZE that is `given` where the cubes are joined by a
/// network of routers.
void refuse_maze_option(bool given, const char* option);

/// Opens the verilated network of a SIP, or the TOPO of ideal nodes, lets `options` make instances
/// of it, and returns its path. Does the same for the network between SIPs that `options` have,
/// whose model is always built. Builds a model with the Makefile.verilator of `root` if it is
/// missing. Throws common::BadInput for a model of another shape, which names the key of the
/// topology that differs.
std::string open_model(const MazeSetup& setup, const std::string& root,
                       const topology::SipSpec& sip, FabricRunOptions& options);

}  // namespace kernbench::cosim
