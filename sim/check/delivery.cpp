// SPDX-License-Identifier: Apache-2.0
#include "sim/check/delivery.hpp"

#include <fmt/format.h>

#include <utility>

namespace kernbench::sim {

Delivery::Delivery(const maze::Shape& shape, const topology::MazeLinks& links, maze::BitPlane used,
                   const maze::BitPlane& reached)
    : links_(links), used_(std::move(used)), reached_(reached), seen_(shape) {}

void Delivery::on_cycle(const CycleView& view) {
  for (std::size_t i = 0; i < seen_.size(); ++i) seen_.data()[i] |= view.sink_fired->data()[i];
  ++cycles_;
}

void Delivery::after(const RunEnd& end) {
  if (!end.complete()) return;
  const topology::MazeLink* first = nullptr;
  std::uint64_t used = 0;
  std::uint64_t unreached = 0;
  for (const topology::MazeLink& link : links_.links()) {
    if (!used_.test(link.from.port, link.from.node)) continue;
    ++used;
    if (seen_.test(link.to.port, link.to.node)) continue;
    if (reached_.test(link.from.port, link.from.node)) {
      fail({"delivery", "idle_link", end.cycles, LinkEnd{link.from.node, link.from.port},
            fmt::format("{}: the pattern sent on it, nothing was delivered",
                        links_.link_name(link))});
      continue;
    }
    if (unreached++ == 0) first = &link;
  }
  if (first == nullptr) return;
  unreached_ = fmt::format("{} of {} links, on which nothing was sent; the first is {}", unreached,
                           used, links_.link_name(*first));
}

}  // namespace kernbench::sim
