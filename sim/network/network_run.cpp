// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "maze/plane_bits.hpp"
#include "sim/network/network_lockstep.hpp"
#include "sim/network/network_users.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;
using maze::NetworkInputs;
using maze::Shape;

/// Cycles in which all receivers are ready and nothing is delivered, after which packets that are
/// still owed are lost or stuck.
constexpr std::uint64_t kNetworkQuietCycles = 2000;

/// A network with all checks on it.
class CheckedNetwork {
 public:
  CheckedNetwork(const NetworkLibrary& library, const NetworkCase& one)
      : dut_(library.create(one.seed)),
        config_(config_of(*dut_, one)),
        lockstep_(config_),
        oracle_(config_),
        coverage_(config_),
        outputs_(config_.shape),
        links_(config_.shape) {
    dut_->set_failed(one.failed);
  }

  [[nodiscard]] const maze::NetworkConfig& config() const { return config_; }
  [[nodiscard]] DeliveryOracle& oracle() { return oracle_; }
  [[nodiscard]] const NetworkCoverage& coverage() const { return coverage_; }
  [[nodiscard]] const maze::NetworkOutputs& outputs() const { return outputs_; }
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }
  [[nodiscard]] std::uint64_t last_delivery() const { return last_delivery_; }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  /// From now on each packet is the only one, of this source and accepted in this cycle.
  void send_alone(unsigned source) { sent_alone_ = {source, cycle_}; }
  void fail(std::string what) {
    if (failure_.empty()) failure_ = std::move(what);
  }

  /// Holds reset for `cycles`.
  void reset(const NetworkInputs& inputs, std::uint64_t cycles) {
    oracle_.forget();
    coverage_.reset(lockstep_.model());
    for (std::uint64_t i = 0; i < cycles; ++i) step(inputs, true);
    last_delivery_ = cycle_;
  }

  void step(const NetworkInputs& inputs, bool in_reset = false) {
    dut_->set_reset(in_reset);
    dut_->drive(inputs);
    dut_->settle();
    dut_->sample(outputs_);
    if (dut_->info().links) dut_->sample_links(links_);
    lockstep_.compare(in_reset, outputs_, dut_->info().links ? &links_ : nullptr);
    if (!in_reset) observe(inputs);
    lockstep_.clock(in_reset, inputs);
    if (!in_reset) coverage_.sample(lockstep_.model());
    dut_->clock_edge();
    if (!lockstep_.difference().empty()) fail(lockstep_.difference());
    ++cycle_;
  }

 private:
  static maze::NetworkConfig config_of(const NetworkDut& dut, const NetworkCase& one) {
    maze::NetworkConfig config = dut.info().config;
    config.failed = one.failed;
    return config;
  }

  void check_latency(unsigned node) {
    const auto [source, sent] = *sent_alone_;
    const unsigned expected = lone_latency(config_.shape, source, node);
    if (cycle_ - sent == expected) return;
    fail(fmt::format("cycle {}: node {} delivers {} cycles after node {} sent, not {}", cycle_,
                     node, cycle_ - sent, source, expected));
  }

  /// Checks the handshakes of this cycle. Deliveries come first: a packet takes two cycles or more.
  void observe(const NetworkInputs& inputs) {
    std::vector<std::uint64_t> stalled(config_.shape.words());
    for (unsigned word = 0; word < config_.shape.words(); ++word) {
      const std::uint64_t nodes = config_.shape.node_mask(word);
      const std::uint64_t at_b = outputs_.b_valid[word] & nodes;
      stalled[word] = at_b & ~inputs.b_ready[word];
      maze::for_each_bit(at_b & inputs.b_ready[word], word, [&](unsigned node) { deliver(node); });
      maze::for_each_bit(inputs.a_valid[word] & outputs_.a_ready[word] & nodes, word,
                         [&](unsigned node) {
                           oracle_.accept(cycle_, node, inputs.a_payload[node]);
                           coverage_.accepted(node, layout_.type(inputs.a_payload[node]));
                         });
    }
    coverage_.stalled(stalled);
  }

  void deliver(unsigned node) {
    last_delivery_ = cycle_;
    if (sent_alone_) check_latency(node);
    const maze::Payload packet = outputs_.b_payload[node];
    if (std::string wrong = oracle_.deliver(cycle_, node, packet); !wrong.empty()) {
      fail(std::move(wrong));
      return;
    }
    coverage_.delivered(layout_.node(layout_.src(packet)), node);
  }

  std::shared_ptr<NetworkDut> dut_;
  maze::NetworkConfig config_;
  maze::PacketLayout layout_{config_.shape};
  NetworkLockstep lockstep_;
  DeliveryOracle oracle_;
  NetworkCoverage coverage_;
  maze::NetworkOutputs outputs_;
  LinkSignals links_;
  std::uint64_t cycle_ = 0;
  std::uint64_t last_delivery_ = 0;
  std::optional<std::pair<unsigned, std::uint64_t>> sent_alone_;  ///< source and cycle
  std::string failure_;
};

