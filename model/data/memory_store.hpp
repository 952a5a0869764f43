#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>

#include "model/data/array.hpp"
#include "model/data/operation.hpp"

namespace kernbench::model::data {

/// What a replay cannot do: the run did something that no machine could.
class ReplayError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The contents of all memories, by space and physical address (Architecture, "Op Log and Memory
/// Store Schemas"). What is written stays shared with the array that it came from, and what is
/// read as a whole with the store; a later write to a part of it makes the store's bytes its own.
class MemoryStore {
 public:
  /// Throws std::invalid_argument unless the array has the block's shape and type. A transposed
  /// block cannot be written.
  void write(const Block& block, const Array& array);
  /// In the block's seen shape. Throws ReplayError when a byte of it was never written.
  [[nodiscard]] Array read(const Block& block) const;

 private:
  struct Entry {
    std::shared_ptr<const Bytes> bytes;
    std::uint64_t offset = 0;  ///< of the entry's first byte in `bytes`
    std::uint64_t size = 0;
  };
  using Entries = std::map<std::uint64_t, Entry>;  ///< by first address; disjoint

  static void write(Entries& entries, std::uint64_t pa, Entry entry);
  /// Copies into an entry that holds the whole range and more; false when there is none.
  static bool overwrite(Entries& entries, std::uint64_t pa, const Entry& entry);
  void read(Space space, std::uint64_t pa, std::uint64_t bytes, std::byte* target) const;

  std::array<Entries, 3> spaces_;
};

}  // namespace kernbench::model::data
