// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace kernbench::model::bench {

/// Calls a function from its own thread unless it is destroyed within a time of the host.
class HostTimeLimit {
 public:
  HostTimeLimit(std::chrono::milliseconds limit, std::function<void()> on_expiry);
  HostTimeLimit(const HostTimeLimit&) = delete;
  HostTimeLimit& operator=(const HostTimeLimit&) = delete;
  /// Waits for a call that has started.
  ~HostTimeLimit();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;  ///< last member: the thread uses all others
};

}  // namespace kernbench::model::bench
