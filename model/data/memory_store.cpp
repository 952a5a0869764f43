// SPDX-License-Identifier: Apache-2.0
#include "model/data/memory_store.hpp"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <utility>

#include "model/data/producers.hpp"

namespace kernbench::model::data {

void MemoryStore::write(const Block& block, const Array& array) {
  if (block.transposed || array.rows() != block.rows || array.columns() != block.columns ||
      array.type() != block.type) {
    throw std::invalid_argument(
        fmt::format("{} x {} of {} cannot be written to a block of {} x {} of {}", array.rows(),
                    array.columns(), data::name_of(array.type()), block.rows, block.columns,
                    data::name_of(block.type)));
  }
  Entries& entries = spaces_.at(static_cast<std::size_t>(block.space));
  std::uint64_t offset = 0;
  for_each_piece(block, [&](std::uint64_t pa, std::uint64_t bytes) {
    write(entries, pa, {array.shared_bytes(), offset, bytes});
    offset += bytes;
  });
}

void MemoryStore::write(Entries& entries, std::uint64_t pa, Entry entry) {
  if (overwrite(entries, pa, entry)) return;
  const std::uint64_t end = pa + entry.size;
  auto next = entries.lower_bound(pa);
  if (next != entries.begin()) {
    auto& [begin, before] = *std::prev(next);
    if (begin + before.size > pa) before.size = pa - begin;  // it cannot end after the new entry
  }
  while (next != entries.end() && next->first < end) {
    Entry old = next->second;
    const std::uint64_t old_end = next->first + old.size;
    const std::uint64_t cut = end - next->first;
    next = entries.erase(next);
    if (old_end > end) {
      old.offset += cut;
      old.size -= cut;
      entries.emplace(end, std::move(old));
      break;
    }
  }
  entries.insert_or_assign(pa, std::move(entry));
}

bool MemoryStore::overwrite(Entries& entries, std::uint64_t pa, const Entry& entry) {
  auto holder = entries.upper_bound(pa);
  if (holder == entries.begin()) return false;
  --holder;
  Entry& old = holder->second;
  const std::uint64_t within = pa - holder->first;
  if (within + entry.size > old.size || entry.size == old.size) return false;
  if (old.bytes.use_count() != 1) {
    const auto first = old.bytes->begin() + static_cast<std::ptrdiff_t>(old.offset);
    old.bytes = std::make_shared<Bytes>(first, first + static_cast<std::ptrdiff_t>(old.size));
    old.offset = 0;
  }
  // The entry is the only owner of these bytes, and all bytes are created non-const.
  auto& bytes = const_cast<Bytes&>(*old.bytes);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  std::memcpy(bytes.data() + old.offset + within, entry.bytes->data() + entry.offset, entry.size);
  return true;
}

Array MemoryStore::read(const Block& block) const {
  const Entries& entries = spaces_.at(static_cast<std::size_t>(block.space));
  std::shared_ptr<const Bytes> whole;
  if (block.stretches.size() == 1 && block.columns == block.row_stride) {
    const auto entry = entries.find(block.stretches.front().pa);
    if (entry != entries.end() && entry->second.bytes->size() == block.bytes() &&
        entry->second.size == block.bytes()) {
      whole = entry->second.bytes;
    }
  }
  if (!whole) {
    Bytes bytes(block.bytes());
    std::uint64_t offset = 0;
    for_each_piece(block, [&](std::uint64_t pa, std::uint64_t size) {
      read(block.space, pa, size, bytes.data() + offset);
      offset += size;
    });
    whole = std::make_shared<Bytes>(std::move(bytes));
  }
  Array array(block.type, block.rows, block.columns, std::move(whole));
  return block.transposed ? array.transposed() : array;
}

void MemoryStore::read(Space space, std::uint64_t pa, std::uint64_t bytes,
                       std::byte* target) const {
  const Entries& entries = spaces_.at(static_cast<std::size_t>(space));
  auto entry = entries.upper_bound(pa);
  if (entry != entries.begin()) --entry;
  const std::uint64_t end = pa + bytes;
  std::uint64_t at = pa;
  for (; at < end && entry != entries.end() && entry->first <= at; ++entry) {
    const std::uint64_t entry_end = entry->first + entry->second.size;
    if (entry_end <= at) continue;
    const std::uint64_t size = std::min(end, entry_end) - at;
    std::memcpy(target + (at - pa),
                entry->second.bytes->data() + entry->second.offset + (at - entry->first), size);
    at += size;
  }
  if (at < end) {
    throw ReplayError(fmt::format("read of {} bytes at {} {:#x}: nothing was written at {:#x}",
                                  bytes, data::name_of(space), pa, at));
  }
}

}  // namespace kernbench::model::data
