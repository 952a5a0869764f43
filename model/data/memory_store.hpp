// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>

#include "model/data/array.hpp"
#include "model/data/operation.hpp"

namespace kernbench::model::data {

/// An operation that a replay cannot execute, such as a read of unwritten memory.
class ReplayError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The contents of all memories, by space and physical address (Architecture, "Op Log and Memory
/// Store Schemas"). Written arrays, and arrays read as a whole, share their bytes with the store. A
/// later write to a part of them copies the store's bytes first.
class MemoryStore {
 public:
  /// Throws std::invalid_argument unless the array has the block's shape and type, and for
  /// transposed blocks.
  void write(const Block& block, const Array& array);
  /// Returns the elements of a block, transposed if the block is. Throws ReplayError when a byte
  /// was never written.
  [[nodiscard]] Array read(const Block& block) const;

 private:
  struct Entry {
    std::shared_ptr<const Bytes> bytes;
    std::uint64_t offset = 0;  ///< position of the entry's first byte in `bytes`
    std::uint64_t size = 0;
  };
  using Entries = std::map<std::uint64_t, Entry>;  ///< by first address; disjoint

  static void write(Entries& entries, std::uint64_t pa, Entry entry);
  /// Copies into an entry that is larger than the range and contains it. Returns false when there
  /// is none.
  static bool overwrite(Entries& entries, std::uint64_t pa, const Entry& entry);
  void read(Space space, std::uint64_t pa, std::uint64_t bytes, std::byte* target) const;

  std::array<Entries, 3> spaces_;
};

}  // namespace kernbench::model::data
