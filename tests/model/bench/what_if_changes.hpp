// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kernbench::model::bench {

/// A bench with its default parameters, and a change of the default system.
struct AskedChange {
  const char* bench;
  const char* changes;
};

/// 40 changes, four of each of ten benches, drawn by seed 20261129 before any of them was run: one
/// key or two of 18, each doubled, halved or quadrupled; doubled with half of all draws.
[[nodiscard]] const std::vector<AskedChange>& asked_changes();

/// How far the answer of WhatIf is from full simulations of the changed system.
struct AnswerError {
  std::string text;  ///< "gemm pe.clock_ghz*2: 2.310 us, not 2.301 us, 0.39 % off"
  double percent = 0;
  double band_percent = 0;  ///< width of the band of the full simulations
};

/// Asks WhatIf with nine runs, and simulates the changed system in full 25 times more, with other
/// delays, in the mapping that run_mapped() takes. Compares the medians of all regions together.
[[nodiscard]] AnswerError error_of_answer(const AskedChange& asked, unsigned jobs);

}  // namespace kernbench::model::bench
