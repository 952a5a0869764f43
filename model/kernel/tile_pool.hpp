// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <cstdint>
#include <deque>
#include <vector>

#include "common/api.hpp"
#include "model/data/op_log.hpp"
#include "model/kernel/executor.hpp"

namespace kernbench::model::kernel {

class Tl;

/// Owns the memory of the tiles of one kernel. A Tl and its tiles share the pool, so a tile may
/// outlive its Tl: close() frees the TCM, and the record of the tile stays valid until the tile is
/// destroyed. A kernel and its tiles stay in one thread, so counts are not atomic.
class KERNBENCH_API TilePool
    : public boost::intrusive_ref_counter<TilePool, boost::thread_unsafe_counter> {
 public:
  /// Columns of a buffer that an operation writes.
  struct Written {
    std::uint64_t begin = 0;                      ///< first column
    std::uint64_t end = 0;                        ///< column after the last
    std::uint32_t producer = data::OpLog::kNone;  ///< operation that wrote them, if logged
    bool done = false;                            ///< the operation is complete
  };
  /// The TCM of one tile. All copies of the tile share it.
  struct Memory {
    boost::intrusive_ptr<TilePool> pool;  ///< null while unused
    Memory* next_unused = nullptr;
    std::uint64_t pa = 0;
    std::uint64_t bytes = 0;
    std::uint32_t producer = data::OpLog::kNone;  ///< operation that made the tile
    std::uint32_t copies = 0;                     ///< tiles that share this memory
    bool is_buffer = false;                       ///< written part by part
    std::vector<Written> written;                 ///< for buffers: disjoint, in order of writing

    /// Frees memory that no tile uses any more, and the pool if nothing else uses it.
    void recycle();

    friend void intrusive_ptr_add_ref(Memory* memory) { ++memory->copies; }
    friend void intrusive_ptr_release(Memory* memory) {
      if (--memory->copies == 0) memory->recycle();
    }
  };
  using Handle = boost::intrusive_ptr<Memory>;

  /// Both must stay valid until close().
  TilePool(Tl& tl, Executor& executor) : tl_(&tl), executor_(executor) {}
  TilePool(const TilePool&) = delete;
  TilePool& operator=(const TilePool&) = delete;

  /// Returns the Tl of the tiles; null after close().
  [[nodiscard]] Tl* tl() const { return tl_; }

  /// Returns the memory of a tile of `rows` x `columns` elements; an empty tile takes no TCM.
  /// Throws std::runtime_error for a tile that is too large or whose rows do not fill their bytes,
  /// memory::OutOfMemory when the TCM is full.
  [[nodiscard, gnu::always_inline]] Handle allocate(std::uint64_t rows, std::uint64_t columns,
                                                    components::ElementSize element_bytes) {
    if (((rows | columns) >> 24U) != 0 || !element_bytes.fills(columns)) {
      check_size(rows, columns, element_bytes);
    }
    const std::uint64_t bytes = rows * columns * element_bytes;
    if (unused_ == nullptr) grow();
    Memory& memory = *unused_;
    if (bytes != 0) memory.pa = executor_.allocate(bytes);
    memory.bytes = bytes;
    memory.producer = data::OpLog::kNone;
    memory.is_buffer = false;
    memory.pool = this;
    unused_ = memory.next_unused;
    return Handle(&memory);
  }

  /// Frees the TCM of all tiles and detaches them from their Tl.
  void close();

 private:
  /// Adds an unused memory.
  void grow();
  /// Throws std::runtime_error for more than kMaxElements, and for rows that do not fill their
  /// bytes.
  static void check_size(std::uint64_t rows, std::uint64_t columns, components::ElementSize size);

  /// Limit that keeps sizes in bytes far below 2^64. Tiles with both sides below 2^24 do not exceed
  /// it.
  static constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 48U;

  Tl* tl_;
  Executor& executor_;
  std::deque<Memory> memories_;
  Memory* unused_ = nullptr;  ///< head of the list of unused memories
};

}  // namespace kernbench::model::kernel
