#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace kernbench::model::fabric {

/// Objects in places that stay theirs until they are given back; places are used again.
template <typename T>
class SlotPool {
 public:
  /// The place of a new object, or of one that was given back, as it was then.
  [[nodiscard]] std::uint32_t take() {
    if (free_.empty()) {
      slots_.emplace_back();
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(std::uint32_t slot) { free_.push_back(slot); }
  [[nodiscard]] T& operator[](std::uint32_t slot) { return slots_[slot]; }
  [[nodiscard]] const T& operator[](std::uint32_t slot) const { return slots_[slot]; }

 private:
  std::deque<T> slots_;  // references to its objects outlast take()
  std::vector<std::uint32_t> free_;
};

}  // namespace kernbench::model::fabric
