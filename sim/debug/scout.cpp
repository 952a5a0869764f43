// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/scout.hpp"

#include <cstring>
#include <string>
#include <unordered_map>

namespace kernbench::sim {
Scout::Scout(const Dut& dut, const maze::NetworkConfig& config, std::uint64_t from)
    : from_(from), links_(dut, config.shape), sees_links_(dut.shows_links() || links_.found()) {
  if (!sees_links_) return;
  const maze::Shape& shape = config.shape;
  for (unsigned word = 0; word < shape.words(); ++word) {
    groups_.push_back(std::make_shared<maze::NodeGroup>(config, word));
  }
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    units_.push_back({{Unit::Kind::Node, {node, 0}}, nullptr, {}});
    for (unsigned port = 0; port < shape.ports(); ++port) {
      units_.push_back({{Unit::Kind::Link, {node, port}}, nullptr, {}});
    }
  }
  // Each member belongs to at most one unit: its path has the end of the unit's instance in it.
  std::unordered_map<std::string, std::size_t> unit_of;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    Watched& one = units_[i];
    one.reference = unit_reference(one.unit, config, true, groups_[one.unit.at.node / 64]);
    unit_of[one.reference->instance()] = i;
  }
  std::vector<std::unordered_map<std::string, std::size_t>> names(units_.size());
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const std::vector<UnitSignal>& signals = units_[i].reference->signals();
    for (std::size_t s = units_[i].reference->ports(); s < signals.size(); ++s) {
      names[i][signals[s].path + "." + signals[s].name] = s;
    }
  }
  for (const Member& member : dut.members()) {
    const std::string path = member.path();
    const auto begin = path.find("g_y[");
    if (begin == std::string::npos) continue;
    for (const char* end : {".u_core.", ".u_irs."}) {
      const auto at = path.find(end, begin);
      if (at == std::string::npos) continue;
      const std::size_t length = std::strlen(end);
      const auto unit = unit_of.find(path.substr(begin, at + length - 1 - begin));
      if (unit == unit_of.end()) continue;
      const auto signal = names[unit->second].find(path.substr(at + length));
      if (signal == names[unit->second].end()) break;
      units_[unit->second].registers.emplace_back(signal->second, member);
      break;
    }
  }
  std::erase_if(units_, [](const Watched& one) { return one.registers.empty(); });
}

void Scout::on_cycle(const CycleView& shown) {
  if (!sees_links_ || wrong_) return;
  const CycleView view = links_.with_links(shown);
  if (view.in_reset) {
    for (const auto& group : groups_) group->reset();
  }
  for (const Watched& one : units_) {
    const std::size_t signals = one.reference->signals().size();
    scratch_.seen.assign(signals, 0);
    scratch_.expected.assign(signals, std::nullopt);
    const bool is_link = one.unit.kind == Unit::Kind::Link;
    if (!is_link && view.cycle < from_) continue;
    one.reference->observe(view, scratch_);
    if (view.cycle >= from_ && !wrong_ && is_wrong(one, scratch_)) {
      wrong_ = one.unit;
      wrong_at_ = view.cycle;
    }
    if (is_link) one.reference->clock(view);
  }
  if (view.in_reset) return;
  for (const auto& group : groups_) group->clock(view.links->to_nodes, *view.driven);
}

bool Scout::is_wrong(const Watched& one, const UnitCycle& cycle) {
  for (const auto& [signal, member] : one.registers) {
    if (!cycle.expected[signal]) continue;
    maze::Payload seen = 0;
    std::memcpy(&seen, member.at, member.bytes);
    if (seen != *cycle.expected[signal]) return true;
  }
  return false;
}

}  // namespace kernbench::sim
