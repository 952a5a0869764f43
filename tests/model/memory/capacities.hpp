// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kernbench::model::memory {

inline constexpr std::uint64_t kSlice = 6ULL << 30U;  ///< bytes of an HBM slice: 48 GiB for 8 PEs
inline constexpr std::uint64_t kTcm = 4ULL << 20U;    ///< bytes of a TCM

}  // namespace kernbench::model::memory
