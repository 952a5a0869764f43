// SPDX-License-Identifier: Apache-2.0
#include "common/temporary_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>

namespace kernbench::common {
namespace {

/// A slot is filled only by the thread that took it from Free, and read only when Full.
struct Slot {
  enum class State : char { Free, Filling, Full };
  std::atomic<State> state{State::Free};
  std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<Slot::State>::is_always_lock_free,
              "a signal handler may only use lock-free atomics");

std::array<Slot, TemporaryFileEntry::kMaxEntries> g_slots;

}  // namespace

TemporaryFileEntry::TemporaryFileEntry(std::string_view path) {
  if (path.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < kMaxEntries; ++i) {
    Slot& slot = g_slots.at(i);
    Slot::State expected = Slot::State::Free;
    if (!slot.state.compare_exchange_strong(expected, Slot::State::Filling)) continue;
    *std::copy(path.begin(), path.end(), slot.path.begin()) = '\0';
    slot.state.store(Slot::State::Full);
    slot_ = i;
    return;
  }
}

TemporaryFileEntry::~TemporaryFileEntry() {
  if (slot_ < kMaxEntries) g_slots.at(slot_).state.store(Slot::State::Free);
}

void remove_temporary_files() {
  for (Slot& slot : g_slots) {
    if (slot.state.load() == Slot::State::Full) unlink(slot.path.data());
  }
}

}  // namespace kernbench::common
