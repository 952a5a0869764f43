// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace kernbench::common {

/// An index whose type keeps it apart from other indices: `using NodeId = StrongId<struct
/// NodeTag>;`
template <typename Tag, typename Rep = std::uint32_t>
class StrongId {
 public:
  constexpr StrongId() = default;
  explicit constexpr StrongId(Rep value) : value_(value) {}

  [[nodiscard]] constexpr Rep value() const { return value_; }
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of a <=> b < 0 for a pointer
  friend constexpr auto operator<=>(StrongId, StrongId) = default;

 private:
  Rep value_ = 0;
};

}  // namespace kernbench::common
