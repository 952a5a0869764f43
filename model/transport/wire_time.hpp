// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "common/units.hpp"

namespace kernbench::model::transport {

/// Returns how long `bytes` occupy a wire or a memory channel of `bw_gbs` (10^9 bytes/s), rounded
/// up to a picosecond (DESIGN section 5: once for each flit).
[[nodiscard]] inline common::SimTime occupancy(std::uint64_t bytes, double bw_gbs) {
  const double exact = static_cast<double>(bytes) * 1000.0 / bw_gbs;
  const auto whole = static_cast<std::int64_t>(exact);  // std::ceil would be a call
  return common::SimTime::from_ps(whole + (static_cast<double>(whole) < exact ? 1 : 0));
}

/// Returns how long a flit travels along a wire, rounded half up to a picosecond.
[[nodiscard]] inline common::SimTime propagation(std::uint32_t length_nm, double ns_per_mm) {
  return common::SimTime::from_ns(static_cast<double>(length_nm) * 1e-6 * ns_per_mm);
}

}  // namespace kernbench::model::transport
