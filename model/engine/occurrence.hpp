// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "common/api.hpp"
#include "model/engine/event.hpp"
#include "model/engine/process.hpp"

namespace kernbench::model::engine {

/// An event that is triggered or a process that ends.
class Occurrence {
 public:
  // Implicit conversions allow all_of(event, process).
  Occurrence(Event& event) : event_(&event) {}              // NOLINT(google-explicit-constructor)
  Occurrence(ProcessHandle process) : process_(process) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool happened() const;
  /// Returns e.g. "event 'done'" or "the end of process 'dma'".
  [[nodiscard]] std::string description() const;

 private:
  friend class OccurrenceWait;
  [[nodiscard]] WaitList& waiters() const;

  Event* event_ = nullptr;
  ProcessHandle process_;
};

/// A wait for all, or for any, of several occurrences.
class KERNBENCH_API OccurrenceWait : public Wait {
 public:
  enum class Need { All, Any };

  [[nodiscard]] std::string description() const final;
  void abandon() final;
  void notified(WaitNode& node);

 protected:
  explicit OccurrenceWait(Need need) : need_(need) {}
  ~OccurrenceWait() = default;

  /// Returns true when there is nothing to wait for. Sets first_.
  bool satisfied_by(std::span<const Occurrence> occurrences);
  void enter(ProcessRecord& process, std::span<const Occurrence> occurrences,
             std::span<WaitNode> nodes);
  [[nodiscard]] std::size_t first() const { return first_; }

 private:
  Need need_;
  ProcessRecord* process_ = nullptr;
  std::span<const Occurrence> occurrences_;
  std::span<WaitNode> nodes_;
  std::size_t missing_ = 0;
  std::size_t first_ = 0;  // lowest index of an occurrence that happened
};

/// A reusable wait for one event that is not triggered yet.
class KERNBENCH_API EventWait final : public OccurrenceWait {
 public:
  EventWait() : OccurrenceWait(Need::All) {}
  void enter(ProcessRecord& process, Event& event) {
    event_.emplace(event);
    OccurrenceWait::enter(process, std::span(&*event_, 1), std::span(&node_, 1));
  }

 private:
  std::optional<Occurrence> event_;
  WaitNode node_;
};

/// Notifies all waits in the list of an occurrence, in order of arrival.
KERNBENCH_API void notify_all(WaitList& waiters);

/// Awaitable for a fixed number of occurrences.
template <OccurrenceWait::Need kNeed, std::size_t kCount>
class FixedWait final : public OccurrenceWait {
 public:
  explicit FixedWait(const std::array<Occurrence, kCount>& occurrences)
      : OccurrenceWait(kNeed), occurrences_(occurrences) {}
  [[nodiscard]] bool await_ready() { return satisfied_by(occurrences_); }
  void await_suspend(Process::Frame frame) { enter(*frame.promise().record, occurrences_, nodes_); }
  auto await_resume() const {
    if constexpr (kNeed == Need::Any) return first();
  }

 private:
  std::array<Occurrence, kCount> occurrences_;
  std::array<WaitNode, kCount> nodes_;
};

/// Awaitable for a list of occurrences, which the awaiting process must keep.
template <OccurrenceWait::Need kNeed>
class ListWait final : public OccurrenceWait {
 public:
  explicit ListWait(std::span<const Occurrence> occurrences)
      : OccurrenceWait(kNeed), occurrences_(occurrences) {}
  [[nodiscard]] bool await_ready() { return satisfied_by(occurrences_); }
  void await_suspend(Process::Frame frame) {
    ProcessRecord& process = *frame.promise().record;
    if (process.nodes.size() < occurrences_.size()) {
      process.nodes = std::vector<WaitNode>(occurrences_.size());
    }
    enter(process, occurrences_, std::span(process.nodes).first(occurrences_.size()));
  }
  auto await_resume() const {
    if constexpr (kNeed == Need::Any) return first();
  }

 private:
  std::span<const Occurrence> occurrences_;
};

/// `co_await event`, `co_await process`: waits for the occurrence. Does not suspend when it has
/// happened already. A failed or cancelled process has ended, too.
inline auto operator co_await(Event& event) {
  return FixedWait<OccurrenceWait::Need::All, 1>({Occurrence(event)});
}
inline auto operator co_await(ProcessHandle process) {
  return FixedWait<OccurrenceWait::Need::All, 1>({Occurrence(process)});
}

/// `co_await all_of(a, b, ...)`: waits until all have happened. Does not suspend when all have
/// happened already or the list is empty.
template <typename... Occurrences>
requires(std::convertible_to<Occurrences, Occurrence>&&...)
    [[nodiscard]] auto all_of(Occurrences&&... occurrences) {
  return FixedWait<OccurrenceWait::Need::All, sizeof...(Occurrences)>({Occurrence(occurrences)...});
}
[[nodiscard]] inline auto all_of(std::span<const Occurrence> occurrences) {
  return ListWait<OccurrenceWait::Need::All>(occurrences);
}

/// `co_await any_of(a, b, ...)`: waits until one has happened and returns its index, from 0. When
/// several have happened already, returns the lowest index without suspending. Throws
/// std::invalid_argument for an empty list, which would wait forever.
template <typename... Occurrences>
requires(std::convertible_to<Occurrences, Occurrence>&&...)
    [[nodiscard]] auto any_of(Occurrences&&... occurrences) {
  return FixedWait<OccurrenceWait::Need::Any, sizeof...(Occurrences)>({Occurrence(occurrences)...});
}
[[nodiscard]] inline auto any_of(std::span<const Occurrence> occurrences) {
  return ListWait<OccurrenceWait::Need::Any>(occurrences);
}

}  // namespace kernbench::model::engine
