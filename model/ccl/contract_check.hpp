// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/units.hpp"
#include "model/ccl/collective.hpp"
#include "model/data/array.hpp"
#include "model/runtime/session.hpp"

namespace kernbench::model::ccl {

/// The data of a member before and after a call of a collective: a copy of the tensor for each
/// cube, without copies where the member has no such tensor.
struct MemberData {
  std::vector<data::Array> before;
  std::vector<data::Array> after;
  std::vector<std::uint64_t> input_rows;   ///< rows of each block
  std::vector<std::uint64_t> output_rows;  ///< rows of each block
  common::SimTime begin{};                 ///< start of its kernel
  common::SimTime end{};
};

/// Compares what a member has after a call with the contract of the collective. Moved data must
/// have the same bits, and so must integer sums, modulo 2^bits. A sum of n floating-point numbers
/// x_i must be within gamma sum |x_i| of the exact one, gamma = (n - 1) u / (1 - (n - 1) u), u the
/// rounding unit of the type (N. Higham, "Accuracy and Stability of Numerical Algorithms", 4.2),
/// and the same in all cubes. If the collective waits, the end of the member's call is compared
/// with the begin of each. Reports `name`.
[[nodiscard]] runtime::CheckReport check_contract(const std::string& name,
                                                  const Collective& collective,
                                                  const CallShape& call, std::uint32_t member,
                                                  const std::vector<MemberData>& members);

}  // namespace kernbench::model::ccl
