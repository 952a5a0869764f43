// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/tile_pool.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace kernbench::model::kernel {

void TilePool::check_size(std::uint64_t rows, std::uint64_t columns, components::ElementSize size) {
  if (!size.fills(columns)) {
    throw std::runtime_error(fmt::format(
        "a tile of {} x {} of i4 has rows that do not fill their bytes: the number of columns must "
        "be even",
        rows, columns));
  }
  if (columns != 0 && rows > kMaxElements / columns) {
    throw std::runtime_error(fmt::format("a tile of {} x {} is too large", rows, columns));
  }
}

void TilePool::grow() {
  Memory& memory = memories_.emplace_back();
  memory.next_unused = unused_;
  unused_ = &memory;
}

void TilePool::close() {
  tl_ = nullptr;
  for (const Memory& memory : memories_) {
    if (memory.copies != 0 && memory.bytes != 0) executor_.free(memory.pa, memory.bytes);
  }
}

void TilePool::Memory::recycle() {
  const boost::intrusive_ptr<TilePool> owner = std::move(pool);
  if (owner->tl_ == nullptr) return;
  if (bytes != 0) owner->executor_.free(pa, bytes);
  written.clear();
  next_unused = owner->unused_;
  owner->unused_ = this;
}

}  // namespace kernbench::model::kernel
