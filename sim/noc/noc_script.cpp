// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_script.hpp"

#include <algorithm>
#include <bit>

namespace kernbench::sim {

NocScriptRecorder::NocScriptRecorder(const NocDevice& device)
    : device_(device),
      open_(std::size_t{device.network.nodes()} * device.network.sizes().vcs(), kNone) {}

void NocScriptRecorder::on_cycle(const CycleView& view) {
  if (view.in_reset) {
    script_ = {};
    std::fill(open_.begin(), open_.end(), kNone);
    cycle_ = 0;
    return;
  }
  const noc::Network& network = device_.network;
  const std::uint32_t vcs = network.sizes().vcs();
  const NocInputs& inputs = *view.noc_inputs;
  for (std::uint32_t node = 0; node < network.nodes(); ++node) {
    for (noc::Mask left = inputs.credit[node]; left != 0; left &= left - 1) {
      script_.takes.push_back({cycle_, node, static_cast<std::uint32_t>(std::countr_zero(left))});
    }
    if (inputs.valid[node] == 0) continue;
    const std::uint32_t vc = inputs.vc[node];
    std::size_t& open = open_[node * vcs + vc];
    if (open == kNone) {
      open = script_.packets.size();
      script_.packets.push_back({node, vc, {}, {}});
    }
    NocScriptPacket& packet = script_.packets[open];
    packet.flits.push_back(inputs.flit[node]);
    packet.at.push_back(cycle_);
    if (network.is_tail(inputs.flit[node])) open = kNone;
  }
  ++cycle_;
}

ScriptedNocUsers::ScriptedNocUsers(const NocDevice& device, const NocScript& script)
    : device_(device),
      script_(script),
      ports_(device.network),
      packets_(std::size_t{device.network.nodes()} * device.network.sizes().vcs()),
      next_(packets_.size()) {
  for (const NocScriptPacket& packet : script.packets) {
    packets_[packet.node * device.network.sizes().vcs() + packet.vc].push_back(&packet);
    left_ += packet.flits.size();
  }
}

void ScriptedNocUsers::drive(std::uint64_t /*cycle*/, Phase phase, const NocOutputs& before,
                             NocInputs& inputs) {
  std::fill(inputs.valid.begin(), inputs.valid.end(), 0);
  std::fill(inputs.credit.begin(), inputs.credit.end(), 0);
  if (phase == Phase::Reset) {
    ports_.reset();
    return;
  }
  ports_.see(before);
  const std::uint32_t vcs = device_.network.sizes().vcs();
  const bool takes_all = script_.takes_all || phase == Phase::Drain;
  for (std::uint32_t node = 0; node < device_.network.nodes(); ++node) {
    for (std::uint32_t vc = 0; takes_all && vc < vcs; ++vc) ports_.take(node, vc, inputs);
    send(node, inputs);
  }
  for (; !takes_all && take_ < script_.takes.size() && script_.takes[take_].at <= cycle_; ++take_) {
    ports_.take(script_.takes[take_].node, script_.takes[take_].vc, inputs);
  }
  ++cycle_;
}

/// Sends the flit of a node that is due first and has a credit.
void ScriptedNocUsers::send(std::uint32_t node, NocInputs& inputs) {
  const std::uint32_t vcs = device_.network.sizes().vcs();
  const NocScriptPacket* best = nullptr;
  std::uint64_t due = cycle_ + 1;
  for (std::uint32_t vc = 0; vc < vcs; ++vc) {
    const std::size_t at = node * vcs + vc;
    const Next& next = next_[at];
    if (next.packet == packets_[at].size() || !ports_.has_credit(node, vc)) continue;
    const NocScriptPacket& packet = *packets_[at][next.packet];
    if (packet.at[next.flit] >= due) continue;
    due = packet.at[next.flit];
    best = &packet;
  }
  if (best == nullptr) return;
  Next& next = next_[node * vcs + best->vc];
  ports_.send(node, best->vc, best->flits[next.flit], inputs);
  --left_;
  if (++next.flit == best->flits.size()) next = {next.packet + 1, 0};
}

}  // namespace kernbench::sim
