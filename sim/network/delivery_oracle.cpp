// SPDX-License-Identifier: Apache-2.0
#include "sim/network/delivery_oracle.hpp"

#include <fmt/format.h>

#include <array>

namespace kernbench::sim {

using maze::Payload;

DeliveryOracle::DeliveryOracle(const maze::NetworkConfig& config)
    : config_(config),
      shape_(config.shape),
      layout_(config.shape),
      x_mask_((1U << shape_.x_addr_bits()) - 1),
      streams_(std::size_t{shape_.nodes()} * shape_.nodes() * 8) {}

std::vector<unsigned> DeliveryOracle::named(Payload packet) const {
  const unsigned address = layout_.tgt(packet);
  const unsigned x = address & x_mask_;
  const unsigned y = address >> shape_.x_addr_bits();
  const unsigned type = layout_.type(packet);
  std::vector<unsigned> nodes;
  for (unsigned node = 0; node < shape_.nodes(); ++node) {
    const bool same_x = node % shape_.nx == x;
    const bool same_y = node / shape_.nx == y;
    const std::array<bool, 4> is_named = {same_x && same_y, same_x, same_y, true};
    if (is_named.at(type) && node != config_.failed) nodes.push_back(node);
  }
  return nodes;
}

/// Returns the bits that arrive unchanged: all but those of the target that the type does not name.
Payload DeliveryOracle::kept(Payload packet) const {
  const Payload x = Payload{x_mask_} << layout_.tgt_shift();
  const Payload both = ((Payload{1} << shape_.node_addr_bits()) - 1) << layout_.tgt_shift();
  const std::array<Payload, 4> open = {0, both & ~x, x, both};
  return packet & ~open.at(layout_.type(packet));
}

void DeliveryOracle::accept(std::uint64_t cycle, unsigned node, Payload packet) {
  ++accepted_;
  for (const unsigned target : named(packet)) {
    stream(node, target, packet).copies.push_back({cycle, packet});
    ++owed_;
  }
}

std::string DeliveryOracle::deliver(std::uint64_t cycle, unsigned node, Payload packet) {
  const unsigned address = layout_.src(packet);
  const unsigned x = address & x_mask_;
  const unsigned y = address >> shape_.x_addr_bits();
  const auto wrong = [&](const std::string& what) {
    return fmt::format("node {} delivers {}: {}", node, layout_.text(packet), what);
  };
  if (x >= shape_.nx || y >= shape_.ny) return wrong("no node has this source");
  Stream& owed = stream(layout_.node(address), node, packet);
  if (owed.first == owed.copies.size()) return wrong("it owes none of this source, type and QoS");
  const Copy& next = owed.copies[owed.first];
  if (kept(packet) != kept(next.packet))
    return wrong("it owes " + layout_.text(next.packet) + " first");
  last_latency_ = cycle - next.accepted;
  ++delivered_;
  --owed_;
  if (++owed.first == owed.copies.size()) {
    owed.copies.clear();
    owed.first = 0;
  }
  return {};
}

void DeliveryOracle::forget() {
  for (Stream& owed : streams_) {
    owed.copies.clear();
    owed.first = 0;
  }
  owed_ = 0;
}

Failure DeliveryOracle::owed_example() const {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& owed = streams_[i];
    if (owed.first == owed.copies.size()) continue;
    const Copy& copy = owed.copies[owed.first];
    const auto node = static_cast<unsigned>(i / 8 % shape_.nodes());
    return {"scoreboard",
            "loss",
            copy.accepted,
            LinkEnd{node, shape_.ports()},
            fmt::format("node {} owes {}, accepted in cycle {}", node, layout_.text(copy.packet),
                        copy.accepted),
            copy.packet};
  }
  return {};
}

}  // namespace kernbench::sim
