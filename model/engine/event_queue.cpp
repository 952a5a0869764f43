// SPDX-License-Identifier: Apache-2.0
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
    EventRecord& last = *level.last[index];
    EventRecord& record = *last.next;
    if (&record == &last) {
      mark_empty(0, index);
    } else {
      last.next = record.next;
    }
    --size_;
    due = {record.time, record.handler, record.argument};
    recycle(record);
    if (due.handler != nullptr) {
      last_due_ = time;
      return true;
    }
    --cancelled_;
  }
  // Cancelled events may have moved the wheel past the caller's time. Move it back.
  if (size_ == 0) position_ = last_due_;
  return false;
}

// Moves the wheel to the earliest event when level 0 is empty. All levels below that event's slot
// are empty, so distributing the slot over them in its own order keeps the order of pushing.
bool EventQueue::open_earliest_slot(std::uint64_t limit) {
  if (occupied_levels_ == 0) return false;
  const unsigned level_index = static_cast<unsigned>(std::countr_zero(occupied_levels_));
  Level& level = levels_[level_index];
  const std::size_t index = first_occupied(level);
  EventRecord* const last = level.last[index];
  std::uint64_t earliest = last->time;
  for (const EventRecord* record = last->next; record != last; record = record->next) {
    earliest = std::min(earliest, record->time);
  }
  if (earliest > limit) return false;

  mark_empty(level_index, index);
  position_ = earliest;
  EventRecord* record = last->next;
  last->next = nullptr;
  while (record != nullptr) {
    EventRecord* const next = record->next;
    place(*record);
    record = next;
  }
  return true;
}

void EventQueue::add_chunk() {
  chunks_.push_back(std::make_unique<EventRecord[]>(kRecordsPerChunk));
  for (std::size_t i = kRecordsPerChunk; i-- > 0;) recycle(chunks_.back()[i]);
}

}  // namespace kernbench::model::engine
