// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/recorder.hpp"

#include <cstring>
#include <map>
#include <utility>

namespace kernbench::sim {
UnitRegisters find_registers(const Dut& dut, const UnitReference& reference) {
  UnitRegisters found;
  found.signals = reference.signals();
  const std::vector<Member> members = dut.members();
  const std::string end = reference.instance() + ".";
  std::map<std::string, std::size_t> inside;  // by name below the instance
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string path = members[i].path();
    const auto at = path.find(end);
    if (at == std::string::npos || at == 0 || path[at - 1] != '.' || members[i].bits > 64) continue;
    found.instance = path.substr(0, at + end.size() - 1);
    inside.emplace(path.substr(at + end.size()), i);
  }
  for (std::size_t i = reference.ports(); i < found.signals.size(); ++i) {
    const auto member = inside.find(found.signals[i].path + "." + found.signals[i].name);
    found.members.push_back(member == inside.end() ? std::nullopt : std::optional(member->second));
    if (member != inside.end()) inside.erase(member);
  }
  for (const auto& [name, member] : inside) {
    const auto dot = name.rfind('.');
    UnitSignal signal;
    signal.path = dot == std::string::npos ? "" : name.substr(0, dot);
    signal.name = name.substr(dot == std::string::npos ? 0 : dot + 1);
    signal.bits = members[member].bits;
    signal.label = name;
    found.signals.push_back(std::move(signal));
    found.members.emplace_back(member);
  }
  return found;
}

Recording recording_of(const Unit& unit, const UnitReference& reference, std::string instance) {
  Recording recording;
  recording.unit = unit;
  recording.name = reference.name();
  recording.module = reference.module();
  recording.instance = std::move(instance);
  recording.depth = reference.depth();
  recording.ports = reference.ports();
  recording.reference_signals = reference.signals().size();
  recording.constants = reference.constants();
  recording.texts = reference.texts();
  recording.packet_ports = reference.packet_ports();
  recording.signals = reference.signals();
  return recording;
}

Recorder::Recorder(const Dut& dut, const Unit& unit, const maze::NetworkConfig& config,
                   bool network, std::uint64_t failure, const UnitRegisters* known)
    : reference_(unit_reference(unit, config, network)),
      counter_(*reference_),
      failure_(failure),
      links_(std::in_place, dut, config.shape) {
  const UnitRegisters registers = known != nullptr ? *known : find_registers(dut, *reference_);
  recording_ = recording_of(unit, *reference_, registers.instance);
  recording_.signals = registers.signals;
  recording_.is_seen.assign(recording_.ports, true);
  const std::vector<Member> members = dut.members();
  for (const std::optional<std::size_t>& member : registers.members) {
    sources_.push_back(member ? Source{members.at(*member).at, members[*member].bytes} : Source{});
    recording_.is_seen.push_back(member.has_value());
  }
}

Recorder::Recorder(std::unique_ptr<UnitReference> reference, const Unit& unit,
                   std::uint64_t failure)
    : reference_(std::move(reference)),
      counter_(*reference_),
      failure_(failure),
      recording_(recording_of(unit, *reference_, "")) {
  recording_.is_seen.assign(recording_.ports, true);
}

void Recorder::on_cycle(const CycleView& view) {
  if (view.cycle > failure_ + kBehind) return;
  UnitCycle cycle;
  cycle.cycle = view.cycle;
  cycle.in_reset = view.in_reset;
  cycle.seen.resize(recording_.signals.size());
  cycle.expected.resize(recording_.signals.size());
  reference_->step(links_ ? links_->with_links(view) : view, cycle);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (sources_[i].at == nullptr) continue;
    std::memcpy(&cycle.seen[recording_.ports + i], sources_[i].at, sources_[i].bytes);
  }
  if (!recording_.wrong) {
    look_for_first_wrong(cycle);
    if (recording_.wrong) {
      recording_.history = counter_.of(recording_.signals[recording_.wrong->signal].place);
    }
    counter_.count(*reference_, view.in_reset);
  }
  window_.push_back(std::move(cycle));
  if (window_.size() > kWindow) window_.pop_front();
}

/// Registers come first: a port that differs with right registers is wrong itself.
void Recorder::look_for_first_wrong(const UnitCycle& cycle) {
  const auto check = [&](std::size_t i) {
    if (recording_.wrong || !recording_.is_seen[i] || !cycle.expected[i] ||
        cycle.seen[i] == *cycle.expected[i]) {
      return;
    }
    recording_.wrong = FirstWrong{cycle.cycle, i, cycle.seen[i], *cycle.expected[i]};
  };
  for (std::size_t i = recording_.ports; i < recording_.signals.size(); ++i) check(i);
  for (std::size_t i = 0; i < recording_.ports; ++i) check(i);
}

Recording Recorder::take() {
  recording_.cycles.assign(std::make_move_iterator(window_.begin()),
                           std::make_move_iterator(window_.end()));
  window_.clear();
  return std::move(recording_);
}

}  // namespace kernbench::sim
