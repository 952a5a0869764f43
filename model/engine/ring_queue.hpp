#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace kernbench::model::engine {

/// First in, first out; allocates only when it holds more than ever before.
template <typename T>
class RingQueue {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  void push(T item) {
    if (size_ == slots_.size()) grow();
    slots_[(first_ + size_) & (slots_.size() - 1)].emplace(std::move(item));
    ++size_;
  }

  /// The one that pop() would take. It must not be empty.
  [[nodiscard]] const T& front() const { return *slots_[first_]; }
  /// It must not be empty.
  T pop() {
    std::optional<T>& slot = slots_[first_];
    T item = std::move(*slot);
    slot.reset();
    first_ = (first_ + 1) & (slots_.size() - 1);
    --size_;
    return item;
  }

 private:
  void grow() {
    std::vector<std::optional<T>> larger(slots_.empty() ? 4 : slots_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) {
      larger[i] = std::move(slots_[(first_ + i) & (slots_.size() - 1)]);
    }
    slots_.swap(larger);
    first_ = 0;
  }

  std::vector<std::optional<T>> slots_;  // a power of two of them, or none
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace kernbench::model::engine
