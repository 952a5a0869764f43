// SPDX-License-Identifier: Apache-2.0
#include "model/memory/page_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

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

/// Returns the first mapping that ends after `va`.
Mappings::const_iterator ends_after(const Mappings& mappings, std::uint64_t va) {
  return std::partition_point(mappings.begin(), mappings.end(), [va](const Mapping& mapping) {
    return mapping.va + mapping.bytes <= va;
  });
}

}  // namespace

void PageTable::map(std::uint64_t va, std::uint64_t pa, std::uint64_t bytes) {
  map(std::make_shared<const Mappings>(Mappings{{va, pa, bytes}}));
}

void PageTable::map(const std::shared_ptr<const Mappings>& mappings) {
  if (mappings->empty()) return;
  bool ascending = true;
  std::uint64_t end = mappings->front().va;
  for (const Mapping& mapping : *mappings) {
    ascending = ascending && mapping.va >= end;
    end = end_of("virtual", mapping.va, mapping.bytes);
    (void)end_of("physical", mapping.pa, mapping.bytes);
  }
  const std::uint64_t begin = mappings->front().va;
  const auto is_free = [&] {
    const auto next = at_or_after(begin);
    return !next || next->va >= end;
  };
  if (mappings->size() == 1 || (ascending && is_free())) {
    const auto where = remove(begin, end);
    parts_.insert(where, {begin, end, mappings});
    return;
  }
  for (const Mapping& mapping : *mappings) map(mapping.va, mapping.pa, mapping.bytes);
}

std::uint64_t PageTable::unmap(std::uint64_t va, std::uint64_t bytes) {
  const std::uint64_t end = end_of("virtual", va, bytes);
  std::uint64_t mapped = 0;
  for (auto region = at_or_after(va); region && region->va < end;) {
    const std::uint64_t region_end = region->va + region->bytes;
    mapped += std::min(region_end, end) - std::max(region->va, va);
    region = at_or_after(region_end);
  }
  (void)remove(va, end);
  return mapped;
}

std::optional<std::uint64_t> PageTable::translate(std::uint64_t va) const {
  const auto region = at_or_after(va);
  if (!region || region->va > va) return std::nullopt;
  return *region->pa + (va - region->va);
}

std::vector<Translation> PageTable::translate_range(std::uint64_t va, std::uint64_t bytes) const {
  const std::uint64_t end = end_of("virtual", va, bytes);
  std::vector<Translation> stretches;
  while (va < end) {
    const auto region = at_or_after(va);
    if (!region || region->va >= end) {
      stretches.push_back({va, end - va, std::nullopt});
      break;
    }
    if (region->va > va) {
      stretches.push_back({va, region->va - va, std::nullopt});
      va = region->va;
    }
    const std::uint64_t stop = std::min(end, region->va + region->bytes);
    stretches.push_back({va, stop - va, *region->pa + (va - region->va)});
    va = stop;
  }
  return stretches;
}

std::optional<std::uint64_t> PageTable::translate_whole(std::uint64_t va,
                                                        std::uint64_t bytes) const {
  const std::uint64_t end = end_of("virtual", va, bytes);
  const auto region = at_or_after(va);
  if (!region || region->va >= end) return va;
  if (region->va > va || region->va + region->bytes < end) return std::nullopt;
  return *region->pa + (va - region->va);
}

Translation PageTable::stretch_at(std::uint64_t va) const {
  const auto region = at_or_after(va);
  if (region && region->va <= va) return *region;
  const std::uint64_t begin = end_before(va);
  const std::uint64_t end = region ? region->va : std::numeric_limits<std::uint64_t>::max();
  return {begin, end - begin, std::nullopt};
}

std::size_t PageTable::regions() const {
  std::size_t count = 0;
  for (auto region = at_or_after(0); region; region = at_or_after(region->va + region->bytes)) {
    ++count;
  }
  return count;
}

PageTable::Parts::const_iterator PageTable::part_at_or_after(std::uint64_t va) const {
  return std::partition_point(parts_.begin(), parts_.end(),
                              [va](const Part& part) { return part.end <= va; });
}

std::optional<Translation> PageTable::at_or_after(std::uint64_t va) const {
  for (auto part = part_at_or_after(va); part != parts_.end(); ++part) {
    const auto mapping = ends_after(*part->mappings, std::max(va, part->begin));
    if (mapping == part->mappings->end() || mapping->va >= part->end) continue;
    const std::uint64_t begin = std::max(mapping->va, part->begin);
    const std::uint64_t end = std::min(mapping->va + mapping->bytes, part->end);
    return Translation{begin, end - begin, mapping->pa + (begin - mapping->va)};
  }
  return std::nullopt;
}

std::uint64_t PageTable::end_before(std::uint64_t va) const {
  auto part = part_at_or_after(va);
  if (part != parts_.end() && part->begin < va) ++part;
  while (part != parts_.begin()) {
    --part;
    const std::uint64_t until = std::min(va, part->end);
    const auto behind =
        std::partition_point(part->mappings->begin(), part->mappings->end(),
                             [until](const Mapping& mapping) { return mapping.va < until; });
    if (behind == part->mappings->begin()) continue;
    const Mapping& last = *std::prev(behind);
    const std::uint64_t end = std::min(last.va + last.bytes, until);
    if (end > part->begin) return end;
  }
  return 0;
}

PageTable::Parts::iterator PageTable::remove(std::uint64_t va, std::uint64_t end) {
  ++version_;
  // Returns the index of the first part from `at` on.
  const auto split_at = [this](std::uint64_t at) {
    const auto index = part_at_or_after(at) - parts_.cbegin();
    const auto found = parts_.begin() + index;
    if (found == parts_.end() || found->begin >= at) return index;
    Part first = *found;
    first.end = at;
    found->begin = at;
    parts_.insert(found, std::move(first));
    return index + 1;
  };
  const auto first = split_at(va);
  const auto last = split_at(end);
  return parts_.erase(parts_.begin() + first, parts_.begin() + last);
}

}  // namespace kernbench::model::memory
