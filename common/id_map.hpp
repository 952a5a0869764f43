// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace kernbench::common {

/// Maps 64-bit ids to values; it cannot be iterated, so no result depends on its order. Uses open
/// addressing with linear probing. Inserting and removing do not allocate once the table has grown.
template <typename Value>
class IdMap {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Inserts `value` under `id`. Returns false and changes nothing if `id` already exists.
  bool insert(std::uint64_t id, Value value) {
    if (size_ == half_) grow();
    std::size_t at = home(id);
    for (; slots_[at].used; at = next(at)) {
      if (slots_[at].id == id) return false;
    }
    slots_[at] = {id, std::move(value), true};
    ++size_;
    return true;
  }

  /// Returns the value of `id`, or null if there is none. The pointer is valid until the next
  /// insert() or take().
  [[nodiscard]] Value* find(std::uint64_t id) {
    const std::size_t at = position(id);
    return at == kNone ? nullptr : &slots_[at].value;
  }

  /// Removes and returns the value of `id`; returns std::nullopt if there is none.
  std::optional<Value> take(std::uint64_t id) {
    std::size_t hole = position(id);
    if (hole == kNone) return std::nullopt;
    std::optional<Value> taken(std::move(slots_[hole].value));
    // Move entries that a collision displaced past the hole back, so that no search stops at it.
    for (std::size_t at = next(hole); slots_[at].used; at = next(at)) {
      const std::size_t wanted = home(slots_[at].id);
      if (((at - wanted) & mask_) < ((at - hole) & mask_)) continue;
      slots_[hole] = std::move(slots_[at]);
      hole = at;
    }
    slots_[hole].used = false;
    --size_;
    return taken;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Slot {
    std::uint64_t id = 0;
    Value value{};
    bool used = false;
  };

  /// Returns the preferred slot of `id` (Fibonacci hashing). Consecutive or evenly spaced ids
  /// rarely collide.
  [[nodiscard]] std::size_t home(std::uint64_t id) const {
    return (id * 0x9e3779b97f4a7c15U) >> home_shift_;
  }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask_; }
  /// Returns the slot of `id`, or kNone.
  [[nodiscard]] std::size_t position(std::uint64_t id) const {
    if (size_ == 0) return kNone;
    for (std::size_t at = home(id); slots_[at].used; at = next(at)) {
      if (slots_[at].id == id) return at;
    }
    return kNone;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    half_ = slots_.size() / 2;
    home_shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots_.size()));
    size_ = 0;
    for (Slot& slot : old) {
      if (slot.used) insert(slot.id, std::move(slot.value));
    }
  }

  std::vector<Slot> slots_;  ///< a power of two in number, at most half of them used
  // Derived from slots_.size() once per growth: size() divides by sizeof(Slot) on every call.
  std::size_t mask_ = 0;     ///< slot count - 1
  std::size_t half_ = 0;     ///< largest number of used slots
  unsigned home_shift_ = 0;  ///< shift that reduces a hash to a slot index
  std::size_t size_ = 0;
};

}  // namespace kernbench::common
