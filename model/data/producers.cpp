// SPDX-License-Identifier: Apache-2.0
#include "model/data/producers.hpp"

#include <iterator>

namespace kernbench::model::data {

void Producers::find(const Block& block, std::vector<std::uint32_t>& found) const {
  for_each_piece(block, [&](std::uint64_t pa, std::uint64_t bytes) {
    auto range = ranges_.upper_bound(pa);
    if (range != ranges_.begin() && std::prev(range)->second.end > pa) --range;
    for (; range != ranges_.end() && range->first < pa + bytes; ++range) {
      if (found.empty() || found.back() != range->second.record) {
        found.push_back(range->second.record);
      }
    }
  });
}

void Producers::set(const Block& block, std::uint32_t record) {
  for_each_piece(block,
                 [&](std::uint64_t pa, std::uint64_t bytes) { set(pa, pa + bytes, record); });
}

void Producers::set(std::uint64_t begin, std::uint64_t end, std::uint32_t record) {
  auto range = ranges_.upper_bound(begin);
  if (range != ranges_.begin()) {
    const auto before = std::prev(range);
    if (before->second.end > begin) {
      const Range old = before->second;
      if (before->first == begin) {
        ranges_.erase(before);
      } else {
        before->second.end = begin;
      }
      if (old.end > end) ranges_.emplace(end, old);
    }
  }
  while (range != ranges_.end() && range->first < end) {
    const Range old = range->second;
    range = ranges_.erase(range);
    if (old.end > end) {
      ranges_.emplace(end, old);
      break;
    }
  }
  ranges_.emplace(begin, Range{end, record});
}

}  // namespace kernbench::model::data
