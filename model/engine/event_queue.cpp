#include "model/engine/event_queue.hpp"

#include <algorithm>

namespace kernbench::model::engine {

bool EventQueue::pop(std::uint64_t limit, DueEvent& due) {
  for (;;) {
    if ((occupied_levels_ & 1U) == 0) {
      if (!open_earliest_slot(limit)) break;
    }
    Level& level = levels_[0];
    const std::size_t index = first_occupied(level);
    const std::uint64_t time = (position_ & ~std::uint64_t{kSlots - 1}) | index;
    if (time > limit) return false;
    position_ = time;
    Slot& slot = level.slots[index];
    EventRecord& record = *slot.first;
    slot.first = record.next;
    if (slot.first == nullptr) {
      level.occupied[index / 64] &= ~(std::uint64_t{1} << (index % 64));
      if (std::all_of(level.occupied.begin(), level.occupied.end(),
                      [](std::uint64_t word) { return word == 0; })) {
        occupied_levels_ &= ~1U;
      }
    }
    --size_;
    due = {record.time, record.handler, record.argument};
    give_back(record);
    if (due.handler != nullptr) {
      last_due_ = time;
      return true;
    }
    --cancelled_;
  }
  // Cancelled events may have moved the wheel past the caller's time.
  if (size_ == 0) position_ = last_due_;
  return false;
}

// Moves the wheel to the earliest event when level 0 is empty. All levels below the slot's are
// empty, so spreading the slot over them in its own order keeps the order of pushing.
bool EventQueue::open_earliest_slot(std::uint64_t limit) {
  if (occupied_levels_ == 0) return false;
  const unsigned level_index = static_cast<unsigned>(std::countr_zero(occupied_levels_));
  Level& level = levels_[level_index];
  const std::size_t index = first_occupied(level);
  EventRecord* record = level.slots[index].first;
  std::uint64_t earliest = record->time;
  for (const EventRecord* other = record->next; other != nullptr; other = other->next) {
    earliest = std::min(earliest, other->time);
  }
  if (earliest > limit) return false;

  level.occupied[index / 64] &= ~(std::uint64_t{1} << (index % 64));
  if (std::all_of(level.occupied.begin(), level.occupied.end(),
                  [](std::uint64_t word) { return word == 0; })) {
    occupied_levels_ &= ~(1U << level_index);
  }
  position_ = earliest;
  while (record != nullptr) {
    EventRecord* next = record->next;
    record->next = nullptr;
    place(*record);
    record = next;
  }
  return true;
}

std::size_t EventQueue::first_occupied(const Level& level) {
  std::size_t word = 0;
  while (level.occupied[word] == 0) ++word;
  return word * 64 + static_cast<std::size_t>(std::countr_zero(level.occupied[word]));
}

void EventQueue::add_chunk() {
  chunks_.push_back(std::make_unique<EventRecord[]>(kRecordsPerChunk));
  for (std::size_t i = kRecordsPerChunk; i-- > 0;) give_back(chunks_.back()[i]);
}

}  // namespace kernbench::model::engine
