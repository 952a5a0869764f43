// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/bench/registry.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// A shape of a bench on a machine.
struct MappingPair {
  std::string bench;
  ParameterValues values;
  std::size_t machine = 0;  ///< index in mapping_machines()
};

/// How far the default mapping of a pair is from the best of the bench's own alternatives.
struct PairResult {
  MappingPair pair;
  double ratio = 1.0;  ///< time of the default over that of the best, at least 1
  std::string best{};  ///< name of the best alternative, if it is faster
};

/// Returns six machines: two of 16 and 32 cubes, one with half the bandwidth of HBM, and three
/// small ones.
[[nodiscard]] const std::vector<topology::TopologyGraph>& mapping_machines();

/// Draws 300 pairs by a seed: at least 30 of each bench that has a choice, over all machines.
[[nodiscard]] std::vector<MappingPair> drawn_pairs();

/// Simulates a pair as run_mapped() does by default, and each alternative: its mappings, or the
/// algorithms of its collective, on the whole SIP and on halves and quarters of its cubes, with all
/// and half of the PEs.
[[nodiscard]] PairResult measure_pair(const MappingPair& pair);

/// Returns "gemm k=64, m=128, n=32 on machine 0: 1.07, best c=row".
[[nodiscard]] std::string text_of(const PairResult& result);

}  // namespace kernbench::model::bench
