// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/kernel/tl.hpp"
#include "model/runtime/device_tensor.hpp"

namespace kernbench::model::chakra {

/// Loads or stores `bytes` bytes, shared evenly by all programs of a launch: each moves pieces of
/// at most 4 KiB between its TCM and its own part of `region`, from the start again after the end,
/// with at most 4 of them in flight.
void move_bytes(kernel::Tl& tl, const runtime::TensorView& region, std::uint64_t bytes,
                bool stores);

}  // namespace kernbench::model::chakra
