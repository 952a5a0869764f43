#pragma once

#include <algorithm>
#include <cstdint>

#include "common/units.hpp"
#include "model/trace/hop_trace.hpp"

namespace kernbench::model::components {

/// When something is served, and what it waited for.
struct Service {
  common::SimTime start;
  common::SimTime end;
  std::uint64_t behind = 0;  ///< the other transaction that it had to wait for; 0 is none
};

/// Serves one thing at a time, in the order of asking: a channel of a memory, an engine.
class ServiceChannel {
 public:
  /// `transaction` is ready at `ready` and takes `duration`. To be called in the order of
  /// readiness.
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
