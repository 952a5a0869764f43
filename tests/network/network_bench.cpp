// SPDX-License-Identifier: Apache-2.0
#include "network_bench.hpp"

#include <fmt/format.h>

#include "sim/dut/dut_library.hpp"
#include "tests/places.hpp"

namespace kernbench::network_test {

unsigned Packet::kept(unsigned bits) {
  constexpr unsigned kX = 7U << 8U;
  constexpr unsigned kY = 7U << 11U;
  switch (static_cast<Type>(bits >> 21U)) {
    case Type::Unicast:
      return bits;
    case Type::Column:
      return bits & ~kY;
    case Type::Row:
      return bits & ~kX;
    case Type::Broadcast:
      return bits & ~(kX | kY);
  }
  return bits;
}

std::vector<unsigned> Packet::named() const {
  std::vector<unsigned> nodes;
  for (unsigned node = 0; node < kNodes; ++node) {
    const bool same_x = node % kNx == target % kNx;
    const bool same_y = node / kNx == target / kNx;
    const bool is_named = type == Type::Broadcast || (type == Type::Unicast && node == target) ||
                          (type == Type::Column && same_x) || (type == Type::Row && same_y);
    if (is_named) nodes.push_back(node);
  }
  return nodes;
}

namespace {

std::shared_ptr<sim::NetworkDut> create(const std::string& model, std::uint64_t seed,
                                        std::optional<unsigned> failed) {
  auto dut = sim::NetworkLibrary(std::string(places::kNetworkModels) + "/" + model +
                                 "/libnetwork_model.so")
                 .create(seed);
  dut->set_failed(failed);
  return dut;
}

maze::NetworkConfig with_failed(maze::NetworkConfig config, std::optional<unsigned> failed) {
  config.failed = failed;
  return config;
}

}  // namespace

Network::Network(std::uint64_t seed, std::optional<unsigned> failed, const std::string& model)
    : dut_(create(model, seed, failed)),
      lockstep_(with_failed(dut_->info().config, failed)),
      inputs_(dut_->info().config.shape),
      outputs_(dut_->info().config.shape),
      links_(dut_->info().config.shape) {
  set_ready((1U << kNodes) - 1);
  for (int i = 0; i < 2; ++i) clock();
  in_reset_ = false;
  clock();
}

void Network::offer(unsigned node, unsigned bits) {
  inputs_.out_valid[0] |= std::uint64_t{1} << node;
  inputs_.out_payload[node] = bits;
  settled_ = false;
}

void Network::withdraw(unsigned node) {
  inputs_.out_valid[0] &= ~(std::uint64_t{1} << node);
  settled_ = false;
}

bool Network::accepts(unsigned node) {
  settle();
  return (outputs_.out_ready[0] >> node & 1U) != 0;
}

std::optional<unsigned> Network::delivers(unsigned node) {
  settle();
  if ((outputs_.in_valid[0] >> node & 1U) == 0) return std::nullopt;
  return static_cast<unsigned>(outputs_.in_payload[node]);
}

std::string Network::difference() const {
  if (lockstep_.failures().empty()) return "";
  const sim::Failure& first = lockstep_.failures().front();
  return fmt::format("cycle {}: {}", first.cycle, first.message);
}

void Network::settle() {
  if (settled_) return;
  dut_->set_reset(in_reset_);
  dut_->drive(inputs_);
  dut_->settle();
  dut_->sample(outputs_);
  settled_ = true;
}

void Network::clock() {
  settle();
  dut_->sample_links(links_);
  maze::NetworkInputs driven = inputs_;
  if (cut_off_) driven.out_valid.clear();
  lockstep_.on_cycle({.cycle = cycle_++,
                      .in_reset = in_reset_,
                      .intended = &inputs_,
                      .driven = &driven,
                      .observed = &outputs_,
                      .links = &links_});
  dut_->clock_edge();
  settled_ = false;
}

}  // namespace kernbench::network_test
