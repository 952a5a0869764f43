// SPDX-License-Identifier: Apache-2.0
#include "model/trace/path_step.hpp"

#include <algorithm>
#include <functional>

namespace kernbench::model::trace {

namespace {

/// As many as a message over four wires has.
constexpr std::size_t kUsualShares = 16;

/// Orders the shares of one path by what tells them apart. Labels are literals: equal ones may be
/// at two addresses, and then stay apart.
bool comes_before(const TimeShare& a, const TimeShare& b) {
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

void PathStep::take_over(common::SimTime not_before) {
  while (cause != nullptr && cause.use_count() == 1) {
    auto& before = static_cast<PathStep&>(*cause);
    if (before.begin() < not_before) return;
    before.shares_.insert(before.shares_.end(), shares_.begin(), shares_.end());
    shares_.swap(before.shares_);
    steps_ += before.steps_;
    in_order_ = in_order_ && before.in_order_;
    sorted_ = before.sorted_;
    most_shares_ = std::max(most_shares_, before.most_shares_);
    cause = std::move(before.cause);
    if (shares_.size() > most_shares_) add_up();
  }
}

void PathStep::add_up() {
  const auto added = shares_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  std::sort(added, shares_.end(), comes_before);
  std::inplace_merge(shares_.begin(), added, shares_.end(), comes_before);
  auto last = shares_.begin();
  for (auto next = last + 1; next != shares_.end(); ++next) {
    if (comes_before(*last, *next)) {
      *++last = *next;
    } else {
      last->time += next->time;
    }
  }
  shares_.erase(last + 1, shares_.end());
  most_shares_ = std::max(most_shares_, 4 * shares_.size());
  sorted_ = shares_.size();
  in_order_ = false;
}

}  // namespace kernbench::model::trace
