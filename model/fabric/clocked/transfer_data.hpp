// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "common/hash.hpp"

namespace kernbench::model::fabric {

/// Returns the data of packet `packet` of a transfer, `bits` (1..32) bits. The data follow from the
/// id of the transfer, so neither end has to store them.
[[nodiscard]] constexpr std::uint32_t packet_data(std::uint64_t id, std::uint64_t packet,
                                                  unsigned bits) {
  const std::uint64_t first = packet * bits;
  const auto word = [id](std::uint64_t index) {
    return common::mix64(id * 0x9e3779b97f4a7c15U + index + 1);
  };
  const auto shift = static_cast<unsigned>(first % 64);
  std::uint64_t data = word(first / 64) >> shift;
  if (shift + bits > 64) data |= word(first / 64 + 1) << (64 - shift);
  return static_cast<std::uint32_t>(data & ((std::uint64_t{1} << bits) - 1));
}

}  // namespace kernbench::model::fabric
