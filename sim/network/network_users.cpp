// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_users.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/stimulus/log_uniform.hpp"

namespace kernbench::sim {
namespace {

constexpr std::uint64_t kTargetPhase = 512;  ///< cycles of a permutation or hotspot
constexpr std::uint64_t kDetourPhase = 32;   ///< cycles of a source's detours to one row
constexpr std::uint32_t kLongestUserStall = 1000;
/// Cycles for which one or all receivers stall; the packets that wait there need some to arrive.
constexpr std::uint64_t kSteadyStall = 1200;

}  // namespace

NetworkUsers::NetworkUsers(const maze::NetworkConfig& config, const NetworkCase& one)
    : config_(config),
      case_(one),
      layout_(config.shape),
      traffic_(common::Rng::stream(one.seed, one.name + " traffic")),
      receivers_(common::Rng::stream(one.seed, one.name + " receivers")),
      inputs_(config.shape),
      nodes_(config.shape.nodes()),
      targets_(config.shape.nodes()) {
  std::iota(targets_.begin(), targets_.end(), 0U);
  if (one.kind != nullptr) destinations_ = destinations_of(*one.kind, config.shape);
}

const maze::NetworkInputs& NetworkUsers::next(bool offers) {
  if (cycle_ % kTargetPhase == 0) {
    for (std::size_t i = targets_.size(); i > 1; --i) {
      std::swap(targets_[i - 1], targets_[traffic_.below(i)]);
    }
    hotspot_ = static_cast<unsigned>(traffic_.below(nodes_.size()));
  }
  for (unsigned node = 0; offers && node < nodes_.size(); ++node) {
    if (node != config_.failed && (inputs_.a_valid[node / 64] >> (node % 64) & 1U) == 0) {
      offer(node);
    }
  }
  if (offers) {
    receive();
  } else {
    std::fill(inputs_.b_ready.begin(), inputs_.b_ready.end(), ~std::uint64_t{0});
  }
  ++cycle_;
  return inputs_;
}

/// Offers the next packet of a burst. Each cycle between bursts starts the next with the
/// probability that gives the load.
void NetworkUsers::offer(unsigned node) {
  Node& own = nodes_[node];
  if (own.burst == 0) {
    if (own.length == 0) own.length = log_uniform(traffic_, case_.longest_burst);
    const double idle = static_cast<double>(own.length) * (1.0 / case_.load - 1.0);
    if (!traffic_.chance(common::probability_threshold(1.0 / (1.0 + idle)))) return;
    own.burst = std::exchange(own.length, 0);
  }
  --own.burst;
  inputs_.a_valid[node / 64] |= std::uint64_t{1} << (node % 64);
  inputs_.a_payload[node] = draw(node);
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

/// Sets which receivers are ready in this cycle.
void NetworkUsers::receive() {
  std::fill(inputs_.b_ready.begin(), inputs_.b_ready.end(), ~std::uint64_t{0});
  const auto stall = [&](unsigned node) {
    inputs_.b_ready[node / 64] &= ~(std::uint64_t{1} << (node % 64));
  };
  switch (case_.stalls) {
    case NetworkStalls::None:
      return;
    case NetworkStalls::Random:
      for (std::uint64_t& ready : inputs_.b_ready) ready = receivers_.bits64();
      return;
    case NetworkStalls::Long:
      for (unsigned node = 0; node < nodes_.size(); ++node) {
        Node& own = nodes_[node];
        if (own.stall == 0) {
          own.stall = log_uniform(receivers_, kLongestUserStall);
          own.ready = !own.ready;
        }
        --own.stall;
        if (!own.ready) stall(node);
      }
      return;
    case NetworkStalls::All:
      if (cycle_ / kSteadyStall % 2 == 1)
        std::fill(inputs_.b_ready.begin(), inputs_.b_ready.end(), 0);
      return;
    case NetworkStalls::One:
      stall(static_cast<unsigned>(cycle_ / kSteadyStall % nodes_.size()));
      return;
  }
}

void NetworkUsers::accepted(const std::vector<std::uint64_t>& ready) {
  for (std::size_t word = 0; word < ready.size(); ++word) inputs_.a_valid[word] &= ~ready[word];
}

void NetworkUsers::withdraw() {
  std::fill(inputs_.a_valid.begin(), inputs_.a_valid.end(), 0);
  for (Node& node : nodes_) node.burst = 0;
}

bool NetworkUsers::is_offering() const {
  return std::any_of(inputs_.a_valid.begin(), inputs_.a_valid.end(),
                     [](std::uint64_t word) { return word != 0; });
}

}  // namespace kernbench::sim
