// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "common/units.hpp"

namespace kernbench::model::engine {

/// Thrown when a process ends with an exception, which is nested in this one.
class ProcessError : public std::runtime_error {
 public:
  ProcessError(const std::string& process, common::SimTime at, const std::string& reason);

  [[nodiscard]] const std::string& process() const { return process_; }

 private:
  std::string process_;
};

/// An entry of the wait-for list.
struct WaitingProcess {
  std::string process;
  std::string waits_for;  ///< e.g. "event 'done'"
  bool is_service;
};

/// Thrown when processes wait but no event is scheduled.
class Deadlock : public std::runtime_error {
 public:
  Deadlock(common::SimTime at, std::vector<WaitingProcess> waiting);

  /// Returns all waiting processes in order of spawning, services last.
  [[nodiscard]] const std::vector<WaitingProcess>& waiting() const { return waiting_; }

 private:
  std::vector<WaitingProcess> waiting_;
};

}  // namespace kernbench::model::engine
