#pragma once

#include <cstdint>

#include "model/runtime/context.hpp"

namespace kernbench::model::bench {

/// Numbers between -1 and 1, integers between -8 and 7; the same for the same seed everywhere.
[[nodiscard]] runtime::HostData uniform(data::DataType type, std::uint64_t rows,
                                        std::uint64_t columns, std::uint64_t seed);

}  // namespace kernbench::model::bench
