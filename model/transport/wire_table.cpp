// SPDX-License-Identifier: Apache-2.0
#include "model/transport/wire_table.hpp"

#include <algorithm>

namespace kernbench::model::transport {

using topology::Edge;
using topology::EdgeId;
using topology::NodeId;
using topology::NodeKind;

namespace {

/// No message begins or ends at such a node.
bool only_passes_on(NodeKind kind) {
  return kind == NodeKind::UcieConn || kind == NodeKind::UciePhy || kind == NodeKind::IoConn ||
         kind == NodeKind::IoUcie;
}

}  // namespace

WireTable::WireTable(const topology::TopologyGraph& graph)
    : graph_(graph), leader_(graph.edges().size(), kNone), is_sole_input_(graph.edges().size()) {
  WiresByEnd wires_to(graph.nodes().size());
  for (std::uint32_t i = 0; i < graph.edges().size(); ++i) {
    wires_to[graph.edges()[i].to.value()].push_back(i);
  }
  find_reverse_wires(wires_to);
  find_carried();
  find_leaders(wires_to);
  find_sole_inputs(wires_to);
}

bool WireTable::is_memory(NodeId node) const {
  const NodeKind kind = graph_.node(node).kind;
  return kind == NodeKind::HbmCtrl || kind == NodeKind::Sram || kind == NodeKind::PeTcm;
}

std::optional<EdgeId> WireTable::leader(EdgeId wire) const {
  const std::uint32_t leader = leader_[wire.value()];
  if (leader == kNone) return std::nullopt;
  return EdgeId(leader);
}

common::SimTime WireTable::notice_delay(EdgeId wire) const {
  if (!is_sole_input_[wire.value()]) return {};
  return graph_.node(graph_.edge(wire).to).overhead;
}

void WireTable::find_reverse_wires(const WiresByEnd& wires_to) {
  reverse_.reserve(graph_.edges().size());
  for (const Edge& edge : graph_.edges()) {
    const std::vector<std::uint32_t>& back = wires_to[edge.from.value()];
    const auto found = std::find_if(back.begin(), back.end(), [&](std::uint32_t i) {
      const Edge& other = graph_.edges()[i];
      return other.from == edge.to && other.kind == opposite(edge.kind);
    });
    reverse_.emplace_back(found == back.end() ? kNone : *found);
  }
}

void WireTable::find_carried() {
  for (std::uint32_t i = 0; i < graph_.edges().size(); ++i) {
    if (is_carried(EdgeId(i))) carried_.try_emplace(graph_.edges()[i].from, i);
  }
}

void WireTable::find_leaders(const WiresByEnd& wires_to) {
  for (std::uint32_t i = 0; i < leader_.size(); ++i) {
    const Edge& edge = graph_.edges()[i];
    if (!only_passes_on(graph_.node(edge.from).kind)) continue;
    std::size_t inputs = 0;
    for (const std::uint32_t input : wires_to[edge.from.value()]) {
      if (graph_.edges()[input].from == edge.to) continue;  // a flit does not turn back
      leader_[i] = input;
      ++inputs;
    }
    if (inputs != 1) leader_[i] = kNone;
  }
}

void WireTable::find_sole_inputs(const WiresByEnd& wires_to) {
  for (std::uint32_t i = 0; i < is_sole_input_.size(); ++i) {
    const NodeId end = graph_.edges()[i].to;
    is_sole_input_[i] = is_memory(end) && wires_to[end.value()].size() == 1;
  }
}

}  // namespace kernbench::model::transport
