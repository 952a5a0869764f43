// SPDX-License-Identifier: Apache-2.0
#include "noc/network.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace kernbench::noc {
namespace {

constexpr std::uint32_t kMaxStages = 15;

void require(bool holds, const std::string& message) {
  if (!holds) throw std::invalid_argument(message);
}

void check(const Sizes& sizes, std::uint32_t nodes) {
  require(nodes >= 1, "a network needs a node");
  require(sizes.classes >= 1, "a network needs a class of virtual channels");
  require(sizes.lanes >= 1, "a class needs a virtual channel");
  require(sizes.slots >= 1 && sizes.slots <= 255,
          fmt::format("a virtual channel holds 1 to 255 flits, not {}", sizes.slots));
  const std::uint32_t least = Network::bits_for(nodes) + 2;
  require(sizes.flit_bits >= least && sizes.flit_bits <= 64,
          fmt::format("flits between {} nodes have {} to 64 bits, not {}", nodes, least,
                      sizes.flit_bits));
  require(sizes.local_stages <= kMaxStages,
          fmt::format("a link has at most {} registers, not {}", kMaxStages, sizes.local_stages));
}

}  // namespace

Network::Network(std::uint32_t nodes, std::vector<Channel> channels, const Sizes& sizes,
                 Relation relation)
    : nodes_(nodes),
      channels_(std::move(channels)),
      sizes_(sizes),
      relation_(std::move(relation)),
      incoming_(nodes),
      outgoing_(nodes),
      input_of_(channels_.size()),
      output_of_(channels_.size()),
      address_bits_(bits_for(nodes)) {
  check(sizes_, nodes_);
  head_bit_ = Flit{1} << (sizes_.flit_bits - 1);
  tail_bit_ = Flit{1} << (sizes_.flit_bits - 2);
  address_mask_ = (Flit{1} << address_bits_) - 1;
  for (std::uint32_t i = 0; i < channels_.size(); ++i) {
    const Channel& channel = channels_[i];
    require(channel.src < nodes_ && channel.dst < nodes_,
            fmt::format("channel {} joins {} and {}, but there are {} nodes", i, channel.src,
                        channel.dst, nodes_));
    require(channel.stages <= kMaxStages, fmt::format("channel {} has {} registers, at most {} fit",
                                                      i, channel.stages, kMaxStages));
    input_of_[i] = static_cast<std::uint32_t>(incoming_[channel.dst].size());
    output_of_[i] = static_cast<std::uint32_t>(outgoing_[channel.src].size());
    incoming_[channel.dst].push_back(i);
    outgoing_[channel.src].push_back(i);
  }
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    const std::uint32_t most = std::max(inputs(node), outputs(node));
    require(most * sizes_.vcs() <= kMaxInputVcs,
            fmt::format("node {} has {} ports of {} virtual channels; a router has at most {} "
                        "virtual channels",
                        node, most, sizes_.vcs(), kMaxInputVcs));
  }
}

std::optional<Network::Way> Network::way(std::uint32_t node, std::uint32_t input,
                                         std::uint32_t vc_class, std::uint32_t dst) const {
  if (dst == node) return Way{outputs(node) - 1, vc_class};
  std::optional<Hop> in;
  if (input + 1 != inputs(node)) in = Hop{incoming_[node][input], vc_class};
  const std::optional<Hop> next = relation_(node, in, dst);
  if (!next || next->channel >= channels_.size() || next->vc_class >= sizes_.classes) return {};
  if (channels_[next->channel].src != node) return {};
  return Way{output_of_[next->channel], next->vc_class};
}

Flit Network::flit(bool head, bool tail, std::uint32_t dst, std::uint64_t payload) const {
  Flit flit = payload & (tail_bit_ - 1);
  if (head) flit = (flit & ~address_mask_) | dst | head_bit_;
  return tail ? flit | tail_bit_ : flit;
}

void for_each_used_way(const Network& network, const UseOfWay& use) {
  const std::uint32_t classes = network.sizes().classes;
  // One flag for each (node, input, class) of the destination that is looked at.
  std::vector<std::uint32_t> first(network.nodes());
  std::uint32_t places = 0;
  for (std::uint32_t node = 0; node < network.nodes(); ++node) {
    first[node] = places;
    places += network.inputs(node) * classes;
  }
  std::vector<bool> seen;
  for (std::uint32_t dst = 0; dst < network.nodes(); ++dst) {
    seen.assign(places, false);
    for (std::uint32_t src = 0; src < network.nodes(); ++src) {
      for (std::uint32_t injected = 0; injected < classes; ++injected) {
        std::uint32_t node = src;
        std::uint32_t input = network.inputs(src) - 1;
        std::uint32_t vc_class = injected;
        for (;;) {
          const std::uint32_t place = first[node] + input * classes + vc_class;
          if (seen[place]) break;
          seen[place] = true;
          const auto way = network.way(node, input, vc_class, dst);
          if (!way) break;
          use(node, input, vc_class, dst, *way);
          if (way->output + 1 == network.outputs(node)) break;
          const std::uint32_t channel = network.outgoing(node)[way->output];
          node = network.channels()[channel].dst;
          input = network.input_of(channel);
          vc_class = way->vc_class;
        }
      }
    }
  }
}

}  // namespace kernbench::noc
