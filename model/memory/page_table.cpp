// SPDX-License-Identifier: Apache-2.0
#include "model/memory/page_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace kernbench::model::memory {

namespace {

/// Returns the end of a range. Throws std::invalid_argument if it is empty or exceeds 2^64 - 1.
std::uint64_t end_of(const char* what, std::uint64_t begin, std::uint64_t bytes) {
  if (bytes == 0) {
    throw std::invalid_argument(fmt::format("0 bytes at {} address {:#x}", what, begin));
  }
  if (bytes > std::numeric_limits<std::uint64_t>::max() - begin) {
    throw std::invalid_argument(
        fmt::format("{:#x} bytes at {} address {:#x} do not end below 2^64", bytes, what, begin));
  }
  return begin + bytes;
}

}  // namespace

void PageTable::map(std::uint64_t va, std::uint64_t pa, std::uint64_t bytes) {
  const std::uint64_t end = end_of("virtual", va, bytes);
  (void)end_of("physical", pa, bytes);
  const auto next = regions_.lower_bound(va);
  const bool is_hole = (next == regions_.begin() || std::prev(next)->second.end <= va) &&
                       (next == regions_.end() || next->first >= end);
  if (is_hole) {  // as most are: one search of the tree, where remove() takes four
    ++version_;
    regions_.emplace_hint(next, va, Region{end, pa});
    return;
  }
  remove(va, end);
  regions_.emplace(va, Region{end, pa});
}

std::uint64_t PageTable::unmap(std::uint64_t va, std::uint64_t bytes) {
  return remove(va, end_of("virtual", va, bytes));
}

std::optional<std::uint64_t> PageTable::translate(std::uint64_t va) const {
  const auto region = at_or_after(va);
  if (region == regions_.end() || region->first > va) return std::nullopt;
  return region->second.pa + (va - region->first);
}

std::vector<Translation> PageTable::translate_range(std::uint64_t va, std::uint64_t bytes) const {
  const std::uint64_t end = end_of("virtual", va, bytes);
  std::vector<Translation> stretches;
  auto region = at_or_after(va);
  while (va < end) {
    if (region == regions_.end() || region->first >= end) {
      stretches.push_back({va, end - va, std::nullopt});
      break;
    }
    if (region->first > va) {
      stretches.push_back({va, region->first - va, std::nullopt});
      va = region->first;
    }
    const std::uint64_t stop = std::min(end, region->second.end);
    const std::uint64_t pa = region->second.pa + (va - region->first);
    stretches.push_back({va, stop - va, pa});
    va = stop;
    ++region;
  }
  return stretches;
}

std::optional<std::uint64_t> PageTable::translate_whole(std::uint64_t va,
                                                        std::uint64_t bytes) const {
  const std::uint64_t end = end_of("virtual", va, bytes);
  const auto region = at_or_after(va);
  if (region == regions_.end() || region->first >= end) return va;
  if (region->first > va || region->second.end < end) return std::nullopt;
  return region->second.pa + (va - region->first);
}

Translation PageTable::stretch_at(std::uint64_t va) const {
  const auto next = regions_.upper_bound(va);
  std::uint64_t begin = 0;
  if (next != regions_.begin()) {
    const auto& [first, region] = *std::prev(next);
    if (region.end > va) return {first, region.end - first, region.pa};
    begin = region.end;
  }
  const std::uint64_t end =
      next == regions_.end() ? std::numeric_limits<std::uint64_t>::max() : next->first;
  return {begin, end - begin, std::nullopt};
}

PageTable::Regions::const_iterator PageTable::at_or_after(std::uint64_t va) const {
  const auto next = regions_.upper_bound(va);
  if (next == regions_.begin()) return next;
  const auto previous = std::prev(next);
  return previous->second.end > va ? previous : next;
}

void PageTable::split_at(std::uint64_t va) {
  const auto next = regions_.lower_bound(va);
  if (next == regions_.begin()) return;
  const auto previous = std::prev(next);
  Region& region = previous->second;
  if (region.end <= va) return;
  regions_.emplace_hint(next, va, Region{region.end, region.pa + (va - previous->first)});
  region.end = va;
}

std::uint64_t PageTable::remove(std::uint64_t va, std::uint64_t end) {
  ++version_;
  split_at(va);
  split_at(end);
  std::uint64_t bytes = 0;
  const auto last = regions_.lower_bound(end);
  for (auto region = regions_.lower_bound(va); region != last; region = regions_.erase(region)) {
    bytes += region->second.end - region->first;
  }
  return bytes;
}

}  // namespace kernbench::model::memory
