// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace kernbench::model::engine {

/// First-in-first-out queue that allocates only when it holds more items than ever before. There
/// are very many, mostly short queues, so it keeps its cache footprint small: the object is small,
/// and an empty queue restarts at its first slot.
template <typename T>
class RingQueue {
 public:
  RingQueue() = default;
  RingQueue(RingQueue&& other) noexcept
      : slots_(std::move(other.slots_)),
        capacity_(std::exchange(other.capacity_, 0)),
        first_(std::exchange(other.first_, 0)),
        size_(std::exchange(other.size_, 0)) {}
  RingQueue& operator=(RingQueue&& other) noexcept {
    slots_.swap(other.slots_);
    std::swap(capacity_, other.capacity_);
    std::swap(first_, other.first_);
    std::swap(size_, other.size_);
    return *this;
  }
  RingQueue(const RingQueue&) = delete;
  RingQueue& operator=(const RingQueue&) = delete;
  ~RingQueue() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  void push(T item) {
    if (size_ == capacity_) grow();
    slots_[(first_ + size_) & (capacity_ - 1)] = std::move(item);
    ++size_;
  }

  /// Returns the oldest item. The queue must not be empty.
  [[nodiscard]] const T& front() const {
    if constexpr (kPlain) {
      return slots_[first_];
    } else {
      return *slots_[first_];
    }
  }
  /// Removes the oldest item. The queue must not be empty.
  T pop() {
    Slot& slot = slots_[first_];
    --size_;
    first_ = size_ == 0 ? 0 : (first_ + 1) & (capacity_ - 1);
    if constexpr (kPlain) {
      return slot;
    } else {
      T item = std::move(*slot);
      slot.reset();
      return item;
    }
  }

 private:
  static constexpr bool kPlain = std::is_trivially_copyable_v<T> &&  //
                                 std::is_default_constructible_v<T>;
  using Slot = std::conditional_t<kPlain, T, std::optional<T>>;

  void grow() {
    const std::uint32_t larger = capacity_ == 0 ? 4 : capacity_ * 2;
    std::unique_ptr<Slot[]> slots(new Slot[larger]);
    for (std::uint32_t i = 0; i < size_; ++i) {
      slots[i] = std::move(slots_[(first_ + i) & (capacity_ - 1)]);
    }
    slots_ = std::move(slots);
    capacity_ = larger;
    first_ = 0;
  }

  std::unique_ptr<Slot[]> slots_;
  std::uint32_t capacity_ = 0;  // a power of two, or 0
  std::uint32_t first_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace kernbench::model::engine
