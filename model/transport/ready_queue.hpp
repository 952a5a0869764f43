// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "common/units.hpp"

namespace kernbench::model::transport {

/// Items in the order in which they become ready; items with the same time stay in the order of
/// push(). Fast if most items are pushed in the order of their times.
template <typename T>
class ReadyQueue {
 public:
  [[nodiscard]] bool empty() const { return first_ == entries_.size(); }
  /// Returns when the first item is ready. There must be one.
  [[nodiscard]] common::SimTime ready() const { return entries_[first_].ready; }

  void push(common::SimTime ready, T item) {
    if (empty()) {
      entries_.clear();
      first_ = 0;
    } else if (first_ > kKeptPopped && 2 * first_ > entries_.size()) {
      entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    auto place = entries_.end();
    const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(first_);
    while (place != begin && std::prev(place)->ready > ready) --place;
    entries_.insert(place, {ready, std::move(item)});
  }
  /// Removes and returns the first item. There must be one.
  T pop() { return std::move(entries_[first_++].item); }

  /// Returns when the first item that satisfies `wanted` is ready; SimTime::max() without one.
  template <typename Wanted>
  [[nodiscard]] common::SimTime ready_of_first(Wanted wanted) const {
    for (std::size_t i = first_; i < entries_.size(); ++i) {
      if (wanted(entries_[i].item)) return entries_[i].ready;
    }
    return common::SimTime::max();
  }

 private:
  static constexpr std::size_t kKeptPopped = 64;  ///< popped entries that are always kept
  struct Entry {
    common::SimTime ready;
    T item;
  };
  std::vector<Entry> entries_;  ///< entries before first_ have been popped
  std::size_t first_ = 0;
};

}  // namespace kernbench::model::transport
