// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/api.hpp"
#include "common/units.hpp"
#include "model/trace/hop_trace.hpp"

namespace kernbench::model::components {

/// Times of a service, and the cause of its wait.
struct Service {
  common::SimTime start;
  common::SimTime end;
  std::uint64_t behind = 0;  ///< other transaction that it waited for; 0: none
};

/// A channel of a memory or an engine: serves one request at a time, in the order of the calls.
class KERNBENCH_API ServiceChannel {
 public:
  /// Serves `transaction`, which is ready at `ready`, for `duration`. Calls must be in ascending
  /// order of `ready`.
  Service serve(common::SimTime ready, common::SimTime duration, std::uint64_t transaction) {
    Service service;
    service.start = std::max(free_, ready);
    service.end = service.start + duration;
    if (free_ > ready && holder_ != transaction) service.behind = holder_;
    free_ = service.end;
    holder_ = transaction;
    return service;
  }

 private:
  common::SimTime free_;
  std::uint64_t holder_ = 0;
};

}  // namespace kernbench::model::components
