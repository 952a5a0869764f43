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
    if (2 * (size_ + 1) > slots_.size()) grow();
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
    return at == slots_.size() ? nullptr : &slots_[at].value;
  }

  /// Takes it out; nothing when there is none.
  std::optional<Value> take(std::uint64_t id) {
    std::size_t hole = position(id);
    if (hole == slots_.size()) return std::nullopt;
    std::optional<Value> taken(std::move(slots_[hole].value));
    // Whatever was pushed past the hole by a collision moves back, so that no search ends early.
    for (std::size_t at = next(hole); slots_[at].used; at = next(at)) {
      const std::size_t wanted = home(slots_[at].id);
      if (((at - wanted) & mask()) < ((at - hole) & mask())) continue;
      slots_[hole] = std::move(slots_[at]);
      hole = at;
    }
    slots_[hole].used = false;
    --size_;
    return taken;
  }

 private:
  struct Slot {
    std::uint64_t id = 0;
    Value value{};
    bool used = false;
  };

  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  /// Fibonacci hashing: ids that follow one another, or lie a step apart, hardly ever collide.
  [[nodiscard]] std::size_t home(std::uint64_t id) const {
    return (id * 0x9e3779b97f4a7c15U) >> home_shift_;
  }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  /// One past the last when there is none.
  [[nodiscard]] std::size_t position(std::uint64_t id) const {
    if (slots_.empty()) return 0;
    for (std::size_t at = home(id); slots_[at].used; at = next(at)) {
      if (slots_[at].id == id) return at;
    }
    return slots_.size();
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    home_shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots_.size()));
    size_ = 0;
    for (Slot& slot : old) {
      if (slot.used) insert(slot.id, std::move(slot.value));
    }
  }

  std::vector<Slot> slots_;  // a power of two of them, at most half in use
  unsigned home_shift_ = 0;  ///< leaves as many bits of a hash as a place has
  std::size_t size_ = 0;
};

}  // namespace kernbench::common
