// What a Network knows of its wires before anything moves, and its routes.
#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/transport/network.hpp"
#include "model/transport/wire_time.hpp"

namespace kernbench::model::transport {

using topology::Edge;
using topology::EdgeId;

namespace {

/// Nodes that pass flits on and are no end of any message.
bool only_passes_on(topology::NodeKind kind) {
  using topology::NodeKind;
  return kind == NodeKind::UcieConn || kind == NodeKind::UciePhy || kind == NodeKind::IoConn ||
         kind == NodeKind::IoUcie;
}

}  // namespace

Network::Network(engine::Simulation& simulation, const topology::TopologyGraph& graph,
                 trace::HopTrace* trace, const FabricFactory& make_fabric)
    : simulation_(simulation),
      graph_(graph),
      trace_(trace),
      flit_bytes_(graph.spec().system.flit_bytes) {
  using Ends = std::tuple<std::uint32_t, std::uint32_t, topology::EdgeKind, std::uint32_t>;
  std::vector<Ends> by_ends;
  wires_.reserve(graph.edges().size());
  by_ends.reserve(graph.edges().size());
  for (std::uint32_t i = 0; i < graph.edges().size(); ++i) {
    const Edge& edge = graph.edges()[i];
    Wire wire;
    wire.travel = propagation(edge.length_nm, graph.spec().system.wire_ns_per_mm);
    wire.overhead = graph.node(edge.from).overhead;
    wire.full_flit = occupancy(flit_bytes_, edge.bw_gbs);
    if (edge.kind == topology::EdgeKind::MazeLink) {
      wire.travel = kMazeLink;
      maze_links_.try_emplace(edge.from, i);
    }
    wires_.push_back(std::move(wire));
    by_ends.emplace_back(edge.from.value(), edge.to.value(), edge.kind, i);
  }
  std::sort(by_ends.begin(), by_ends.end());
  for (const Edge& edge : graph.edges()) {
    const Ends wanted{edge.to.value(), edge.from.value(), opposite(edge.kind), 0};
    const auto found = std::lower_bound(by_ends.begin(), by_ends.end(), wanted);
    back_.emplace_back(found == by_ends.end() ? 0 : std::get<3>(*found));
  }
  WiresTo wires_to(graph.nodes().size());
  for (std::uint32_t i = 0; i < wires_.size(); ++i) {
    wires_to[graph.edges()[i].to.value()].push_back(i);
  }
  find_followers(wires_to);
  find_lateness(wires_to);
  if (maze_links_.empty()) return;
  for (std::uint32_t sip = 0; sip < graph.spec().system.sips; ++sip) {
    fabrics_.push_back(make_fabric ? make_fabric(simulation, graph.spec().sip)
                                   : fabric::make_analytic_maze(simulation, graph.spec().sip));
  }
}

bool Network::is_memory(topology::NodeId node) const {
  using topology::NodeKind;
  const NodeKind kind = graph_.node(node).kind;
  return kind == NodeKind::HbmCtrl || kind == NodeKind::Sram || kind == NodeKind::PeTcm;
}

/// A flit does not turn back, so what leaves a node of two neighbours came from the other one.
void Network::find_followers(const WiresTo& wires_to) {
  for (std::uint32_t i = 0; i < wires_.size(); ++i) {
    const Edge& edge = graph_.edges()[i];
    if (!only_passes_on(graph_.node(edge.from).kind)) continue;
    std::size_t leaders = 0;
    for (const std::uint32_t before : wires_to[edge.from.value()]) {
      if (graph_.edges()[before].from == edge.to) continue;
      wires_[i].leader = before;
      ++leaders;
    }
    if (leaders != 1) wires_[i].leader = kNone;
  }
}

/// No route passes through a memory, so all that comes by its only wire is for itself, in order.
void Network::find_lateness(const WiresTo& wires_to) {
  for (std::uint32_t i = 0; i < wires_.size(); ++i) {
    const topology::NodeId end = graph_.edges()[i].to;
    if (!is_memory(end) || wires_to[end.value()].size() != 1) continue;
    wires_[i].lateness = graph_.node(end).overhead;
  }
}

std::size_t Network::EdgesHash::operator()(std::span<const EdgeId> edges) const {
  std::uint64_t hash = edges.size();
  for (const EdgeId edge : edges) hash = (hash ^ edge.value()) * 0x9e3779b97f4a7c15U;
  return hash ^ hash >> 32U;
}

bool Network::SameEdges::operator()(std::span<const EdgeId> a, std::span<const EdgeId> b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

const Route& Network::route(std::span<const EdgeId> edges) const {
  const auto known = routes_.find(edges);
  if (known != routes_.end()) return known->second;
  if (edges.empty()) throw std::invalid_argument("a message takes at least one wire");
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (!follows(edges[i - 1], edges[i])) {
      throw std::invalid_argument("the wires of a route follow each other");
    }
    if (is_memory(graph_.edge(edges[i]).from)) {
      throw std::invalid_argument("a route does not pass through a memory");
    }
  }
  if (wires_[edges.front().value()].is_maze_link() || wires_[edges.back().value()].is_maze_link()) {
    throw std::invalid_argument("a route neither begins nor ends at a MAZE node");
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::uint32_t leader = wires_[edges[i].value()].leader;
    if (leader != kNone && (i == 0 || edges[i - 1].value() != leader)) {
      throw std::invalid_argument(
          "a route neither begins nor turns back at a node that only passes flits on");
    }
  }
  const std::vector<EdgeId> copy(edges.begin(), edges.end());
  const auto first_hop = static_cast<std::uint32_t>(hops_.size());
  for (const EdgeId edge : copy) {
    hops_.push_back(edge.value() | (wires_[edge.value()].leader == kNone ? 0 : kFollower));
  }
  hops_.push_back(kEnd);
  return routes_.emplace(copy, Route{copy, first_hop, nullptr}).first->second;
}

const Route& Network::reversed(const Route& route) const {
  if (route.back != nullptr) return *route.back;
  const std::vector<EdgeId>& edges = route.edges;
  std::vector<EdgeId> back;
  for (std::size_t i = edges.size(); i-- > 0;) {
    // A MAZE hop ends where the next wire begins, whatever links carry it.
    back.push_back(wires_[edges[i].value()].is_maze_link()
                       ? maze_links_.at(graph_.edge(edges[i + 1]).from)
                       : back_[edges[i].value()]);
  }
  Route& kept = routes_.find(edges)->second;
  kept.back = &this->route(back);
  return *kept.back;
}

bool Network::follows(EdgeId before, EdgeId next) const {
  const topology::NodeId begins = graph_.edge(next).from;
  if (!wires_[before.value()].is_maze_link()) return graph_.edge(before).to == begins;
  const topology::Node& end = graph_.node(begins);
  return end.kind == topology::NodeKind::Maze &&
         end.sip == graph_.node(graph_.edge(before).from).sip;
}

}  // namespace kernbench::model::transport
