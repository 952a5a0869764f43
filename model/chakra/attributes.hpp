// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <execution_trace.pb.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace kernbench::model::chakra {

/// Returns the whole number in an attribute of any numeric type, or nothing for a text, a list, a
/// fraction or a number beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t> number_in(
    const kernbench::chakra::AttributeProto& attribute);
/// Returns the whole numbers in a list of any numeric type, or nothing for anything else.
[[nodiscard]] std::optional<std::vector<std::int64_t>> numbers_in(
    const kernbench::chakra::AttributeProto& attribute);

}  // namespace kernbench::model::chakra
