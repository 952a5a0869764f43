// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "common/api.hpp"
#include "model/engine/event_handler.hpp"

namespace kernbench::model::engine {

/// One scheduled event. The queue owns it and reuses it after pop().
struct EventRecord {
  EventRecord* next;
  std::uint64_t time;     ///< ps
  EventHandler* handler;  ///< null when cancelled
  EventArgument argument;
};

/// Result of EventQueue::pop().
struct DueEvent {
  std::uint64_t time;  ///< ps
  EventHandler* handler;
  EventArgument argument;
};

/// Pending events in the order of (time, push): a hierarchical timing wheel.
///
/// Level k has one slot for each value of digit k (base 4096) of a time. It holds the events whose
/// time differs from the wheel's position in digit k, but in no higher digit. So a slot of level 0
/// holds events of a single time. Slots are only appended to, which keeps the order of pushing.
///
/// The levels are part of the object, which is therefore about 200 KB large: a Simulation, which
/// has one, nearly fills the stack of a fiber (256 KB).
class KERNBENCH_API EventQueue {
 public:
  EventQueue() = default;
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  /// Adds an event. `time` (ps) must not be earlier than the last popped event, nor than the limit
  /// of a pop() that found nothing. The record stays valid until it is popped.
  EventRecord& push(std::uint64_t time, EventHandler& handler, EventArgument argument) {
    EventRecord& record = take_record();
    record = {nullptr, time, &handler, argument};
    place(record);
    ++size_;
    return record;
  }

  /// Cancels a pending event: pop() will skip it.
  void cancel(EventRecord& record) {
    record.handler = nullptr;
    ++cancelled_;
  }

  /// Removes the earliest event if its time is at most `limit` (ps). Returns false otherwise.
  bool pop(std::uint64_t limit, DueEvent& due);

  /// Returns the number of events that are neither popped nor cancelled.
  [[nodiscard]] std::size_t size() const { return size_ - cancelled_; }

 private:
  static constexpr unsigned kDigitBits = 12;
  static constexpr std::size_t kSlots = std::size_t{1} << kDigitBits;
  static constexpr std::size_t kWords = kSlots / 64;
  static constexpr std::size_t kLevels = (64 + kDigitBits - 1) / kDigitBits;
  static constexpr std::size_t kRecordsPerChunk = 256;

  // A slot is a circular list of records, found by its last one.
  struct Level {
    std::uint64_t occupied_words;                // one bit for each word of `occupied`
    std::array<std::uint64_t, kWords> occupied;  // one bit for each slot
    std::array<EventRecord*, kSlots> last;       // valid where the bit is set
  };

  EventRecord& take_record() {
    if (free_ == nullptr) add_chunk();
    EventRecord& record = *free_;
    free_ = record.next;
    return record;
  }
  void recycle(EventRecord& record) {
    record.next = free_;
    free_ = &record;
  }
  void place(EventRecord& record);
  bool open_earliest_slot(std::uint64_t limit);
  void add_chunk();
  void mark_empty(unsigned level_index, std::size_t slot_index);
  [[nodiscard]] static std::size_t first_occupied(const Level& level) {
    const auto word = static_cast<std::size_t>(std::countr_zero(level.occupied_words));
    return word * 64 + static_cast<std::size_t>(std::countr_zero(level.occupied[word]));
  }

  std::array<Level, kLevels> levels_{};
  unsigned occupied_levels_ = 0;  // one bit for each level
  std::uint64_t position_ = 0;    // no pending event is earlier
  std::uint64_t last_due_ = 0;
  std::size_t size_ = 0;  // including cancelled events
  std::size_t cancelled_ = 0;
  EventRecord* free_ = nullptr;
  std::vector<std::unique_ptr<EventRecord[]>> chunks_;
};

inline void EventQueue::place(EventRecord& record) {
  const std::uint64_t differing = record.time ^ position_;
  const unsigned level_index =
      static_cast<unsigned>(std::bit_width(differing | 1) - 1) / kDigitBits;
  const std::size_t slot_index = (record.time >> (level_index * kDigitBits)) % kSlots;
  Level& level = levels_[level_index];
  EventRecord*& last = level.last[slot_index];
  std::uint64_t& word = level.occupied[slot_index / 64];
  const std::uint64_t bit = std::uint64_t{1} << (slot_index % 64);
  if ((word & bit) != 0) {
    record.next = last->next;
    last->next = &record;
  } else {
    word |= bit;
    level.occupied_words |= std::uint64_t{1} << (slot_index / 64);
    occupied_levels_ |= 1U << level_index;
    record.next = &record;
  }
  last = &record;
}

inline void EventQueue::mark_empty(unsigned level_index, std::size_t slot_index) {
  Level& level = levels_[level_index];
  std::uint64_t& word = level.occupied[slot_index / 64];
  word &= word - 1;  // the slot is the first occupied one
  // Branch-free: whether the word is empty now cannot be predicted.
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the slot is one of 4,096
  level.occupied_words &= ~(std::uint64_t{word == 0} << (slot_index / 64));
  if (level.occupied_words == 0) occupied_levels_ &= ~(1U << level_index);
}

}  // namespace kernbench::model::engine
