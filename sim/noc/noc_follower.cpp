// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_follower.hpp"

#include "sim/debug/recorder.hpp"
#include "sim/dut/noc_dut.hpp"

namespace kernbench::sim {

void NocFollower::on_cycle(const CycleView& view) {
  constexpr std::uint64_t kTidied = 256;
  if (view.cycle < from_) return;
  if (view.in_reset) {
    log_.clear(view.cycle);
    return;
  }
  if (view.cycle % kTidied == 0 && view.cycle > Recorder::kWindow) {
    log_.forget(view.cycle - Recorder::kWindow);
  }
  const NocInputs& in = *view.noc_inputs;
  const NocOutputs& out = *view.noc_outputs;
  const noc::Network& network = device_.network;
  const std::size_t channels = network.channels().size();
  const std::uint32_t nodes = network.nodes();
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (in.valid[node] != 0) log_.enter(node, in.flit[node], view.cycle);
  }
  for (std::size_t i = 0; i < channels; ++i) {
    if (out.valid[i] == 0) continue;
    const noc::Channel& channel = network.channels()[i];
    const std::uint64_t arrival = view.cycle + channel.stages;
    leave_node(channel.src, out.flit[i], view.cycle - 1);
    log_.enter(nodes + i, out.flit[i], view.cycle);
    (void)log_.leave(nodes + i, out.flit[i], arrival);
    log_.enter(channel.dst, out.flit[i], arrival + 1);
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (out.valid[channels + node] != 0) {
      leave_node(node, out.flit[channels + node], view.cycle);
    }
  }
}

void NocFollower::leave_node(std::uint32_t node, noc::Flit flit, std::uint64_t last) {
  if (log_.leave(node, flit, last)) return;
  log_.leave_nearest(node, flit, PacketLog::kChangedBits, last);
}

}  // namespace kernbench::sim
