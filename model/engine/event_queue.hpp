#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "model/engine/event_handler.hpp"

namespace kernbench::model::engine {

/// One scheduled event. The queue owns it; it is used again after it was
/// popped.
struct EventRecord {
  EventRecord* next;
  std::uint64_t time;     ///< ps
  EventHandler* handler;  ///< null: cancelled
  EventArgument argument;
};

/// What pop() hands out.
struct DueEvent {
  std::uint64_t time;  ///< ps
  EventHandler* handler;
  EventArgument argument;
};

/// Pending events in the order of (time, push): a hierarchical timing wheel.
/// Level k has a slot for each value of digit k (base 4096) of a time, and
/// holds the events whose highest digit that differs from the wheel's position
/// is digit k. So a slot of level 0 holds events of one time, and lists that
/// are only ever appended to keep the order in which they were pushed.
class EventQueue {
 public:
  EventQueue() = default;
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  /// `time` is not before the time of the last pop(), nor before the limit of a
  /// pop() that found nothing up to its limit. The record stays valid until it
  /// is popped.
  EventRecord& push(std::uint64_t time, EventHandler& handler, EventArgument argument) {
    EventRecord& record = take_record();
    record = {nullptr, time, &handler, argument};
    place(record);
    ++size_;
    return record;
  }

  /// The record will never be handed out. It must be pending.
  void cancel(EventRecord& record) {
    record.handler = nullptr;
    ++cancelled_;
  }

  /// Takes the earliest event out if its time is at most `limit`.
  bool pop(std::uint64_t limit, DueEvent& due);

  /// Events that are neither popped nor cancelled.
  [[nodiscard]] std::size_t size() const { return size_ - cancelled_; }

 private:
  static constexpr unsigned kDigitBits = 12;
  static constexpr std::size_t kSlots = std::size_t{1} << kDigitBits;
  static constexpr std::size_t kWords = kSlots / 64;
  static constexpr std::size_t kLevels = (64 + kDigitBits - 1) / kDigitBits;
  static constexpr std::size_t kRecordsPerChunk = 256;

  // A slot is a ring of records: the last one's `next` is the first.
  struct Level {
    std::uint64_t occupied_words;                // a bit for each word of `occupied`
    std::array<std::uint64_t, kWords> occupied;  // a bit for each slot
    std::array<EventRecord*, kSlots> last;       // meaningful where the bit is set
  };

  EventRecord& take_record() {
    if (free_ == nullptr) add_chunk();
    EventRecord& record = *free_;
    free_ = record.next;
    return record;
  }
  void give_back(EventRecord& record) {
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
  unsigned occupied_levels_ = 0;  // a bit for each level
  std::uint64_t position_ = 0;    // no pending event is earlier
  std::uint64_t last_due_ = 0;
  std::size_t size_ = 0;  // with the cancelled ones
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
  word &= word - 1;  // the slot is the first one that is occupied
  // No branch on whether that was the last one of the word: nobody could predict it.
  level.occupied_words &= ~(std::uint64_t{word == 0} << (slot_index / 64));
  if (level.occupied_words == 0) occupied_levels_ &= ~(1U << level_index);
}

}  // namespace kernbench::model::engine
