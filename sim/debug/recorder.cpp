// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace kernbench::sim {

UnitRegisters find_registers(const Model& model, const UnitReference& reference) {
  UnitRegisters found;
  found.signals = reference.signals();
  if (reference.instance().empty()) return found;  // it has ports alone
  const std::vector<Member> members = model.members();
  const std::string end = reference.instance() + ".";
  std::map<std::string, std::size_t> inside;  // by name below the instance
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string path = members[i].path();
    const auto at = path.find(end);
    if (at == std::string::npos || at == 0) continue;
    // Verilator joins the names of two classes with "__" in place of a dot.
    const bool is_joined = at > 1 && path.compare(at - 2, 2, "__") == 0;
    if (path[at - 1] != '.' && !is_joined) continue;
    found.instance = path.substr(0, at - (is_joined ? 2 : 1)) + "." + reference.instance();
    inside.emplace(path.substr(at + end.size()), i);
  }
  std::set<std::size_t> known;
  const auto bits_of = [&](const UnitSignal& signal) -> std::optional<UnitRegisters::Bits> {
    const std::string name = signal.path + "." + signal.name;
    auto member = inside.find(name);
    unsigned low = signal.low;
    if (member == inside.end()) {
      member = inside.find(fmt::format("{}[{}]", name, signal.low / signal.bits));
      low = 0;
    }
    if (member == inside.end() || low >= members[member->second].bits) return std::nullopt;
    known.insert(member->second);
    return UnitRegisters::Bits{member->second, low};
  };
  for (std::size_t i = reference.ports(); i < found.signals.size(); ++i) {
    found.members.push_back(bits_of(found.signals[i]));
  }
  for (const auto& [name, member] : inside) {
    if (known.count(member) != 0 || members[member].bits > 64) continue;
    const auto dot = name.rfind('.');
    UnitSignal signal;
    signal.path = dot == std::string::npos ? "" : name.substr(0, dot);
    signal.name = name.substr(dot == std::string::npos ? 0 : dot + 1);
    signal.bits = members[member].bits;
    signal.label = name;
    found.signals.push_back(std::move(signal));
    found.members.emplace_back(UnitRegisters::Bits{member, 0});
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
  recording_ = recording_of(unit, *reference_, "");
  recording_.is_seen.assign(recording_.ports, true);
  add_registers(dut, registers);
}

Recorder::Recorder(std::unique_ptr<UnitReference> reference, const Unit& unit,
                   std::uint64_t failure, const Model* model)
    : reference_(std::move(reference)),
      counter_(*reference_),
      failure_(failure),
      recording_(recording_of(unit, *reference_, "")) {
  recording_.is_seen.assign(recording_.ports, true);
  if (model != nullptr) add_registers(*model, find_registers(*model, *reference_));
}

void Recorder::add_registers(const Model& model, const UnitRegisters& registers) {
  recording_.instance = registers.instance;
  recording_.signals = registers.signals;
  const std::vector<Member> members = model.members();
  for (std::size_t i = 0; i < registers.members.size(); ++i) {
    const std::optional<UnitRegisters::Bits>& place = registers.members[i];
    recording_.is_seen.push_back(place.has_value());
    Source source;
    if (place) {
      const Member& member = members.at(place->member);
      source.at = static_cast<const unsigned char*>(member.at) + place->low / 8;
      source.shift = place->low % 8;
      const unsigned whole = recording_.signals[recording_.ports + i].bits;
      source.bits = std::min(whole, member.bits - place->low);
      source.bytes = (source.shift + source.bits + 7) / 8;
    }
    sources_.push_back(source);
  }
}

maze::Payload Recorder::Source::read() const {
  maze::Payload value = 0;
  std::memcpy(&value, at, std::min<std::size_t>(bytes, sizeof value));
  value >>= shift;
  if (bytes > sizeof value) value |= maze::Payload{at[sizeof value]} << (64 - shift);
  return bits == 64 ? value : value & ((maze::Payload{1} << bits) - 1);
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
    cycle.seen[recording_.ports + i] = sources_[i].read();
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
