// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "common/enum_names.hpp"
#include "common/hash.hpp"

namespace kernbench::topology {

/// How the flits of an HBM slice are spread over its channels (`memory_map.hbm_interleave`).
enum class HbmInterleave : std::uint8_t { Hash, Modulo };
inline constexpr std::array<common::EnumName<HbmInterleave>, 2> kHbmInterleaveNames = {
    {{"hash", HbmInterleave::Hash}, {"modulo", HbmInterleave::Modulo}}};
constexpr const auto& name_table(HbmInterleave /*any*/) {
  return kHbmInterleaveNames;
}

/// Returns the channel, 0 to `channels` - 1, that serves flit `flit` of a slice: offset in the
/// slice / flit_bytes (DESIGN section 5). `channels` is at least 1.
///
/// `Modulo` puts the rows of a matrix on one channel when its row stride is a multiple of
/// `channels` flits. `Hash` rotates each group of `channels` flits by a hash of the group's number,
/// so that flits in sequence still use each channel once and no stride is worse than another.
[[nodiscard]] constexpr std::uint32_t hbm_channel(HbmInterleave interleave, std::uint64_t flit,
                                                  std::uint32_t channels) {
  const std::uint64_t group = flit / channels;
  const std::uint64_t within = flit % channels;
  if (interleave == HbmInterleave::Modulo) return static_cast<std::uint32_t>(within);
  return static_cast<std::uint32_t>((within + common::mix64(group) % channels) % channels);
}

}  // namespace kernbench::topology
