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
  if (regions_.empty() || regions_.back().end <= va) {
    ++version_;
    regions_.push_back({va, end, pa});
    return;
  }
  remove(va, end);
  regions_.insert(from(va), {va, end, pa});
}

std::uint64_t PageTable::unmap(std::uint64_t va, std::uint64_t bytes) {
  return remove(va, end_of("virtual", va, bytes));
}

std::optional<std::uint64_t> PageTable::translate(std::uint64_t va) const {
  const auto region = at_or_after(va);
  if (region == regions_.end() || region->begin > va) return std::nullopt;
  return region->pa + (va - region->begin);
}

std::vector<Translation> PageTable::translate_range(std::uint64_t va, std::uint64_t bytes) const {
  const std::uint64_t end = end_of("virtual", va, bytes);
  std::vector<Translation> stretches;
  auto region = at_or_after(va);
  while (va < end) {
    if (region == regions_.end() || region->begin >= end) {
      stretches.push_back({va, end - va, std::nullopt});
      break;
    }
    if (region->begin > va) {
      stretches.push_back({va, region->begin - va, std::nullopt});
      va = region->begin;
    }
    const std::uint64_t stop = std::min(end, region->end);
    const std::uint64_t pa = region->pa + (va - region->begin);
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
  if (region == regions_.end() || region->begin >= end) return va;
  if (region->begin > va || region->end < end) return std::nullopt;
  return region->pa + (va - region->begin);
}

Translation PageTable::stretch_at(std::uint64_t va) const {
  const auto region = at_or_after(va);
  if (region != regions_.end() && region->begin <= va) {
    return {region->begin, region->end - region->begin, region->pa};
  }
  const std::uint64_t begin = region == regions_.begin() ? 0 : std::prev(region)->end;
  const std::uint64_t end =
      region == regions_.end() ? std::numeric_limits<std::uint64_t>::max() : region->begin;
  return {begin, end - begin, std::nullopt};
}

PageTable::Regions::iterator PageTable::from(std::uint64_t va) {
  return std::partition_point(regions_.begin(), regions_.end(),
                              [va](const Region& region) { return region.begin < va; });
}

PageTable::Regions::const_iterator PageTable::at_or_after(std::uint64_t va) const {
  return std::partition_point(regions_.begin(), regions_.end(),
                              [va](const Region& region) { return region.end <= va; });
}

void PageTable::split_at(std::uint64_t va) {
  const auto next = from(va);
  if (next == regions_.begin()) return;
  Region& region = *std::prev(next);
  if (region.end <= va) return;
  const Region rest{va, region.end, region.pa + (va - region.begin)};
  region.end = va;
  regions_.insert(next, rest);
}

std::uint64_t PageTable::remove(std::uint64_t va, std::uint64_t end) {
  ++version_;
  split_at(va);
  split_at(end);
  const auto first = from(va);
  const auto last = std::find_if(first, regions_.end(),
                                 [end](const Region& region) { return region.begin >= end; });
  std::uint64_t bytes = 0;
  for (auto region = first; region != last; ++region) bytes += region->end - region->begin;
  regions_.erase(first, last);
  return bytes;
}

}  // namespace kernbench::model::memory
