// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_script.hpp"

#include <algorithm>
#include <bit>

namespace kernbench::sim {

ScriptedNocUsers::ScriptedNocUsers(const NocDevice& device, const NocScript& script)
    : device_(device),
      script_(script),
      vcs_(device.network.sizes().vcs()),
      ports_(device.network),
      packets_(std::size_t{device.network.nodes()} * vcs_),
      next_(packets_.size()),
      stalls_(packets_.size()) {
  for (const ScriptPacket& packet : script.events.packets) {
    packets_[packet.from.node * vcs_ + packet.from.port].push_back(&packet);
  }
}

void ScriptedNocUsers::drive(std::uint64_t /*cycle*/, Phase phase, const NocOutputs& before,
                             NocInputs& inputs) {
  std::fill(inputs.valid.begin(), inputs.valid.end(), 0);
  std::fill(inputs.credit.begin(), inputs.credit.end(), 0);
  if (phase == Phase::Reset) {
    ports_.reset();
    skip_packets();
    return;
  }
  ports_.see(before);
  receive(phase == Phase::Drain, inputs);
  for (std::uint32_t node = 0; node < device_.network.nodes(); ++node) send(node, inputs);
  ++cycle_;
}

/// A reset ends the packets that have begun. Those that were to begin before it are not sent.
void ScriptedNocUsers::skip_packets() {
  for (std::size_t at = 0; at < next_.size(); ++at) {
    Next& next = next_[at];
    if (next.flit != 0) next = {next.packet + 1, 0};
    while (next.packet < packets_[at].size() && packets_[at][next.packet]->at < cycle_) {
      ++next.packet;
    }
  }
}

void ScriptedNocUsers::receive(bool drains, NocInputs& inputs) {
  const auto change = [&](const ScriptStall& stall, std::uint32_t by) {
    stalls_[stall.to.node * vcs_ + stall.to.port] += by;
  };
  std::erase_if(running_, [&](const ScriptStall& stall) {
    if (stall.end > cycle_) return false;
    change(stall, ~std::uint32_t{0});
    return true;
  });
  const std::vector<ScriptStall>& all = script_.events.stalls;
  for (; next_stall_ < all.size() && all[next_stall_].first <= cycle_; ++next_stall_) {
    if (all[next_stall_].end <= cycle_) continue;
    change(all[next_stall_], 1);
    running_.push_back(all[next_stall_]);
  }
  for (std::uint32_t node = 0; node < device_.network.nodes(); ++node) {
    for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
      if (drains || stalls_[node * vcs_ + vc] == 0) ports_.take(node, vc, inputs);
    }
  }
}

/// Sends the flit of a node that is due first and has a credit.
void ScriptedNocUsers::send(std::uint32_t node, NocInputs& inputs) {
  std::optional<std::uint32_t> best;
  std::uint64_t earliest = cycle_ + 1;
  const auto packet_of = [&](std::uint32_t vc) -> const ScriptPacket& {
    return *packets_[node * vcs_ + vc][next_[node * vcs_ + vc].packet];
  };
  for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
    const Next& next = next_[node * vcs_ + vc];
    if (next.packet == packets_[node * vcs_ + vc].size() || !ports_.has_credit(node, vc)) continue;
    const ScriptPacket& packet = packet_of(vc);
    const std::uint64_t due = packet.at + script_.packets[packet.packet].after[next.flit];
    if (due >= earliest) continue;
    earliest = due;
    best = vc;
  }
  if (!best) return;
  Next& next = next_[node * vcs_ + *best];
  const std::vector<noc::Flit>& flits = script_.packets[packet_of(*best).packet].flits;
  ports_.send(node, *best, flits[next.flit], inputs);
  if (++next.flit == flits.size()) next = {next.packet + 1, 0};
}

NocScriptRecorder::NocScriptRecorder(const NocDevice& device)
    : device_(device),
      vcs_(device.network.sizes().vcs()),
      open_(std::size_t{device.network.nodes()} * vcs_),
      waiting_(open_.size()),
      stalled_(open_.size()) {}

