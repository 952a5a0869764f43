#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "model/engine/wait_list.hpp"

namespace kernbench::model::engine {

/// Is triggered once, and stays so until it is reset. `co_await event` (occurrence.hpp) waits for
/// it. Those who wait when it is triggered go on at that time in the order in which they came, also
/// if it is reset in between.
class Event {
 public:
  /// `name` is for the wait-for list.
  explicit Event(std::string name) : own_name_(std::move(name)), name_(own_name_.c_str()) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] bool triggered() const { return triggered_; }
  /// Does nothing when it is triggered.
  void trigger();
  void reset() { triggered_ = false; }
  /// From now on it has another name, a literal.
  void rename(const char* name) { name_ = name; }

 private:
  friend class Occurrence;
  std::string own_name_;
  const char* name_;
  bool triggered_ = false;
  WaitList waiters_;
};

}  // namespace kernbench::model::engine
