#pragma once

#include <string>
#include <utility>

#include "model/engine/wait_list.hpp"

namespace kernbench::model::engine {

/// Is triggered once, and stays so until it is reset. `co_await event` (occurrence.hpp) waits for
/// it. Those who wait when it is triggered go on at that time in the order in which they came, also
/// if it is reset in between.
class Event {
 public:
  /// `name` is for the wait-for list.
  explicit Event(std::string name) : name_(std::move(name)) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool triggered() const { return triggered_; }
  /// Does nothing when it is triggered.
  void trigger();
  void reset() { triggered_ = false; }

 private:
  friend class Occurrence;
  std::string name_;
  bool triggered_ = false;
  WaitList waiters_;
};

}  // namespace kernbench::model::engine
