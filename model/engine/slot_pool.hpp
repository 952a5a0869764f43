// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace kernbench::model::engine {

/// Objects in numbered slots, which keep their addresses. Released slots are reused.
template <typename T>
class SlotPool {
 public:
  /// Returns a free slot. A reused slot holds its old contents.
  [[nodiscard]] std::uint32_t take() {
    if (free_.empty()) {
      slots_.emplace_back();
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void release(std::uint32_t slot) { free_.push_back(slot); }
  /// Returns the number of taken slots.
  [[nodiscard]] std::size_t size() const { return slots_.size() - free_.size(); }

  [[nodiscard]] T& operator[](std::uint32_t slot) { return slots_[slot]; }
  [[nodiscard]] const T& operator[](std::uint32_t slot) const { return slots_[slot]; }

 private:
  std::deque<T> slots_;  // a deque keeps references valid
  std::vector<std::uint32_t> free_;
};

}  // namespace kernbench::model::engine
