// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "model/bench/runner.hpp"
#include "topology/resolve/resolve_topology.hpp"

namespace kernbench::cli {

/// A bench, its parameters and its system, as a command line chose them.
struct BenchChoice {
  const model::bench::Bench* bench = nullptr;
  model::bench::RunOptions options;
  topology::ResolvedTopology resolved;
};

/// Reads the topology `spec` of a simulation with its settings in `set`, and prints its warnings
/// and how exact its MAZE is. Throws common::BadInput for a bad topology.
[[nodiscard]] topology::ResolvedTopology simulated_topology(const std::string& spec,
                                                            const std::vector<std::string>& set);

/// Prints which machine a command simulates: "machine: 2 SIPs of 4x4 cubes of 8 PEs at 1 GHz, ...".
void print_machine(const topology::TopologySpec& spec);

/// Prints a bench with what it computes, its sizes, and the machine on which it runs.
void print_what_runs(const model::bench::Bench& bench,
                     const std::map<std::string, std::string>& parameters,
                     const topology::TopologySpec& spec);

/// Finds a bench by `name`, reads its parameters and the settings of the topology `spec` from
/// `set`, and prints warnings of the topology. Parameters that name files are looked for in the
/// data folder too. Prints the error and returns nothing for an unknown bench or parameter. Throws
/// common::BadInput for a bad topology.
[[nodiscard]] std::optional<BenchChoice> choose_bench(const std::string& name,
                                                      const std::vector<std::string>& set,
                                                      const std::string& spec,
                                                      const Invocation& invocation);

}  // namespace kernbench::cli
