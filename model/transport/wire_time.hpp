#pragma once

#include <cmath>
#include <cstdint>

#include "common/units.hpp"

namespace kernbench::model::transport {

/// How long `bytes` occupy a wire or a channel of `bw_gbs` (10^9 bytes/s): rounded up to a
/// picosecond, once a flit (DESIGN section 5).
[[nodiscard]] inline common::SimTime occupancy(std::uint64_t bytes, double bw_gbs) {
  return common::SimTime::from_ps(
      static_cast<std::int64_t>(std::ceil(static_cast<double>(bytes) * 1000.0 / bw_gbs)));
}

/// How long a flit travels along a wire: rounded half up to a picosecond.
[[nodiscard]] inline common::SimTime propagation(std::uint32_t length_nm, double ns_per_mm) {
  return common::SimTime::from_ns(static_cast<double>(length_nm) * 1e-6 * ns_per_mm);
}

}  // namespace kernbench::model::transport
