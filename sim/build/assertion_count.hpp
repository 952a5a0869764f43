// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernbench::sim {

/// The checks that the author of RTL has written into it.
struct AssertionCount {
  unsigned assertions = 0;  ///< assert and assume
  unsigned unique = 0;      ///< unique, unique0 and priority

  friend bool operator==(const AssertionCount&, const AssertionCount&) = default;
};

/// Counts the checks in what `verilator -E` prints: text without comments and macros.
[[nodiscard]] AssertionCount count_assertions(std::string_view preprocessed);

/// Returns "topo.sv:12: $readmemh" for each call in such a text that reads a file when the model
/// runs.
[[nodiscard]] std::vector<std::string> run_time_readers(std::string_view preprocessed);

}  // namespace kernbench::sim
