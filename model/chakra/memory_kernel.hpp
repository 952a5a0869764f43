// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/kernel/tl.hpp"
#include "model/runtime/device_tensor.hpp"

namespace kernbench::model::chakra {

/// Type of the region of move_bytes().
inline constexpr data::DataType kMemoryElement = data::DataType::F32;

/// Loads or stores `bytes` bytes, shared evenly by all programs of a launch. Each moves pieces of
/// at most 64 KiB between its TCM and its own part of `region`, from the start again after the end,
/// with at most 4 of them in flight. A store makes its first piece on the math engine, and stores
/// it again and again.
void move_bytes(kernel::Tl& tl, const runtime::TensorView& region, std::uint64_t bytes,
                bool stores);

}  // namespace kernbench::model::chakra