void NocScriptRecorder::record(Phase phase, const NocOutputs& before, const NocInputs& inputs) {
  if (phase == Phase::Reset) {
    end_packets();
    std::fill(waiting_.begin(), waiting_.end(), 0);
    return;
  }
  const std::size_t local = device_.network.channels().size();
  for (std::uint32_t node = 0; node < device_.network.nodes(); ++node) {
    const bool arrives = before.valid[local + node] != 0 && before.vc[local + node] < vcs_;
    if (arrives) ++waiting_[node * vcs_ + before.vc[local + node]];
  }
  if (phase == Phase::Run) record_receivers(inputs);
  record_senders(inputs);
  ++cycle_;
  if (phase == Phase::Run) ++run_;
}

/// Packets that a reset cuts off end with their last flit, so that a script without that reset
/// sends whole packets.
void NocScriptRecorder::end_packets() {
  const noc::Flit tail = noc::Flit{1} << (device_.network.sizes().flit_bits - 2);
  for (std::optional<std::size_t>& open : open_) {
    if (open) script_.packets[*open].flits.back() |= tail;
    open.reset();
  }
}

/// A receiver stalls while a flit waits that it does not take.
void NocScriptRecorder::record_receivers(const NocInputs& inputs) {
  for (std::size_t at = 0; at < waiting_.size(); ++at) {
    const LinkEnd to{static_cast<unsigned>(at / vcs_), static_cast<unsigned>(at % vcs_)};
    const bool takes = (inputs.credit[to.node] >> to.port & 1U) != 0;
    const bool stalls = waiting_[at] != 0 && !takes;
    if (takes) --waiting_[at];
    if (stalls && !stalled_[at]) stalled_[at] = run_;
    if (stalls || !stalled_[at]) continue;
    script_.events.stalls.push_back({*stalled_[at], run_, to});
    stalled_[at].reset();
  }
}

void NocScriptRecorder::record_senders(const NocInputs& inputs) {
  for (std::uint32_t node = 0; node < device_.network.nodes(); ++node) {
    if (inputs.valid[node] == 0) continue;
    const std::uint32_t vc = inputs.vc[node];
    std::optional<std::size_t>& open = open_[node * vcs_ + vc];
    if (!open) {
      open = script_.packets.size();
      script_.events.packets.push_back({cycle_, {node, vc}, *open});
      script_.packets.emplace_back();
    }
    NocScriptPacket& packet = script_.packets[*open];
    packet.flits.push_back(inputs.flit[node]);
    packet.after.push_back(cycle_ - script_.events.packets[*open].at);
    if (device_.network.is_tail(inputs.flit[node])) open.reset();
  }
}

NocScript NocScriptRecorder::script(const std::vector<ResetEvent>& resets) const {
  NocScript script = script_;
  script.events.cycles = run_;
  const noc::Flit tail = noc::Flit{1} << (device_.network.sizes().flit_bits - 2);
  for (std::size_t at = 0; at < stalled_.size(); ++at) {
    if (open_[at]) script.packets[*open_[at]].flits.back() |= tail;
    if (!stalled_[at] || *stalled_[at] == run_) continue;
    const LinkEnd to{static_cast<unsigned>(at / vcs_), static_cast<unsigned>(at % vcs_)};
    script.events.stalls.push_back({*stalled_[at], run_, to});
  }
  std::stable_sort(script.events.stalls.begin(), script.events.stalls.end(),
                   [](const ScriptStall& a, const ScriptStall& b) { return a.first < b.first; });
  for (const ResetEvent& reset : resets) {
    if (reset.at < run_) script.events.resets.push_back(reset);
  }
  return script;
}

NocUserObserver::NocUserObserver(const NocDevice& device)
    : recorder_(device), before_(device.network.channels().size() + device.network.nodes()) {}

void NocUserObserver::on_cycle(const CycleView& view) {
  recorder_.record(view.in_reset ? Phase::Reset : Phase::Run, before_, *view.noc_inputs);
  before_ = *view.noc_outputs;
}

}  // namespace kernbench::sim
