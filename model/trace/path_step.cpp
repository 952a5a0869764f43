// SPDX-License-Identifier: Apache-2.0
#include "model/trace/path_step.hpp"

#include <algorithm>
#include <functional>

namespace kernbench::model::trace {

using common::SimTime;

namespace {

/// As many as a message over four wires has.
constexpr std::size_t kUsualShares = 16;

/// Orders the shares of one path by what tells them apart. Labels are literals: equal ones may be
/// at two addresses, and then stay apart.
bool comes_before(const TimeShare& a, const TimeShare& b) {
  if (a.at != b.at) return a.at < b.at;
  if (a.place != b.place) return a.place < b.place;
  if (a.use != b.use) return a.use < b.use;
  if (a.what.data() != b.what.data()) return std::less<>()(a.what.data(), b.what.data());
  if (a.own != b.own) return b.own;
  return std::less<>()(a.behind.data(), b.behind.data());
}

}  // namespace

PathStep::PathStep(const engine::Simulation& simulation, common::SimTime at, const Label& label)
    : CauseStep(simulation.cause(), at), label_(label) {
  shares_.reserve(kUsualShares);
  if (cause != nullptr) static_cast<PathStep&>(*cause).take_over(simulation.causes_apart_before());
}

void PathStep::place_in_time() {
  if (placed_) return;
  placed_ = true;
  SimTime at = begin();
  for (TimeShare& share : shares_) {
    share.at = at;
    at += share.time;
  }
}

void PathStep::take_over(SimTime not_before) {
  place_in_time();
  while (cause != nullptr && cause.use_count() == 1) {
    auto& before = static_cast<PathStep&>(*cause);
    if (before.begin() < not_before) return;
    before.place_in_time();
    before.shares_.insert(before.shares_.end(), shares_.begin(), shares_.end());
    shares_.swap(before.shares_);
    steps_ += before.steps_;
    summed_ = window_ <= before.window_ ? before.summed_ : 0;
    window_ = std::max(window_, before.window_);
    most_shares_ = std::max(most_shares_, before.most_shares_);
    cause = std::move(before.cause);
    if (shares_.size() > most_shares_) add_up();
  }
}

void PathStep::add_up() {
  SimTime window = std::max(window_, SimTime::from_ps(1));
  while ((end - begin()).ps() / window.ps() >= kMostWindows) window = window * 2;
  if (window != window_) summed_ = 0;
  window_ = window;
  cut_at_windows();
  // Only the last windows of what has been summed can have new shares.
  const auto by_time = [](const TimeShare& a, const TimeShare& b) { return a.at < b.at; };
  const auto added = shares_.begin() + static_cast<std::ptrdiff_t>(summed_);
  const auto from = std::lower_bound(shares_.begin(), added,
                                     *std::min_element(added, shares_.end(), by_time), by_time);
  std::sort(from, shares_.end(), comes_before);
  auto last = from;
  for (auto next = last + 1; next != shares_.end(); ++next) {
    if (comes_before(*last, *next)) {
      *++last = *next;
    } else {
      last->time += next->time;
    }
  }
  shares_.erase(last + 1, shares_.end());
  summed_ = shares_.size();
  most_shares_ = std::max(most_shares_, 2 * summed_);
}

void PathStep::cut_at_windows() {
  const std::int64_t window = window_.ps();
  for (std::size_t i = summed_; i < shares_.size(); ++i) {
    TimeShare rest = shares_[i];
    const std::int64_t start = rest.at.ps() & -window;
    const SimTime room = SimTime::from_ps(start + window) - rest.at;
    shares_[i].at = SimTime::from_ps(start);
    if (rest.time <= room) continue;
    shares_[i].time = room;
    rest.time = rest.time - room;
    rest.at += room;
    shares_.push_back(rest);  // reached by this loop later
  }
}

}  // namespace kernbench::model::trace
