// SPDX-License-Identifier: Apache-2.0
#include "sim/check/delivery.hpp"

#include <fmt/format.h>

#include <utility>

namespace kernbench::sim {

Delivery::Delivery(const maze::Shape& shape, const topology::MazeLinks& links, maze::BitPlane used)
    : links_(links), used_(std::move(used)), seen_(shape) {}

void Delivery::on_cycle(const CycleView& view) {
  for (std::size_t i = 0; i < seen_.size(); ++i) seen_.data()[i] |= view.sink_fired->data()[i];
  ++cycles_;
}

void Delivery::after(const RunEnd& end) {
  if (!end.complete()) return;
  for (const topology::MazeLink& link : links_.links()) {
    if (!used_.test(link.from.port, link.from.node)) continue;
    if (seen_.test(link.to.port, link.to.node)) continue;
    fail({"delivery", "idle_link", end.cycles, LinkEnd{link.from.node, link.from.port},
          fmt::format("{}: the pattern uses it, nothing was delivered", links_.link_name(link))});
  }
}

}  // namespace kernbench::sim
