// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_users.hpp"

#include <algorithm>

#include "sim/stimulus/log_uniform.hpp"

namespace kernbench::sim {
namespace {

constexpr std::uint32_t kLongLone = 3;        ///< flits of the longer lone packets
constexpr std::uint64_t kHotspotPhase = 512;  ///< cycles of a hotspot that moves

}  // namespace

std::string NocCase::pattern_name() const {
  if (script) return std::string(kScriptPattern);
  if (alone) return std::string(kAlonePattern);
  if (moving_hotspot) return std::string(kMovingHotspotPattern);
  return kind != nullptr ? kind->name : "uniform_random";
}

maze::Shape plane_shape(std::uint32_t nodes) {
  return {16, std::max(2U, (nodes + 15) / 16), 1};
}

NocPorts::NocPorts(const noc::Network& network)
    : nodes_(network.nodes()),
      vcs_(network.sizes().vcs()),
      first_local_(network.channels().size()),
      slots_(network.sizes().slots) {
  reset();
}

void NocPorts::reset() {
  credits_.assign(std::size_t{nodes_} * vcs_, slots_);
  waiting_.assign(std::size_t{nodes_} * vcs_, 0);
}

void NocPorts::see(const NocOutputs& before) {
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    const std::size_t local = first_local_ + node;
    if (before.valid[local] != 0 && before.vc[local] < vcs_) {
      ++waiting_[node * vcs_ + before.vc[local]];
    }
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
      credits_[node * vcs_ + vc] += (before.credit[local] >> vc & 1U) != 0 ? 1 : 0;
    }
  }
}

void NocPorts::send(std::uint32_t node, std::uint32_t vc, noc::Flit flit, NocInputs& inputs) {
  --credits_[node * vcs_ + vc];
  inputs.valid[node] = 1;
  inputs.vc[node] = static_cast<std::uint8_t>(vc);
  inputs.flit[node] = flit;
}

void NocPorts::take(std::uint32_t node, std::uint32_t vc, NocInputs& inputs) {
  std::uint32_t& waiting = waiting_[node * vcs_ + vc];
  if (waiting == 0) return;
  --waiting;
  inputs.credit[node] |= noc::Mask{1} << vc;
}

NocUsers::NocUsers(const NocDevice& device, const NocCase& one)
    : device_(device),
      case_(one),
      packets_(device.network),
      ports_(device.network),
      traffic_(common::Rng::stream(one.seed, one.name + " traffic")),
      receivers_(plane_shape(device.network.nodes()), device.network.sizes().vcs(),
                 one.back_pressure, common::Rng::stream(one.seed, one.name + " receivers")),
      ready_(plane_shape(device.network.nodes()), device.network.sizes().vcs()),
      load_(common::probability_threshold(one.load)),
      gaps_(common::probability_threshold(one.gaps)),
      own_(common::probability_threshold(one.own_share)),
      left_(std::size_t{device.network.nodes()} * device.network.sizes().vcs()) {
  for (std::uint32_t node = 0; node < device.network.nodes(); ++node) {
    std::vector<std::uint32_t> reached = device.reached_from(node);
    if (one.kind != nullptr) {
      std::vector<std::uint32_t> wanted = one.kind->destinations(node, device.shape);
      std::erase_if(wanted, [&](std::uint32_t dst) {
        return !std::binary_search(reached.begin(), reached.end(), dst);
      });
      reached = std::move(wanted);
    }
    targets_.push_back(std::move(reached));
  }
}

void NocUsers::drive(std::uint64_t /*cycle*/, Phase phase, const NocOutputs& before,
                     NocInputs& inputs) {
  std::fill(inputs.valid.begin(), inputs.valid.end(), 0);
  std::fill(inputs.credit.begin(), inputs.credit.end(), 0);
  if (phase == Phase::Reset) {
    ports_.reset();
    std::fill(left_.begin(), left_.end(), 0);
    return;
  }
  ports_.see(before);
  if (phase == Phase::Run) {
    if (case_.moving_hotspot && cycle_ % kHotspotPhase == 0) {
      hotspot_ = static_cast<std::uint32_t>(traffic_.below(targets_.size()));
    }
    receivers_.ready(cycle_++, ready_);
  }
  const std::uint32_t vcs = device_.network.sizes().vcs();
  for (std::uint32_t node = 0; node < device_.network.nodes(); ++node) {
    for (std::uint32_t vc = 0; vc < vcs; ++vc) {
      if (phase == Phase::Drain || ready_.test(vc, node)) ports_.take(node, vc, inputs);
    }
    offer(node, phase == Phase::Run, inputs);
  }
}

