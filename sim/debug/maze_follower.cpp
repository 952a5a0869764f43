// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/maze_follower.hpp"

#include <bit>

#include "sim/debug/recorder.hpp"

namespace kernbench::sim {
namespace {

using maze::BitPlane;
using maze::Payload;

/// Calls `visit(port, node)` where `valid` is 1 and `ready` is as wanted.
template <typename Visit>
void each(const BitPlane& valid, const BitPlane& ready, bool wanted, const Visit& visit) {
  const std::size_t words = valid.size() / valid.ports();
  for (std::size_t i = 0; i < valid.size(); ++i) {
    for (std::uint64_t bits = valid[i] & (wanted ? ready[i] : ~ready[i]); bits != 0;
         bits &= bits - 1) {
      visit(static_cast<unsigned>(i / words),
            static_cast<unsigned>(i % words * 64) + static_cast<unsigned>(std::countr_zero(bits)));
    }
  }
}

}  // namespace

MazeFollower::MazeFollower(const Dut& dut, const maze::NetworkConfig& config, bool network,
                           std::uint64_t from)
    : shape_(config.shape),
      links_(shape_.nx, shape_.ny),
      route_(config),
      network_(network),
      from_(from) {
  if (network) core_links_.emplace(dut, shape_);
}

void MazeFollower::on_cycle(const CycleView& shown) {
  constexpr std::uint64_t kTidied = 256;
  if (shown.cycle < from_) return;
  if (shown.in_reset) {
    log_.clear(shown.cycle);
    return;
  }
  if (shown.cycle % kTidied == 0 && shown.cycle > Recorder::kWindow) {
    log_.forget(shown.cycle - Recorder::kWindow);
  }
  if (!network_) {
    follow_links(*shown.driven, *shown.observed, shown.cycle);
    return;
  }
  const CycleView view = core_links_->with_links(shown);
  if (view.links == nullptr) return;
  follow_links(view.links->from_nodes, view.links->to_nodes, view.cycle);
  follow_users(view);
}

void MazeFollower::follow_links(const maze::TopoInputs& from, const maze::TopoOutputs& to,
                                std::uint64_t cycle) {
  const std::size_t nodes = shape_.nodes();
  each(from.out_valid, to.out_ready, true, [&](unsigned port, unsigned node) {
    const Payload packet = from.out_payload.at(port, node);
    if (network_) leave_node(node, packet, cycle - 1);
    log_.enter(nodes + std::size_t{node} * shape_.ports() + port, packet, cycle);
  });
  if (!network_) {
    each(from.out_valid, to.out_ready, false, [&](unsigned port, unsigned node) {
      log_.wait(node, from.out_payload.at(port, node), cycle);
    });
  }
  each(to.in_valid, from.in_ready, true, [&](unsigned port, unsigned node) {
    const topology::MazePort source = links_.arriving(node, port).from;
    const std::size_t link = nodes + std::size_t{source.node} * shape_.ports() + source.port;
    const Payload packet = to.in_payload.at(port, node);
    if (!log_.leave(link, packet, cycle)) {
      // Another packet than the one that entered.
      log_.leave_nearest(link, packet, 64, cycle);
      log_.wait(link, packet, cycle);
    }
    if (network_) log_.enter(node, packet, cycle + 1);
  });
}

void MazeFollower::follow_users(const CycleView& view) {
  const maze::TopoInputs& in = *view.driven;
  const maze::TopoOutputs& out = *view.observed;
  each(in.out_valid, out.out_ready, false,
       [&](unsigned, unsigned node) { log_.wait(node, in.out_payload.at(0, node), view.cycle); });
  each(in.out_valid, out.out_ready, true, [&](unsigned, unsigned node) {
    const Payload packet = in.out_payload.at(0, node);
    log_.enter(node, packet, view.cycle);
    if (!route_.expands(packet)) return;
    for (auto to = route_.next_copy(packet, 0); to; to = route_.next_copy(packet, *to + 1)) {
      expanded_[{node, route_.aimed_at(*to, packet)}] = packet;
    }
  });
  each(out.in_valid, in.in_ready, true,
       [&](unsigned, unsigned node) { leave_node(node, out.in_payload.at(0, node), view.cycle); });
}

void MazeFollower::leave_node(unsigned node, Payload packet, std::uint64_t last) {
  if (log_.leave(node, packet, last)) return;
  const auto multicast = expanded_.find({node, packet});
  const bool is_copy = multicast != expanded_.end();
  if (is_copy && log_.leave(node, multicast->second, last)) return;
  log_.leave_nearest(node, packet, PacketLog::kChangedBits, last);
}

}  // namespace kernbench::sim
