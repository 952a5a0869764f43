// SPDX-License-Identifier: Apache-2.0
#include "sim/harness/noc_frame.hpp"

#include <algorithm>

namespace kernbench::sim {

bool NocFrame::is_quiet(const Inputs& intended) const {
  const auto is_zero = [](auto value) { return value == 0; };
  return std::all_of(intended.valid.begin(), intended.valid.end(), is_zero) &&
         std::all_of(observed_.valid.begin(), observed_.valid.end(), is_zero);
}

}  // namespace kernbench::sim
