// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace kernbench::model::transport {

/// A message cut into flits of `flit_bytes`; the last one has the remaining bytes.
struct Flits {
  std::uint64_t bytes = 0;       ///< size of the message; at least 1
  std::uint32_t flit_bytes = 1;  ///< at least 1

  [[nodiscard]] std::uint64_t count() const { return (bytes + flit_bytes - 1) / flit_bytes; }
  /// Returns index + 1 == count(), without a division.
  [[nodiscard]] bool is_last(std::uint64_t index) const {
    return (index + 1) * flit_bytes >= bytes;
  }
  [[nodiscard]] std::uint32_t size(std::uint64_t index) const {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(flit_bytes, bytes - index * flit_bytes));
  }
};

}  // namespace kernbench::model::transport
