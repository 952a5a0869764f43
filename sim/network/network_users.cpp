// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_users.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/network/network_scoreboard.hpp"
#include "sim/stimulus/log_uniform.hpp"

namespace kernbench::sim {
namespace {

constexpr std::uint64_t kTargetPhase = 512;  ///< cycles of a permutation or hotspot
constexpr std::uint64_t kDetourPhase = 32;   ///< cycles of a source's detours to one row

}  // namespace

NetworkUsers::NetworkUsers(const maze::NetworkConfig& config, const NetworkCase& one)
    : config_(config),
      case_(one),
      layout_(config.shape),
      traffic_(common::Rng::stream(one.seed, one.name + " traffic")),
      receivers_(config.shape, 1, one.back_pressure,
                 common::Rng::stream(one.seed, one.name + " receivers")),
      ready_in_reset_(one.seed),
      every_(config.shape, 1),
      nodes_(config.shape.nodes()),
      targets_(config.shape.nodes()) {
  std::iota(targets_.begin(), targets_.end(), 0U);
  for (unsigned w = 0; w < every_.size(); ++w) every_[w] = config.shape.node_mask(w);
  if (one.idle != IdleTimes::Load) {
    active_.emplace(
        config.shape, 1,
        one.idle == IdleTimes::LengthSweep ? RunLengths::Sweep : RunLengths::HeavyTailed,
        one.longest_idle, common::Rng::stream(one.seed, one.name + " idle"));
  }
  if (one.kind != nullptr) destinations_ = destinations_of(*one.kind, config.shape);
}

void NetworkUsers::drive(std::uint64_t /*cycle*/, Phase phase, const maze::BitPlane& source_fired,
                         maze::TopoInputs& inputs) {
  ready_in_reset_.drive(phase == Phase::Reset, every_, inputs.in_ready);
  if (phase == Phase::Reset) {
    inputs.out_valid.clear();
    for (Node& node : nodes_) node.burst = 0;
    return;
  }
  for (unsigned w = 0; w < source_fired.size(); ++w) inputs.out_valid[w] &= ~source_fired[w];
  if (cycle_ % kTargetPhase == 0) {
    for (std::size_t i = targets_.size(); i > 1; --i) {
      std::swap(targets_[i - 1], targets_[traffic_.below(i)]);
    }
    hotspot_ = static_cast<unsigned>(traffic_.below(nodes_.size()));
  }
  if (phase == Phase::Run) {
    const maze::BitPlane& active = active_ ? active_->step() : every_;
    for (unsigned node = 0; node < nodes_.size(); ++node) {
      if (node == config_.failed || inputs.out_valid.test(0, node)) continue;
      if (active.test(0, node)) offer(node, inputs);
    }
    receivers_.ready(cycle_, inputs.in_ready);
    if (case_.stall_each != 0) {
      const std::uint64_t node = cycle_ / case_.stall_each % nodes_.size();
      inputs.in_ready.set(0, static_cast<unsigned>(node), false);
    }
  } else {
    inputs.in_ready = every_;
  }
  ++cycle_;
}

/// Offers the next packet of a burst. Each cycle between bursts starts the next with the
/// probability that gives the load.
void NetworkUsers::offer(unsigned node, maze::TopoInputs& inputs) {
  Node& own = nodes_[node];
  if (own.burst == 0) {
    if (own.length == 0) own.length = log_uniform(traffic_, case_.longest_burst);
    const double idle = static_cast<double>(own.length) * (1.0 / case_.load - 1.0);
    if (!traffic_.chance(common::probability_threshold(1.0 / (1.0 + idle)))) return;
    own.burst = std::exchange(own.length, 0);
  }
  --own.burst;
  inputs.out_valid.set(0, node);
  inputs.out_payload[node] = draw(node);
}

maze::Payload NetworkUsers::draw(unsigned node) {
  const bool multicast = traffic_.chance(common::probability_threshold(case_.multicasts));
  maze::PacketFields fields;
  fields.type = multicast ? 1 + static_cast<unsigned>(traffic_.below(3)) : 0;
  fields.qos = traffic_.chance(common::probability_threshold(case_.high)) ? 1 : 0;
  fields.src = layout_.address(node);
  unsigned target = draw_target(node);
  while (fields.type == 0 && target == config_.failed) {
    target = static_cast<unsigned>(traffic_.below(nodes_.size()));
  }
  fields.tgt = layout_.address(target);
  fields.data = static_cast<std::uint32_t>(traffic_.bits64());
  return layout_.encode(fields);
}

unsigned NetworkUsers::draw_target(unsigned node) {
  const auto any = static_cast<unsigned>(traffic_.below(nodes_.size()));
  switch (case_.pattern) {
    case NetworkPattern::Alone:
      return any;
    case NetworkPattern::Kind: {
      if (case_.kind == nullptr) return any;
      if (case_.kind->hotspot &&
          traffic_.chance(common::probability_threshold(case_.hotspot_share))) {
        return case_.hotspot_node;
      }
      const std::vector<std::uint32_t>& own = destinations_[node];
      return own.empty() ? node : own[any % own.size()];
    }
    case NetworkPattern::DrawnPermutation:
      return targets_[node];
    case NetworkPattern::MovingHotspot:
      return traffic_.below(4) == 0 ? hotspot_ : any;
    case NetworkPattern::Detours:
      break;
  }
  // Half of the packets go to the failed column: from the failed row by detours, which turn at
  // nodes whose own packets want the same output. A source stays with a row for a while, so that
  // both come as often.
  const unsigned nx = config_.shape.nx;
  const unsigned failed = config_.failed.value_or(0);
  const unsigned row =
      node / nx == failed / nx
          ? static_cast<unsigned>((cycle_ / kDetourPhase + node) % config_.shape.ny)
          : node / nx;
  return traffic_.below(2) == 0 ? row * nx + failed % nx : any;
}

void LoneUsers::drive(std::uint64_t /*cycle*/, Phase phase, const maze::BitPlane& source_fired,
                      maze::TopoInputs& inputs) {
  for (unsigned w = 0; w < inputs.in_ready.size(); ++w) {
    inputs.in_ready[w] = shape_.node_mask(w);
    inputs.out_valid[w] &= ~source_fired[w];
  }
  if (phase == Phase::Reset) inputs.out_valid.clear();
  const bool is_offering = std::any_of(inputs.out_valid.begin(), inputs.out_valid.end(),
                                       [](std::uint64_t word) { return word != 0; });
  if (phase == Phase::Reset || is_offering) return;
  if (wait_ != 0) {
    --wait_;
    return;
  }
  if (type_ == 4) return;
  const maze::Payload packet = layout_.encode({.type = type_,
                                               .qos = (source_ + target_) % 2,
                                               .src = layout_.address(source_),
                                               .tgt = layout_.address(target_),
                                               .data = source_ ^ target_});
  inputs.out_valid.set(0, source_);
  inputs.out_payload[source_] = packet;
  for (const unsigned node : oracle_.named(packet)) {
    wait_ = std::max(wait_, lone_latency(shape_, source_, node));
  }
  do {
    step();
  } while (type_ != 4 && is_repeated());
}

void LoneUsers::step() {
  if (++target_ < shape_.nodes()) return;
  target_ = 0;
  if (++source_ < shape_.nodes()) return;
  source_ = 0;
  ++type_;
}

bool LoneUsers::is_repeated() const {
  const bool other_x = target_ % shape_.nx != source_ % shape_.nx;
  const bool other_y = target_ / shape_.nx != source_ / shape_.nx;
  return (type_ == 1 && other_y) || (type_ == 2 && other_x) || (type_ == 3 && (other_x || other_y));
}

}  // namespace kernbench::sim
