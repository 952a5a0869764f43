// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/trace/hop_trace.hpp"
#include "model/transport/flit_receiver.hpp"
#include "model/transport/flits.hpp"
#include "model/transport/route_table.hpp"

namespace kernbench::model::transport {

/// A message in flight.
struct Flow {
  const Route* route = nullptr;
  Flits flits;
  std::uint64_t flit_count = 0;  ///< flits.count(), which divides
  FlitReceiver* receiver = nullptr;
  std::uint64_t message = 0;  ///< the receiver's number for it
  Notify notify = Notify::EachFlit;
  std::uint64_t departed = 0;  ///< flits that have left the source or have been handed over
  std::uint64_t reported = 0;  ///< flits reported; with FirstAndLast only the first one counts
  trace::Label label;

  [[nodiscard]] bool is_unreported(std::uint64_t index) const {
    return notify == Notify::FirstAndLast && index > 0 && index + 1 < flit_count;
  }
  /// Returns the number of the next flit to be reported. Flits arrive in order, and unreported ones
  /// are dropped.
  std::uint64_t report_next() {
    if (notify == Notify::FirstAndLast && reported > 0) return flit_count - 1;
    return reported++;
  }
};

}  // namespace kernbench::model::transport
