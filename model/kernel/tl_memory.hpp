#pragma once

#include <fmt/format.h>

#include "model/kernel/kernel_error.hpp"
#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

// The memory of tiles: inline, as kernels get some and give it back with nearly every operation.

/// No tile has more: sizes in bytes stay far below 2^64.
inline constexpr std::uint64_t kMostElements = std::uint64_t{1} << 48U;

/// Whether a tile has too many; sides below 2^24 need no division.
inline bool too_many(std::uint64_t rows, std::uint64_t columns) {
  return ((rows | columns) >> 24U) != 0 && columns != 0 && rows > kMostElements / columns;
}

[[gnu::always_inline]] inline Tile Tl::allocate(const char* op, std::uint64_t rows,
                                                std::uint64_t columns, DataType type,
                                                const SourceLine& line) {
  if (too_many(rows, columns)) {
    throw KernelError(op, line, fmt::format("a tile of {} x {}", rows, columns));
  }
  if (spare_memory_ == nullptr) add_memory();
  Tile::Memory& memory = *spare_memory_;
  memory.bytes = rows * columns * bytes_of(type);
  memory.producer = data::OpLog::kNone;
  try {
    if (memory.bytes != 0) memory.pa = executor_.allocate(memory.bytes);
  } catch (const memory::OutOfMemory& error) {
    throw KernelError(op, line, error.what());
  }
  spare_memory_ = memory.next_spare;
  return {&memory, type, rows, columns};
}

}  // namespace kernbench::model::kernel
