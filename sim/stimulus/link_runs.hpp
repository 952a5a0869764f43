// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/random.hpp"
#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// Lengths of the runs of a link.
enum class RunLengths {
  HeavyTailed,  ///< active and passive runs: log-uniform from 1 to `longest`
  Sweep,  ///< passive runs: each of swept_lengths(longest) in turn; active ones: short, random
};

/// Longest active run of a sweep, in cycles.
inline constexpr std::uint32_t kSweepActive = 96;

/// Returns the lengths of a sweep: 1 to 256, every higher power of two, and `longest` at the end.
[[nodiscard]] std::vector<std::uint32_t> swept_lengths(std::uint32_t longest);

/// Every link alternates between active and passive runs, whose lengths it draws for itself. Work
/// is done only for the links that change in a cycle.
class LinkRuns {
 public:
  /// `longest` is 1 or more.
  LinkRuns(const maze::Shape& shape, RunLengths lengths, std::uint32_t longest, common::Rng rng)
      : LinkRuns(shape, shape.ports(), lengths, longest, rng) {}
  /// Has `ports` ports at each node in place of links.
  LinkRuns(const maze::Shape& shape, unsigned ports, RunLengths lengths, std::uint32_t longest,
           common::Rng rng);

  /// Returns the links that are active in the next cycle. Must be called once per cycle.
  const maze::BitPlane& step();

 private:
  void schedule(std::uint32_t link, std::uint32_t cycles);
  [[nodiscard]] std::uint32_t length(std::uint32_t link, bool active);
  std::uint32_t next_of_sweep(std::uint32_t link);

  RunLengths lengths_;
  std::uint32_t longest_;
  common::Rng rng_;
  unsigned nodes_;
  maze::BitPlane active_;
  std::uint64_t now_ = 0;
  // The links that change in cycle c are a list that starts at first_[c mod size].
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> swept_;     ///< Sweep: the lengths, in random order, link by link
  std::vector<std::uint32_t> position_;  ///< Sweep: next length of each link
  std::uint32_t sweep_size_ = 0;
};

}  // namespace kernbench::sim
