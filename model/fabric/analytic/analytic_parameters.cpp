// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/analytic/analytic_parameters.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace kernbench::model::fabric {

void require_sound(const AnalyticParameters& parameters) {
  const auto require = [](const char* name, std::uint64_t value, std::uint64_t least) {
    if (value >= least) return;
    throw std::invalid_argument(
        fmt::format("'{}' must be at least {}, not {}", name, least, value));
  };
  require("stage_packets", parameters.stage_packets, 2);
  require("queue_packets", parameters.queue_packets, least_queue_packets(parameters));
  require("multicast_stride", parameters.multicast_stride, 1);
  require("quantum_packets", parameters.quantum_packets, 1);
}

}  // namespace kernbench::model::fabric
