// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// Results of one checker for one kind of fault.
struct KillCell {
  unsigned attached = 0;  ///< cases with an effective fault and this checker attached
  unsigned caught = 0;    ///< cases in which this checker noticed the fault
  unsigned alone = 0;     ///< cases in which no other checker noticed it
};

/// The cases that injected one kind of fault.
struct KillRow {
  std::string fault;
  unsigned cases = 0;
  unsigned injected = 0;        ///< cases in which the fault took effect
  unsigned caught = 0;          ///< cases in which any checker noticed it
  std::vector<KillCell> cells;  ///< one per checker, as KillMatrix::checkers
};

/// Shows which checker notices which kind of fault, as proof that the checkers work. Rows and
/// columns are in order of first appearance. Empty when no case injected a fault.
struct KillMatrix {
  std::vector<std::string> checkers;
  std::vector<KillRow> rows;

  [[nodiscard]] unsigned cases() const;
  [[nodiscard]] unsigned injected() const;
  [[nodiscard]] unsigned caught() const;
  /// Returns the number of cases, over all kinds, that only the checker of `column` caught.
  [[nodiscard]] unsigned alone(std::size_t column) const;
};

[[nodiscard]] KillMatrix make_kill_matrix(const RegressionResult& result);

}  // namespace kernbench::sim
