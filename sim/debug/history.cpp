// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/history.hpp"

#include <fmt/format.h>

#include <utility>

#include "sim/report/number_text.hpp"

namespace kernbench::sim {
namespace {

std::string stretch_text(const char* what, const Stretch& stretch) {
  if (stretch.cycles == 0) return {};
  const std::string length = counted(stretch.cycles, "cycle");
  if (stretch.ago == 0) return fmt::format("{} for {}", what, length);
  return fmt::format("{} for {} until {} before", what, length, counted(stretch.ago, "cycle"));
}

}  // namespace

std::string History::text() const {
  std::string text =
      fmt::format("Before it, {} had taken {} in {} since ", place,
                  packets == 0 ? "no " + noun : counted(packets, noun), counted(cycles, "cycle"));
  text += resets <= 1 ? "the reset at the start" : fmt::format("the last of {} resets", resets);
  for (const std::string& part :
       {stretch_text("been stalled", stall), stretch_text("been idle", idle)}) {
    if (!part.empty()) text += ", " + part;
  }
  return text + fmt::format(", and held {}.", held == 0 ? "none" : counted(held, noun));
}

void HistoryCounter::Run::count(bool goes_on, std::uint64_t cycle) {
  if (!goes_on) return;
  cycles = end == cycle ? cycles + 1 : 1;
  end = cycle + 1;
}

HistoryCounter::HistoryCounter(const UnitReference& reference) : noun_(reference.texts().noun) {
  for (const std::string& name : reference.places()) {
    places_.emplace_back().name = name;
  }
}

void HistoryCounter::count(const UnitReference& reference, bool in_reset) {
  ++cycle_;
  if (in_reset) {
    if (!std::exchange(in_reset_, true)) ++resets_;
    since_reset_ = 0;
    for (Place& place : places_) place = {std::move(place.name), 0, {}, {}, 0};
    return;
  }
  in_reset_ = false;
  ++since_reset_;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    const Activity& now = reference.activity()[i];
    place.packets += now.loads ? 1 : 0;
    place.stall.count(now.stalls, cycle_);
    place.idle.count(now.idles, cycle_);
    place.held = now.held;
  }
}

History HistoryCounter::of(unsigned place) const {
  const Place& one = places_[place];
  const std::uint64_t next = cycle_ + 1;
  return {one.name,     one.packets, one.stall.at(next), one.idle.at(next),
          since_reset_, resets_,     one.held,           noun_};
}

}  // namespace kernbench::sim
