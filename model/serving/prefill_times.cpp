// SPDX-License-Identifier: Apache-2.0
#include "model/serving/prefill_times.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <set>

#include "model/bench/transformer/kernels.hpp"

namespace kernbench::model::serving {

using common::SimTime;

namespace {

constexpr std::uint64_t kTile = 8;  ///< rows

std::uint64_t round_up(std::uint64_t number, std::uint64_t to) {
  return (number + to - 1) / to * to;
}

std::uint64_t shared_rows(std::uint64_t pes) {
  return bench::transformer::kRowsOfAPe * pes;
}

/// Returns the last rows of the tiles of up to `last` tokens that PEs do not share.
std::vector<std::uint64_t> tile_ends(std::uint64_t last, std::uint64_t shared) {
  std::vector<std::uint64_t> ends;
  for (std::uint64_t begin = 0; begin < std::min(last, shared - 1); begin += kTile) {
    ends.push_back(std::min(begin + kTile, shared - 1));
  }
  return ends;
}

/// Returns numbers of rows that PEs share evenly, from `shared` on a quarter of the power of two
/// below apart, while they are below `last`.
std::vector<std::uint64_t> even_rows(std::uint64_t last, std::uint64_t shared) {
  std::vector<std::uint64_t> rows;
  for (std::uint64_t octave = shared; octave < last; octave *= 2) {
    for (std::uint64_t quarter = 0; quarter < 4; ++quarter) {
      if (const std::uint64_t at = octave + octave / 4 * quarter; at < last) rows.push_back(at);
    }
  }
  return rows;
}

/// Returns the first row of the first tile behind a power of two that is at most `end`.
std::uint64_t first_of_octave(std::uint64_t end) {
  return std::bit_floor(end - 1) + 1;
}

}  // namespace

std::vector<std::uint64_t> PrefillTimes::lengths(std::uint64_t last, std::uint64_t pes) {
  const std::uint64_t shared = shared_rows(pes);
  std::set<std::uint64_t> lengths = {1, kTile / 2};
  for (const std::uint64_t end : tile_ends(last, shared)) {
    lengths.insert(end);
    if (end > kTile) lengths.insert(first_of_octave(end));
  }
  for (const std::uint64_t rows : even_rows(last, shared)) {
    lengths.insert(rows);
    lengths.insert(rows + 1);
  }
  if (last >= shared) lengths.insert(round_up(last, pes));
  return {lengths.begin(), lengths.end()};
}

PrefillTimes::PrefillTimes(const std::map<std::uint64_t, SimTime>& times, std::uint64_t last,
                           std::uint64_t pes)
    : shared_(shared_rows(pes)), pes_(pes) {
  few_.add(1, times.at(1));
  few_.add(kTile / 2, times.at(kTile / 2));
  for (const std::uint64_t end : tile_ends(last, shared_)) {
    const SimTime time = times.at(end);
    if (end > kTile) {
      const std::uint64_t begin = (end - 1) / kTile * kTile + 1;
      const std::uint64_t first = first_of_octave(end);
      const std::uint64_t first_end = std::min(first + kTile - 1, shared_ - 1);
      Polyline rise;
      rise.add(static_cast<std::int64_t>(first), times.at(first));
      rise.add(static_cast<std::int64_t>(first_end), times.at(first_end));
      few_.add(static_cast<std::int64_t>(begin),
               time - (rise.at(static_cast<std::int64_t>(first + end - begin)) - times.at(first)));
    }
    few_.add(static_cast<std::int64_t>(end), time);
  }
  if (last < shared_) return;
  const std::vector<std::uint64_t> rows = even_rows(last, shared_);
  for (const std::uint64_t even : rows) even_.add(static_cast<std::int64_t>(even), times.at(even));
  const std::uint64_t most = round_up(last, pes);
  even_.add(static_cast<std::int64_t>(most), times.at(most));
  for (const std::uint64_t even : rows) {
    excess_[even] = times.at(even + 1) - even_.at(static_cast<std::int64_t>(even + pes));
  }
}

SimTime PrefillTimes::operator()(std::uint64_t tokens) const {
  if (tokens < shared_) return few_.at(static_cast<std::int64_t>(tokens));
  const SimTime even = even_.at(static_cast<std::int64_t>(round_up(tokens, pes_)));
  const std::uint64_t more = tokens % pes_;  // PEs with one row more than the others
  if (more == 0 || 2 * (more - 1) >= pes_) return even;
  const auto pes = static_cast<std::int64_t>(pes_);
  const std::int64_t excess = std::prev(excess_.upper_bound(tokens - more))->second.ps();
  return even + SimTime::from_ps(excess * (pes - 2 * static_cast<std::int64_t>(more - 1)) / pes);
}

}  // namespace kernbench::model::serving
