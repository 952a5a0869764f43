// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/link_runs.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/stimulus/log_uniform.hpp"

namespace kernbench::sim {

namespace {

constexpr std::uint32_t kNoLink = ~std::uint32_t{0};
// The pipeline of every link is full after the first run of a sweep, so that a packet waits from
// the first stall on (a link has 7 stages at most).
constexpr std::uint32_t kFirstActive = 32;
constexpr std::uint32_t kSweptOneByOne = 256;

}  // namespace

std::vector<std::uint32_t> swept_lengths(std::uint32_t longest) {
  std::vector<std::uint32_t> lengths;
  for (std::uint32_t n = 1; n <= std::min(longest, kSweptOneByOne); ++n) lengths.push_back(n);
  for (std::uint64_t n = 2 * kSweptOneByOne; n <= longest; n *= 2) {
    lengths.push_back(static_cast<std::uint32_t>(n));
  }
  if (lengths.back() != longest) lengths.push_back(longest);
  return lengths;
}

LinkRuns::LinkRuns(const maze::Shape& shape, unsigned ports, RunLengths lengths,
                   std::uint32_t longest, common::Rng rng)
    : lengths_(lengths),
      longest_(longest),
      rng_(rng),
      nodes_(shape.nodes()),
      active_(shape, ports),
      first_(std::bit_ceil(std::max(longest, kSweepActive + kFirstActive) + 1), kNoLink),
      next_(std::size_t{ports} * shape.nodes(), kNoLink) {
  if (lengths_ == RunLengths::Sweep) {
    const std::vector<std::uint32_t> once = swept_lengths(longest);
    sweep_size_ = static_cast<std::uint32_t>(once.size());
    position_.resize(next_.size());
    for (std::size_t link = 0; link < next_.size(); ++link) {
      swept_.insert(swept_.end(), once.begin(), once.end());
      const auto begin = swept_.end() - sweep_size_;
      for (std::uint32_t i = sweep_size_; i > 1; --i) {
        std::swap(begin[i - 1], begin[static_cast<std::ptrdiff_t>(rng_.below(i))]);
      }
    }
  }
  for (std::uint32_t link = 0; link < next_.size(); ++link) {
    const bool sweep = lengths_ == RunLengths::Sweep;
    const bool active = sweep || rng_.below(2) == 0;
    active_.set(link / nodes_, link % nodes_, active);
    schedule(link, length(link, active) + (sweep ? kFirstActive : 0));
  }
}

const maze::BitPlane& LinkRuns::step() {
  std::uint32_t& due = first_[now_ % first_.size()];
  for (std::uint32_t link = std::exchange(due, kNoLink); link != kNoLink;) {
    const std::uint32_t following = next_[link];
    const bool active = !active_.test(link / nodes_, link % nodes_);
    active_.set(link / nodes_, link % nodes_, active);
    schedule(link, length(link, active));
    link = following;
  }
  ++now_;
  return active_;
}

void LinkRuns::schedule(std::uint32_t link, std::uint32_t cycles) {
  std::uint32_t& head = first_[(now_ + cycles) % first_.size()];
  next_[link] = head;
  head = link;
}

std::uint32_t LinkRuns::length(std::uint32_t link, bool active) {
  if (lengths_ == RunLengths::HeavyTailed) return log_uniform(rng_, longest_);
  if (active) return static_cast<std::uint32_t>(1 + rng_.below(kSweepActive));
  return next_of_sweep(link);
}

std::uint32_t LinkRuns::next_of_sweep(std::uint32_t link) {
  const std::uint32_t at = position_[link];
  position_[link] = (at + 1) % sweep_size_;
  return swept_[std::size_t{link} * sweep_size_ + at];
}

}  // namespace kernbench::sim
