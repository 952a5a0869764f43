#pragma once

#include <string>
#include <vector>

#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// How one checker did against one kind of fault.
struct KillCell {
  unsigned attached = 0;  ///< injected cases in which the checker watched
  unsigned caught = 0;
  unsigned alone = 0;  ///< of `caught`, those that no other checker caught
};

/// All cases that injected one kind of fault.
struct KillRow {
  std::string fault;
  unsigned cases = 0;
  unsigned injected = 0;        ///< the fault had its chance
  unsigned caught = 0;          ///< by any checker
  std::vector<KillCell> cells;  ///< by checker, as KillMatrix::checkers
};

/// Which checker notices which kind of fault: the proof that the checkers work. Rows and columns
/// stand in order of first appearance; without fault cases there are no rows.
struct KillMatrix {
  std::vector<std::string> checkers;
  std::vector<KillRow> rows;

  [[nodiscard]] unsigned cases() const;
  [[nodiscard]] unsigned injected() const;
  [[nodiscard]] unsigned caught() const;
  /// Cases, over all kinds, that only the checker of `column` caught.
  [[nodiscard]] unsigned alone(std::size_t column) const;
};

[[nodiscard]] KillMatrix make_kill_matrix(const RegressionResult& result);

}  // namespace kernbench::sim
