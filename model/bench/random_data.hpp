// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "common/api.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::model::bench {

/// Returns host data of uniform random numbers: floating-point numbers in [-1, 1), integers from -8
/// to 7. A seed gives the same numbers on every computer.
[[nodiscard]] KERNBENCH_API runtime::HostData uniform(data::DataType type, std::uint64_t rows,
                                                      std::uint64_t columns, std::uint64_t seed);

}  // namespace kernbench::model::bench
