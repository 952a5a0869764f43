// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/hbm_map.hpp"

#include <algorithm>

#include "topology/spec/cube_spec.hpp"

namespace kernbench::topology {

namespace {

std::uint32_t slice_of_stripe(const MemoryMapSpec& memory, std::uint64_t stripe) {
  return hbm_channel(memory.hbm_interleave, stripe, memory.slices_per_cube);
}

/// Adds bytes of one stripe, which follow those that are known of its slice.
void add_stripe(std::vector<SliceBytes>& found, const MemoryMapSpec& memory, std::uint64_t offset,
                std::uint64_t bytes) {
  const std::uint64_t stripe = offset / memory.hbm_stripe_bytes;
  const std::uint32_t slice = slice_of_stripe(memory, stripe);
  const auto known = std::find_if(found.begin(), found.end(),
                                  [slice](const SliceBytes& one) { return one.slice == slice; });
  if (known != found.end()) {
    known->bytes += bytes;
    return;
  }
  const std::uint64_t row = stripe / memory.slices_per_cube;
  found.push_back({slice, row * memory.hbm_stripe_bytes + offset % memory.hbm_stripe_bytes, bytes});
}

}  // namespace

std::uint32_t hbm_slice_of(const MemoryMapSpec& memory, std::uint64_t offset) {
  if (memory.is_striped()) return slice_of_stripe(memory, offset / memory.hbm_stripe_bytes);
  return static_cast<std::uint32_t>(offset / memory.hbm_slice_bytes());
}

std::vector<SliceBytes> hbm_slices_of(const MemoryMapSpec& memory, std::uint64_t offset,
                                      std::uint64_t bytes) {
  std::vector<SliceBytes> found;
  const std::uint64_t end = offset + bytes;
  if (!memory.is_striped()) {
    const std::uint64_t slice = memory.hbm_slice_bytes();
    while (offset < end) {
      const std::uint64_t length = std::min(end - offset, slice - offset % slice);
      found.push_back({static_cast<std::uint32_t>(offset / slice), offset % slice, length});
      offset += length;
    }
    return found;
  }
  const std::uint64_t stripe = memory.hbm_stripe_bytes;
  const std::uint64_t row = stripe * memory.slices_per_cube;
  // Every whole row but the first has a stripe of each slice, whichever that is: only the first two
  // rows and the last one are walked.
  const std::uint64_t first_whole = (offset / row + 2) * row;
  const std::uint64_t last_row = end / row * row;
  while (offset < end) {
    if (offset == first_whole && last_row > offset) {
      for (SliceBytes& one : found) one.bytes += (last_row - offset) / memory.slices_per_cube;
      offset = last_row;
      continue;
    }
    const std::uint64_t length = std::min(end - offset, stripe - offset % stripe);
    add_stripe(found, memory, offset, length);
    offset += length;
  }
  return found;
}

}  // namespace kernbench::topology
