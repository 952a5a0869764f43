// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/script.hpp"

#include <algorithm>

namespace kernbench::sim {
namespace {

maze::BitPlane all_ports(const maze::Shape& shape, unsigned ports) {
  maze::BitPlane every(shape, ports);
  for (unsigned port = 0; port < ports; ++port) {
    for (unsigned node = 0; node < shape.nodes(); ++node) every.set(port, node);
  }
  return every;
}

}  // namespace

ScriptStimulus::ScriptStimulus(const Script& script, const maze::Shape& shape, unsigned ports)
    : script_(script),
      waiting_(std::size_t{shape.nodes()} * ports),
      shape_(shape),
      offered_(shape, ports),
      every_(all_ports(shape, ports)) {}

void ScriptStimulus::drive(std::uint64_t /*cycle*/, Phase phase, const maze::BitPlane& source_fired,
                           maze::TopoInputs& inputs) {
  inputs.in_ready = every_;
  if (phase == Phase::Reset) {
    offered_.clear();
    inputs.out_valid.clear();
    return;
  }
  for (std::size_t w = 0; w < offered_.size(); ++w) offered_.data()[w] &= ~source_fired.data()[w];
  if (phase == Phase::Run) {
    const auto slot = [&](const LinkEnd& end) {
      return std::size_t{end.port} * shape_.nodes() + end.node;
    };
    for (; next_ < script_.packets.size() && script_.packets[next_].at <= run_; ++next_) {
      const ScriptPacket& packet = script_.packets[next_];
      waiting_[slot(packet.from)].push_back(packet.packet);
    }
    for (; next_stall_ < script_.stalls.size() && script_.stalls[next_stall_].first <= run_;
         ++next_stall_) {
      running_.push_back(script_.stalls[next_stall_]);
    }
    std::erase_if(running_, [&](const ScriptStall& stall) { return stall.end <= run_; });
    for (const ScriptStall& stall : running_) {
      inputs.in_ready.set(stall.to.port, stall.to.node, false);
    }
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (waiting_[i].empty()) continue;
      const auto port = static_cast<unsigned>(i / shape_.nodes());
      const auto node = static_cast<unsigned>(i % shape_.nodes());
      if (offered_.test(port, node)) continue;
      offered_.set(port, node);
      inputs.out_payload.at(port, node) = waiting_[i].front();
      waiting_[i].pop_front();
    }
    ++run_;
  }
  inputs.out_valid = offered_;
}

}  // namespace kernbench::sim