/// Sends the case's traffic and waits for all of it.
void send_traffic(CheckedNetwork& network, const NetworkCase& one) {
  NetworkUsers users(network.config(), one);
  common::Rng rng = common::Rng::stream(one.seed, one.name + " resets");
  std::vector<std::uint64_t> resets;
  for (unsigned i = 0; i < one.resets; ++i) resets.push_back(1 + rng.below(one.cycles - 1));
  std::sort(resets.begin(), resets.end());
  std::size_t next_reset = 0;
  for (std::uint64_t sent = 0; network.failure().empty(); ++sent) {
    const bool offers = sent < one.cycles;
    if (next_reset < resets.size() && sent >= resets[next_reset]) {
      users.withdraw();
      network.reset(users.next(false), 1 + rng.below(20));
      ++next_reset;
    }
    network.step(users.next(offers));
    users.accepted(network.outputs().a_ready);
    if (offers) continue;
    if (!users.is_offering() && network.oracle().owed() == 0) return;
    if (network.cycle() - network.last_delivery() > kNetworkQuietCycles) return;
  }
}

/// Sends one packet of each source, type and target, each into an empty network.
void send_alone(CheckedNetwork& network) {
  const Shape& shape = network.config().shape;
  const maze::PacketLayout layout(shape);
  NetworkInputs inputs(shape);
  std::fill(inputs.b_ready.begin(), inputs.b_ready.end(), ~std::uint64_t{0});
  for (unsigned type = 0; type < 4; ++type) {
    for (unsigned source = 0; source < shape.nodes(); ++source) {
      for (unsigned target = 0; target < shape.nodes() && network.failure().empty(); ++target) {
        // The coordinate that a multicast does not name is that of the source.
        if (type == 1 && target / shape.nx != source / shape.nx) continue;
        if (type == 2 && target % shape.nx != source % shape.nx) continue;
        if (type == 3 && target != source) continue;
        const maze::Payload packet = layout.encode({.type = type,
                                                    .qos = (source + target) % 2,
                                                    .src = layout.address(source),
                                                    .tgt = layout.address(target),
                                                    .data = source ^ target});
        unsigned longest = 0;
        for (const unsigned node : network.oracle().named(packet)) {
          longest = std::max(longest, lone_latency(shape, source, node));
        }
        inputs.a_valid[source / 64] = std::uint64_t{1} << (source % 64);
        inputs.a_payload[source] = packet;
        network.send_alone(source);
        network.step(inputs);
        inputs.a_valid[source / 64] = 0;
        for (unsigned i = 0; i < longest; ++i) network.step(inputs);
        if (network.oracle().owed() != 0) {
          network.fail(
              fmt::format("cycle {}: {}", network.cycle(), network.oracle().owed_example()));
        }
      }
    }
  }
}

}  // namespace

unsigned lone_latency(const Shape& shape, unsigned from, unsigned to) {
  const auto hop = [](unsigned a, unsigned b, unsigned side) {
    const unsigned steps = (b + side - a) % side;
    return steps == 0 ? 0 : 2 + std::min(steps, side - steps) - 1;
  };
  return 2 + hop(from % shape.nx, to % shape.nx, shape.nx) +
         hop(from / shape.nx, to / shape.nx, shape.ny);
}

void NetworkResult::add(const NetworkResult& other) {
  outcome = common::worst(outcome, other.outcome);
  cycles += other.cycles;
  accepted += other.accepted;
  delivered += other.delivered;
  for (std::size_t qos = 0; qos < latency.size(); ++qos) {
    latency[qos].packets += other.latency[qos].packets;
    latency[qos].cycles += other.latency[qos].cycles;
    latency[qos].longest = std::max(latency[qos].longest, other.latency[qos].longest);
  }
  if (coverage && other.coverage) {
    coverage->merge(*other.coverage);
  } else if (other.coverage) {
    coverage = other.coverage;
  }
}

NetworkResult run_network_case(const NetworkLibrary& library, const NetworkCase& one) {
  CheckedNetwork network(library, one);
  network.reset(NetworkInputs(network.config().shape), 2);
  if (one.pattern == NetworkPattern::Alone) {
    send_alone(network);
  } else {
    send_traffic(network, one);
  }
  NetworkResult result;
  const DeliveryOracle& oracle = network.oracle();
  if (oracle.owed() != 0) {
    network.fail(
        fmt::format("{} copies are lost or stuck: {}", oracle.owed(), oracle.owed_example()));
  }
  result.failure = network.failure();
  result.outcome = !result.failure.empty()   ? Outcome::Mismatch
                   : oracle.delivered() == 0 ? Outcome::Vacuous
                                             : Outcome::Pass;
  result.cycles = network.cycle();
  result.accepted = oracle.accepted();
  result.delivered = oracle.delivered();
  result.coverage = network.coverage();
  result.latency = {oracle.latency(0), oracle.latency(1)};
  return result;
}

}  // namespace kernbench::sim
