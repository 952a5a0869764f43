#pragma once

#include <cstdint>

#include "model/components/machine/pe_command.hpp"
#include "model/kernel/tile.hpp"

namespace kernbench::model::kernel {

// How a PE does the operations of kernels (docs/kernels.md has what they take). Each makes its work
// that of `command`, one after the other without allocating anything.

/// A block between HBM and TCM, by the DMA.
void set_dma(components::PeCommand& command, bool write, const TensorRef& ref);

/// Registers are filled with `in_bytes` from TCM, if there are any, used, and `out_bytes` put back.
void set_gemm(components::PeCommand& command, std::uint64_t in_bytes, std::uint64_t macs,
              std::uint64_t out_bytes);
void set_math(components::PeCommand& command, std::uint64_t in_bytes, components::MathOp op,
              std::uint64_t elements, std::uint64_t out_bytes);

}  // namespace kernbench::model::kernel
