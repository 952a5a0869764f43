// SPDX-License-Identifier: Apache-2.0
#include "sim/network/checked_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "maze/plane_bits.hpp"
#include "sim/check/rtl_reports.hpp"

namespace kernbench::sim {
namespace {

maze::NetworkConfig config_of(const NetworkDut& dut, std::optional<unsigned> failed) {
  maze::NetworkConfig config = dut.info().config;
  config.failed = failed;
  return config;
}

}  // namespace

CheckedNetwork::CheckedNetwork(std::shared_ptr<NetworkDut> dut, std::optional<unsigned> failed)
    : dut_(std::move(dut)),
      config_(config_of(*dut_, failed)),
      layout_(config_.shape),
      lockstep_(config_),
      oracle_(config_),
      coverage_(config_),
      traffic_(config_.shape),
      handshakes_(config_.shape),
      waits_(config_.shape),
      packets_(config_.shape),
      stalls_(config_.shape),
      outputs_(config_.shape),
      links_(config_.shape) {
  dut_->set_failed(failed);
}

void CheckedNetwork::trace(const NetworkTrace& trace) {
  dut_->open_trace(wave_.emplace(trace.path).written_path());
  trace_ = trace;
}

void CheckedNetwork::close_trace() {
  if (!wave_) return;
  dut_->close_trace();
  wave_->commit();
}

void CheckedNetwork::reset(const maze::NetworkInputs& inputs, std::uint64_t cycles) {
  oracle_.forget();
  coverage_.reset(lockstep_.model());
  for (std::uint64_t i = 0; i < cycles; ++i) cycle(inputs, true);
  last_delivery_ = cycle_;
}

void CheckedNetwork::pulse_reset() {
  oracle_.forget();
  coverage_.reset(lockstep_.model());
  for (const bool asserted : {true, false}) {
    dut_->set_reset(asserted);
    dut_->settle();
  }
  read_checkers();  // of the edge before
  lockstep_.forget_packets();
  last_delivery_ = cycle_;
}

void CheckedNetwork::cycle(const maze::NetworkInputs& inputs, bool in_reset) {
  if (trace_) dut_->enable_trace(cycle_ >= trace_->first && cycle_ <= trace_->last);
  dut_->set_reset(in_reset);
  dut_->drive(inputs);
  dut_->settle();
  read_checkers();
  dut_->sample(outputs_);
  if (dut_->info().links) dut_->sample_links(links_);
  lockstep_.compare(in_reset, outputs_, dut_->info().links ? &links_ : nullptr);
  if (trace_) dut_->annotate(lockstep_.expected(trace_->shown));
  if (!in_reset) observe(inputs);
  lockstep_.clock(in_reset, inputs);
  if (!in_reset) coverage_.sample(lockstep_.model());
  dut_->clock_edge();
  if (!lockstep_.difference().text.empty()) fail(lockstep_.difference());
  ++cycle_;
}

/// Reads what the checkers of the nodes saw at the edge that ended the cycle before.
void CheckedNetwork::read_checkers() {
  for (const NetworkViolation& one : dut_->take_violations()) {
    constexpr std::array<const char*, 3> kLevels = {" (low)", " (high)", ""};
    fail({fmt::format("cycle {}: {} at node {} port {}{}, seen by its checker", cycle_ - 1,
                      one.rule, one.node, one.port, kLevels.at(one.level)),
          cycle_ - 1, NodePort{one.node, one.port}});
  }
  read_reports();
}

void CheckedNetwork::read_reports() {
  const RtlChecks checks = dut_->rtl_checks();
  for (const RtlEvent& event : dut_->take_events()) {
    fail({rtl_failure(event, checks).message, event.cycle, {}});
  }
}

void CheckedNetwork::finish() {
  dut_->finish();
  read_reports();
}

/// Checks the handshakes of this cycle. Deliveries come first: a packet takes two cycles or more.
void CheckedNetwork::observe(const maze::NetworkInputs& inputs) {
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
                         ++traffic_.accepted[node];
                       });
  }
  coverage_.stalled(stalled);
  count_links();
}

/// Counts what the links deliver and what waits behind them. The reference has the same signals.
void CheckedNetwork::count_links() {
  const std::uint64_t* const valid = lockstep_.model().to_nodes().in_valid.data();
  const std::uint64_t* const ready = lockstep_.model().from_nodes().in_ready.data();
  for (std::size_t i = 0; i < waits_.size(); ++i) {
    handshakes_.data()[i] = valid[i] & ready[i];
    waits_.data()[i] = valid[i] & ~ready[i];
  }
  packets_.add(handshakes_.data());
  stalls_.add(waits_.data());
}

NetworkTraffic CheckedNetwork::traffic() {
  NetworkTraffic all = traffic_;
  all.link_packets = packets_.totals();
  all.link_stalls = stalls_.totals();
  return all;
}

void CheckedNetwork::deliver(unsigned node) {
  last_delivery_ = cycle_;
  if (sent_alone_) check_latency(node);
  const maze::Payload packet = outputs_.b_payload[node];
  if (std::string wrong = oracle_.deliver(cycle_, node, packet); !wrong.empty()) {
    fail({std::move(wrong), cycle_, user_port(node)});
    return;
  }
  coverage_.delivered(layout_.node(layout_.src(packet)), node);
  ++traffic_.delivered[node];
  traffic_.latency[2 * layout_.type(packet) + layout_.qos(packet)].add(oracle_.last_latency());
}

void CheckedNetwork::check_latency(unsigned node) {
  const auto [source, sent] = *sent_alone_;
  const unsigned expected = lone_latency(config_.shape, source, node);
  if (cycle_ - sent == expected) return;
  fail({fmt::format("cycle {}: node {} delivers {} cycles after node {} sent, not {}", cycle_, node,
                    cycle_ - sent, source, expected),
        cycle_, user_port(node)});
}

unsigned lone_latency(const maze::Shape& shape, unsigned from, unsigned to) {
  const auto hop = [](unsigned a, unsigned b, unsigned side) {
    const unsigned steps = (b + side - a) % side;
    return steps == 0 ? 0 : 2 + std::min(steps, side - steps) - 1;
  };
  return 2 + hop(from % shape.nx, to % shape.nx, shape.nx) +
         hop(from / shape.nx, to / shape.nx, shape.ny);
}

}  // namespace kernbench::sim
