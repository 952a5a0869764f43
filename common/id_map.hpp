#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace kernbench::common {

/// Values by 64-bit id, for look-up only: nothing can be seen of their order. Open addressing with
/// linear probing; entries that come and go cost no allocation once the table has grown.
template <typename Value>
class IdMap {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }

  /// False, and changes nothing, when the id is taken.
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

  /// Null when there is none. Valid until the map is changed.
  [[nodiscard]] Value* find(std::uint64_t id) {
    const std::size_t at = position(id);
    return at == kNone ? nullptr : &slots_[at].value;
  }

  /// Takes it out; nothing when there is none.
  std::optional<Value> take(std::uint64_t id) {
    std::size_t hole = position(id);
    if (hole == kNone) return std::nullopt;
    std::optional<Value> taken(std::move(slots_[hole].value));
    // Whatever was pushed past the hole by a collision moves back, so that no search ends early.
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

  /// Fibonacci hashing: ids that follow one another, or lie a step apart, hardly ever collide.
  [[nodiscard]] std::size_t home(std::uint64_t id) const {
    return (id * 0x9e3779b97f4a7c15U) >> home_shift_;
  }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask_; }
  /// kNone when there is none.
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

  std::vector<Slot> slots_;  // a power of two of them, at most half in use
  // These follow from the number of slots, whose size is not that of a machine word.
  std::size_t mask_ = 0;     ///< bits of a place
  std::size_t half_ = 0;     ///< of the slots; so many may be in use
  unsigned home_shift_ = 0;  ///< leaves as many bits of a hash as a place has
  std::size_t size_ = 0;
};

}  // namespace kernbench::common
