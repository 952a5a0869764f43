// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/traffic_source.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <stdexcept>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::model::fabric {
namespace {

void require_sound(const TrafficLoad& load) {
  if (!(load.load >= 0.0 && load.load <= 1.0)) {
    throw std::invalid_argument(
        fmt::format("the load must be 0 to 1 packets per sender and cycle, not {}", load.load));
  }
  if (load.cycles == 0) throw std::invalid_argument("at least 1 cycle must be measured");
  if (load.bytes == 0) throw std::invalid_argument("transfers must have at least 1 byte");
}

}  // namespace

TrafficSource::TrafficSource(const TrafficPattern& pattern, const TrafficLoad& load,
                             std::uint64_t packets)
    : pattern_(pattern) {
  require_sound(load);
  begin_share_ = common::probability_threshold(load.load / static_cast<double>(packets));
  std::map<std::uint32_t, std::uint64_t> senders_at;  // a node can have several
  for (const std::uint32_t node : pattern.senders()) {
    const std::uint64_t index = node + senders_at[node]++ * topology::zoo::kMaxNodes;
    rngs_.push_back(common::Rng::stream(load.seed, "synthetic_traffic", index));
  }
}

void TrafficSource::draw() {
  for (std::vector<Beginning>& cycle : beginnings_) cycle.clear();
  for (std::size_t i = 0; i < rngs_.size(); ++i) {
    common::Rng rng = rngs_[i];  // a copy stays in registers
    for (std::vector<Beginning>& cycle : beginnings_) {
      if (!rng.chance(begin_share_)) continue;
      cycle.push_back({pattern_.senders()[i], pattern_.destination(i, rng)});
    }
    rngs_[i] = rng;
  }
  cycle_ = 0;
}

}  // namespace kernbench::model::fabric
