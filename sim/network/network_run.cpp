// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "sim/check/rtl_reports.hpp"
#include "sim/dut/code_coverage.hpp"
#include "sim/network/network_users.hpp"

namespace kernbench::sim {
namespace {

using common::Outcome;
using maze::NetworkInputs;
using maze::Shape;

/// Cycles in which all receivers are ready and nothing is delivered, after which packets that are
/// still owed are lost or stuck.
constexpr std::uint64_t kNetworkQuietCycles = 2000;

/// Sends the case's traffic and waits for all of it.
void send_traffic(CheckedNetwork& network, const NetworkCase& one) {
  NetworkUsers users(network.config(), one);
  common::Rng rng = common::Rng::stream(one.seed, one.name + " resets");
  std::vector<std::uint64_t> resets;
  for (unsigned i = 0; i < one.resets; ++i) resets.push_back(1 + rng.below(one.cycles - 1));
  std::sort(resets.begin(), resets.end());
  std::size_t next_reset = 0;
  for (std::uint64_t sent = 0; !network.is_over(); ++sent) {
    const bool offers = sent < one.cycles;
    if (next_reset < resets.size() && sent >= resets[next_reset]) {
      users.withdraw();
      if (rng.below(2) == 0) {
        network.pulse_reset();
      } else {
        network.reset(users.next(false), 1 + rng.below(20));
      }
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
      for (unsigned target = 0; target < shape.nodes() && !network.is_over(); ++target) {
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
          const NetworkFailure owed = network.oracle().owed_example();
          network.fail(
              {fmt::format("cycle {}: {}", network.cycle(), owed.text), network.cycle(), owed.at});
        }
      }
    }
  }
}

}  // namespace

void NetworkResult::add(const NetworkResult& other) {
  outcome = common::worst(outcome, other.outcome);
  cycles += other.cycles;
  accepted += other.accepted;
  delivered += other.delivered;
  traffic.merge(other.traffic);
  seconds += other.seconds;
  if (coverage && other.coverage) {
    coverage->merge(*other.coverage);
  } else if (other.coverage) {
    coverage = other.coverage;
  }
}

NetworkResult run_network_case(const NetworkLibrary& library, const NetworkCase& one,
                               const NetworkTrace* trace, const std::string& code_coverage) {
  const auto start = std::chrono::steady_clock::now();
  const std::shared_ptr<NetworkDut> dut = library.create(one.seed);
  CheckedNetwork network(dut, one.failed);
  if (trace != nullptr) network.trace(*trace);
  network.reset(NetworkInputs(network.config().shape), 2);
  if (one.pattern == NetworkPattern::Alone) {
    send_alone(network);
  } else {
    send_traffic(network, one);
  }
  NetworkResult result;
  const DeliveryOracle& oracle = network.oracle();
  if (oracle.owed() != 0) {
    const NetworkFailure owed = oracle.owed_example();
    network.fail({fmt::format("{} copies are lost or stuck: {}", oracle.owed(), owed.text),
                  network.cycle() - 1, owed.at});
  }
  network.finish();
  network.close_trace();
  if (!code_coverage.empty()) write_code_coverage(*dut, library.names(), code_coverage);
  result.rtl_text = rtl_text(network.rtl());
  result.failure = network.failure();
  if (network.has_failed()) {
    result.outcome = Outcome::Mismatch;
  } else if (oracle.delivered() == 0) {
    result.failure.text = "nothing was delivered";
  } else {
    result.outcome = Outcome::Pass;
  }
  result.cycles = network.cycle();
  result.accepted = oracle.accepted();
  result.delivered = oracle.delivered();
  result.coverage = network.coverage();
  result.traffic = network.traffic();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace kernbench::sim
