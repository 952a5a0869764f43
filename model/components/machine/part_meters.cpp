// SPDX-License-Identifier: Apache-2.0
#include "model/components/machine/part_meters.hpp"

#include <algorithm>

namespace kernbench::model::components {

void PartMeters::add(topology::NodeId node, Port port, const PartWork& work) {
  std::uint32_t& number = numbers_[node.value() * kPorts + static_cast<std::size_t>(port)];
  if (number == 0) {
    parts_.push_back({node, port, {}, {}, 0, work.channels});
    number = static_cast<std::uint32_t>(parts_.size());
  }
  PartMeter& part = parts_[number - 1];
  part.busy += work.busy;
  part.longest_wait = std::max(part.longest_wait, work.waited);
  part.amount += work.amount;
}

void PartMeters::forget_waits() {
  for (PartMeter& part : parts_) part.longest_wait = {};
}

}  // namespace kernbench::model::components
