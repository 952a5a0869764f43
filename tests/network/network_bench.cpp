// SPDX-License-Identifier: Apache-2.0
#include "network_bench.hpp"

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

Network::Network(std::uint64_t seed, std::optional<unsigned> failed) : top_(&context_) {
  context_.randReset(2);
  context_.randSeed(static_cast<int>(seed));
  top_.pg_en = failed ? 1 : 0;
  top_.pg_node = static_cast<CData>(failed ? address_of(*failed) : 0);
  top_.a_vld = 0;
  top_.b_rdy = (1U << kNodes) - 1;
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

void Network::clock() {
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
