// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/units.hpp"
#include "model/serving/polyline.hpp"

namespace kernbench::model::serving {

/// Times of prefills, composed from those of some lengths.
///
/// Few tokens are rows that each PE multiplies with its own columns, in tiles of up to 8 rows. So
/// the time rises with the rows of a tile and jumps at the next one. It rises alike in all tiles
/// between two powers of two. In the first tile it rises less at the first rows.
///
/// Many tokens are rows that the PEs share. If one PE has a row more than the others, that takes
/// longer than if all had it, because the PE waits for all weights alone. The excess vanishes when
/// half of the PEs have the row.
class PrefillTimes {
 public:
  /// Returns the lengths, ascending, whose times are needed for up to `last` tokens on `pes` PEs
  /// of a cube. The largest may exceed `last`.
  [[nodiscard]] static std::vector<std::uint64_t> lengths(std::uint64_t last, std::uint64_t pes);

  PrefillTimes() = default;
  /// Takes the times of lengths(last, pes), by length.
  PrefillTimes(const std::map<std::uint64_t, common::SimTime>& times, std::uint64_t last,
               std::uint64_t pes);

  /// Returns the time of 1 to `last` tokens.
  [[nodiscard]] common::SimTime operator()(std::uint64_t tokens) const;

 private:
  std::uint64_t shared_ = 0;  ///< PEs share this number of rows, and more
  std::uint64_t pes_ = 1;
  Polyline few_;                                     ///< by tokens below shared_
  Polyline even_;                                    ///< by tokens that all PEs share evenly
  std::map<std::uint64_t, common::SimTime> excess_;  ///< time of one row more, by the even rows
};

}  // namespace kernbench::model::serving
