// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "common/api.hpp"
#include "model/engine/wait_list.hpp"

namespace kernbench::model::engine {

/// A condition that stays triggered until it is reset. `co_await event` (occurrence.hpp) waits for
/// it. trigger() resumes all waiting processes at the current time in order of arrival, even if the
/// event is reset before they run.
class KERNBENCH_API Event {
 public:
  /// `name` appears in the wait-for list.
  explicit Event(std::string name) : own_name_(std::move(name)), name_(own_name_.c_str()) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] bool triggered() const { return triggered_; }
  /// Triggers the event. Does nothing when it is triggered already.
  void trigger();
  void reset() { triggered_ = false; }
  /// Renames the event. `name` must be a literal.
  void rename(const char* name) { name_ = name; }

 private:
  friend class Occurrence;
  std::string own_name_;
  const char* name_;
  bool triggered_ = false;
  WaitList waiters_;
};

}  // namespace kernbench::model::engine