/// Sends the next flit of a packet that has begun, or of a new one, on a drawn virtual channel with
/// a credit. Without `starts`, packets that have begun are finished as fast as they can be.
void NocUsers::offer(std::uint32_t node, bool starts, NocInputs& inputs) {
  const std::uint32_t vcs = device_.network.sizes().vcs();
  if (starts && !traffic_.chance(load_)) return;
  const auto first = static_cast<std::uint32_t>(traffic_.below(vcs));
  for (std::uint32_t i = 0; i < vcs; ++i) {
    const std::uint32_t vc = (first + i) % vcs;
    if (!ports_.has_credit(node, vc)) continue;
    std::uint32_t& left = left_[node * vcs + vc];
    if (left == 0) {
      if (!starts || !start(node, vc, inputs)) continue;
      return;
    }
    if (starts && traffic_.chance(gaps_)) continue;
    --left;
    ports_.send(node, vc, device_.network.flit(false, left == 0, 0, traffic_.bits64()), inputs);
    return;
  }
}

bool NocUsers::start(std::uint32_t node, std::uint32_t vc, NocInputs& inputs) {
  const std::vector<std::uint32_t>& targets = targets_[node];
  std::uint32_t dst = node;
  if (own_ != 0 && traffic_.chance(own_)) {
    dst = node;
  } else if (case_.kind != nullptr && case_.kind->hotspot &&
             traffic_.chance(common::probability_threshold(case_.hotspot_share))) {
    dst = case_.hotspot_node;
    if (!device_.network.way(node, device_.network.inputs(node) - 1, 0, dst)) return false;
  } else if (case_.moving_hotspot && traffic_.below(2) == 0 &&
             std::binary_search(targets.begin(), targets.end(), hotspot_)) {
    dst = hotspot_;
  } else {
    if (targets.empty()) return false;
    dst = targets[traffic_.below(targets.size())];
  }
  const std::uint32_t length =
      case_.shortest - 1 + log_uniform(traffic_, case_.longest - case_.shortest + 1);
  left_[node * device_.network.sizes().vcs() + vc] = length - 1;
  ports_.send(node, vc, packets_.flit(true, length == 1, {node, vc, dst}, traffic_.bits64()),
              inputs);
  return true;
}

LoneNocUsers::LoneNocUsers(const NocDevice& device)
    : device_(device), packets_(device.network), ports_(device.network) {
  for (std::uint32_t src = 0; src < device.network.nodes(); ++src) {
    for (const std::uint32_t dst : device.reached_from(src)) routes_.push_back({src, dst});
  }
}

void LoneNocUsers::drive(std::uint64_t /*cycle*/, Phase phase, const NocOutputs& before,
                         NocInputs& inputs) {
  std::fill(inputs.valid.begin(), inputs.valid.end(), 0);
  std::fill(inputs.credit.begin(), inputs.credit.end(), 0);
  if (phase == Phase::Reset) {
    ports_.reset();
    flits_left_ = wait_ = 0;
    return;
  }
  ports_.see(before);
  const std::uint32_t vcs = device_.network.sizes().vcs();
  for (std::uint32_t node = 0; node < device_.network.nodes(); ++node) {
    for (std::uint32_t vc = 0; vc < vcs; ++vc) ports_.take(node, vc, inputs);
  }
  if (flits_left_ != 0) {
    const std::uint32_t src = routes_[next_ - 1].src;
    if (!ports_.has_credit(src, 0)) return;
    --flits_left_;
    ports_.send(src, 0, device_.network.flit(false, flits_left_ == 0, 0, next_), inputs);
    return;
  }
  if (wait_ != 0) {
    --wait_;
    return;
  }
  if (next_ == routes_.size()) return;
  const Route& route = routes_[next_];
  // A longer packet follows the short one of the same route, so that each route has both.
  const std::uint32_t flits = is_long_ ? std::min(kLongLone, device_.network.sizes().slots) : 1;
  ports_.send(route.src, 0, packets_.flit(true, flits == 1, {route.src, 0, route.dst}, next_),
              inputs);
  flits_left_ = flits - 1;
  // Until the credit of the last flit is back.
  wait_ = device_.lone_latency(route.src, route.dst) + 4 + device_.network.sizes().local_stages;
  if (is_long_) ++next_;
  is_long_ = !is_long_;
}

}  // namespace kernbench::sim
