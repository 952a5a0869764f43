// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/debug/repairs.hpp"
#include "sim/debug/steps.hpp"
#include "sim/structure/simulation.hpp"

namespace kernbench::sim {

/// Two signals, or two parts of one, that explain a failure together: with them exchanged, all
/// steps come out right.
struct Exchange {
  std::vector<structure::Place> places;  ///< lines that drive them, one or two
  std::string instance;                  ///< below the root; empty for the root itself
  std::string signal;                    ///< driven by the first line
  std::string words;                     ///< "is right with x_i and y_i exchanged"
};

/// Finds the exchanges of two connections of an instance, and of adjacent parts or the halves of a
/// signal, among what `candidates` drive. Such an error is in two signals, so that another value of
/// one of them does not explain it.
[[nodiscard]] std::vector<Exchange> find_exchanges(structure::Simulation& sim, Steps& steps,
                                                   const std::vector<Candidate>& candidates);

}  // namespace kernbench::sim
