// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "topology/spec/spec_forward.hpp"

namespace kernbench::topology {

// The way from an offset in the HBM of a cube to a slice and an offset in it
// (memory_map.hbm_mapping_mode).
//
// - per_pe: slices follow one another, slice i from i * slice bytes.
// - per_cube: stripe n, of hbm_stripe_bytes, is in row n / slices of all slices. Its slice is that
//   of channel n among as many channels as there are slices (hbm_channel()), so that hbm_interleave
//   spreads strides over slices as it does over channels.

/// Bytes in sequence in a slice. With stripes they are not in sequence in the HBM of the cube.
struct SliceBytes {
  std::uint32_t slice = 0;
  std::uint64_t offset = 0;  ///< offset of the first byte in the slice
  std::uint64_t bytes = 0;

  friend bool operator==(const SliceBytes&, const SliceBytes&) = default;
};

/// Returns the slice that holds the byte at an offset in the HBM of a cube. Without stripes, an
/// offset past the end is in a slice that does not exist.
[[nodiscard]] std::uint32_t hbm_slice_of(const MemoryMapSpec& memory, std::uint64_t offset);

/// Returns where `bytes` (at least 1) from an offset in the HBM of a cube are, at most one entry a
/// slice with stripes, in the order in which the slices appear first. Takes time in proportion to
/// the number of slices.
[[nodiscard]] std::vector<SliceBytes> hbm_slices_of(const MemoryMapSpec& memory,
                                                    std::uint64_t offset, std::uint64_t bytes);

}  // namespace kernbench::topology
