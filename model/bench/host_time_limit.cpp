// SPDX-License-Identifier: Apache-2.0
#include "model/bench/host_time_limit.hpp"

#include <utility>

namespace kernbench::model::bench {

HostTimeLimit::HostTimeLimit(std::chrono::milliseconds limit, std::function<void()> on_expiry)
    : thread_([this, limit, act = std::move(on_expiry)] {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, limit, [this] { return stopped_; })) act();
      }) {}

HostTimeLimit::~HostTimeLimit() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

}  // namespace kernbench::model::bench
