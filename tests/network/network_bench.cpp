// SPDX-License-Identifier: Apache-2.0
#include "network_bench.hpp"

#include <fmt/format.h>

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

constexpr maze::Shape kShape{kNx, kNy, 8};

}  // namespace

Network::Network(std::uint64_t seed, std::optional<unsigned> failed)
    : top_(&context_),
      twin_({.shape = kShape, .failed = failed}),
      inputs_(kShape),
      expected_(kShape) {
  context_.randReset(2);
  context_.randSeed(static_cast<int>(seed));
  top_.pg_en = failed ? 1 : 0;
  top_.pg_node = static_cast<CData>(failed ? address_of(*failed) : 0);
  top_.a_vld = 0;
  top_.b_rdy = (1U << kNodes) - 1;
  // A reset is seen at its edge, and the failed node has no other.
  top_.rst_n = 1;
  top_.eval();
  top_.rst_n = 0;
  for (int i = 0; i < 2; ++i) clock();
  top_.rst_n = 1;
  clock();
}

void Network::offer(unsigned node, unsigned bits) {
  top_.a_vld |= static_cast<SData>(1U << node);
  top_.a_pyld[node] = bits;
  settled_ = false;
}

void Network::withdraw(unsigned node) {
  top_.a_vld &= static_cast<SData>(~(1U << node));
  settled_ = false;
}

bool Network::accepts(unsigned node) {
  settle();
  return (top_.a_rdy >> node & 1U) != 0;
}

std::optional<unsigned> Network::delivers(unsigned node) {
  settle();
  if ((top_.b_vld >> node & 1U) == 0) return std::nullopt;
  return top_.b_pyld[node];
}

void Network::compare() {
  twin_.evaluate(expected_);
  const maze::TopoInputs& from = twin_.from_nodes();
  const maze::TopoOutputs& to = twin_.to_nodes();
  for (unsigned node = 0; node < kNodes; ++node) {
    const auto bit = [&](std::uint64_t plane) { return plane >> node & 1U; };
    const bool valid = bit(expected_.b_valid[0]) != 0;
    expect("pkt_in_rdy", node, kShape.ports(), bit(top_.a_rdy), bit(expected_.a_ready[0]));
    expect("pkt_out_vld", node, kShape.ports(), bit(top_.b_vld), valid ? 1 : 0);
    if (valid) {
      expect("packet at B", node, kShape.ports(), top_.b_pyld[node], expected_.b_payload[node]);
    }
    for (unsigned port = 0; port < kShape.ports(); ++port) {
      const auto row = [&](unsigned ports) { return ports >> port & 1U; };
      const std::size_t at = std::size_t{node} * kShape.ports() + port;
      expect("out_vld", node, port, row(top_.out_vld[node]), bit(*from.out_valid.port(port)));
      expect("in_rdy", node, port, row(top_.in_rdy[node]), bit(*from.in_ready.port(port)));
      expect("in_vld", node, port, row(top_.in_vld[node]), bit(*to.in_valid.port(port)));
      expect("out_rdy", node, port, row(top_.out_rdy[node]), bit(*to.out_ready.port(port)));
      if (from.out_valid.test(port, node)) {
        expect("packet out", node, port, top_.out_pyld[at], from.out_payload.at(port, node));
      }
      if (to.in_valid.test(port, node)) {
        expect("packet in", node, port, top_.in_pyld[at], to.in_payload.at(port, node));
      }
    }
  }
}

void Network::expect(const char* signal, unsigned node, unsigned port, std::uint64_t seen,
                     std::uint64_t expected) {
  if (seen == expected || !difference_.empty()) return;
  difference_ = fmt::format("cycle {}: {} of node {} port {} is {:x}, not {:x}", cycle_, signal,
                            node, port, seen, expected);
}

void Network::clock() {
  settle();
  inputs_.a_valid[0] = top_.a_vld;
  inputs_.b_ready[0] = top_.b_rdy;
  for (unsigned node = 0; node < kNodes; ++node) inputs_.a_payload[node] = top_.a_pyld[node];
  if (top_.rst_n == 0) twin_.reset();
  compare();
  if (top_.rst_n != 0) twin_.clock(inputs_);
  ++cycle_;
  top_.clk = 0;
  top_.eval();
  top_.clk = 1;
  top_.eval();
  settled_ = false;
}

void Network::settle() {
  if (!settled_) top_.eval();
  settled_ = true;
}

}  // namespace kernbench::network_test
