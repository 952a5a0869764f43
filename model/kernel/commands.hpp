// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/components/machine/pe_command.hpp"
#include "model/kernel/tile.hpp"

namespace kernbench::model::kernel {

// The work of a PE for each operation of kernels; docs/kernels.md gives the latencies. Each
// function overwrites the work of `command`. A reused command allocates no memory.

/// Copies a matrix between HBM and TCM by DMA.
void set_dma(components::PeCommand& command, bool write, const TensorRef& ref);

/// Fetches `bytes` from TCM into registers.
void set_fetch(components::PeCommand& command, std::uint64_t bytes);
/// Copies `rows` rows of a matrix by DMA, each in an access of its own, after fetching their
/// numbers (i32). The rows accessed have equal distances, as the numbers are unknown.
void set_dma_of_rows(components::PeCommand& command, bool write, const TensorRef& matrix,
                     std::uint64_t rows);

/// Fetches `in_bytes` from TCM into registers, computes, and stores `out_bytes` to TCM.
void set_gemm(components::PeCommand& command, std::uint64_t in_bytes, std::uint64_t macs,
              std::uint64_t out_bytes);
void set_math(components::PeCommand& command, std::uint64_t in_bytes, components::MathOp op,
              std::uint64_t elements, std::uint64_t out_bytes);

}  // namespace kernbench::model::kernel
