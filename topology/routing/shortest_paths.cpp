// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/shortest_paths.hpp"

#include <algorithm>

namespace kernbench::topology {
namespace {

/// Stands for some SIP.
constexpr std::uint16_t kInside = kNoIndex - 1;

}  // namespace

bool are_sips_leaves(const TopologyGraph& graph) {
  std::optional<NodeId> between;
  return std::all_of(graph.edges().begin(), graph.edges().end(), [&](const Edge& edge) {
    const std::uint16_t from = graph.node(edge.from).sip;
    const std::uint16_t to = graph.node(edge.to).sip;
    if (from == to) return true;
    if (from != kNoIndex && to != kNoIndex) return false;
    const NodeId outside = from == kNoIndex ? edge.from : edge.to;
    if (!between) between = outside;
    return *between == outside;
  });
}

ShortestPaths::ShortestPaths(const TopologyGraph& graph, const Stops& stops, const ArcTable& arcs,
                             NodeId source, bool without_command, bool leaves)
    : graph_(graph), stops_(stops), leaves_(leaves), states_(stops.count()) {
  restart(arcs, source, without_command);
}

void ShortestPaths::restart(const ArcTable& arcs, NodeId source, bool without_command) {
  arcs_ = &arcs;
  without_command_ = without_command;
  for (const std::uint32_t stop : reached_) states_[stop] = {};
  reached_.clear();
  open_.assign(1, graph_.node(source).sip);
  held_.clear();
  pending_ = {};
  pushed_ = 0;
  for (std::uint32_t lane = 0; lane < stops_.lanes(source); ++lane) {
    const std::uint32_t stop = stops_.stop(source, lane);
    states_[stop].set(Progress::Reached);
    reached_.push_back(stop);
    pending_.push({0, pushed_++, stop});
  }
}

std::size_t ShortestPaths::bytes(const Stops& stops) {
  return stops.count() * sizeof(StopState);
}

std::uint16_t ShortestPaths::sip_of(std::uint32_t stop) const {
  // Further lanes are those of PHYs, which are in SIPs and have no arc from outside.
  return stop < graph_.nodes().size() ? graph_.nodes()[stop].sip : kInside;
}

bool ShortestPaths::is_open(std::uint16_t sip) const {
  return !leaves_ || sip == kNoIndex || std::find(open_.begin(), open_.end(), sip) != open_.end();
}

void ShortestPaths::open(std::uint16_t sip) {
  if (is_open(sip)) return;
  open_.push_back(sip);
  for (const Held& held : held_) {
    if (sip_of(held.arc->to) == sip) {
      relax(held.from, *held.arc, held.distance);
    }
  }
}

std::optional<std::int64_t> ShortestPaths::distance_nm(NodeId goal) {
  open(graph_.node(goal).sip);
  std::optional<std::int64_t> nearest;
  for (std::uint32_t lane = 0; lane < stops_.lanes(goal); ++lane) {
    const auto distance = stop_distance_nm(stops_.stop(goal, lane));
    if (distance && (!nearest || *distance < *nearest)) nearest = distance;
  }
  return nearest;
}

std::optional<std::int64_t> ShortestPaths::stop_distance_nm(std::uint32_t stop) {
  const StopState& state = states_[stop];
  while (state.progress() != Progress::Settled && !pending_.empty()) settle_next();
  if (state.progress() != Progress::Settled) return std::nullopt;
  return state.distance;
}

void ShortestPaths::settle_next() {
  const Pending next = pending_.top();
  pending_.pop();
  StopState& state = states_[next.stop];
  if (state.progress() == Progress::Settled) return;  // a stale entry of a longer path
  state.set(Progress::Settled);
  const bool outside = sip_of(next.stop) == kNoIndex;
  for (const Arc& arc : arcs_->leaving(next.stop)) {
    if (without_command_ && graph_.edge(arc.edge).kind == EdgeKind::Command) continue;
    const std::int64_t distance = next.distance + arc.weight_nm;
    // Only the node between the SIPs has arcs into another one.
    if (leaves_ && outside && sip_of(arc.to) != kNoIndex) {
      held_.push_back({next.stop, &arc, distance});
      if (!is_open(sip_of(arc.to))) continue;
    }
    relax(next.stop, arc, distance);
  }
}

void ShortestPaths::relax(std::uint32_t from, const Arc& arc, std::int64_t distance) {
  StopState& state = states_[arc.to];
  if (state.progress() == Progress::Unreached) reached_.push_back(arc.to);
  if (state.progress() == Progress::Unreached || distance < state.distance) {
    state.distance = distance;
    state.reached_by = arc.edge.value();
    state.set(from, Progress::Reached);
    pending_.push({distance, pushed_++, arc.to});
  } else if (distance == state.distance && graph_.edge(arc.edge).vertical &&
             state.progress() != Progress::Settled && state.reached_by != kNoEdge &&
             !graph_.edge(EdgeId(state.reached_by)).vertical) {
    state.reached_by = arc.edge.value();
    state.set(from, Progress::Reached);
  }
}

std::uint32_t ShortestPaths::last_stop(NodeId goal) const {
  std::uint32_t best = stops_.stop(goal, 0);
  for (std::uint32_t lane = 1; lane < stops_.lanes(goal); ++lane) {
    const std::uint32_t stop = stops_.stop(goal, lane);
    if (states_[stop].progress() != Progress::Settled) continue;
    if (states_[best].progress() != Progress::Settled ||
        states_[stop].distance < states_[best].distance) {
      best = stop;
    }
  }
  return best;
}

std::vector<EdgeId> ShortestPaths::edges_to(NodeId goal) const {
  std::vector<EdgeId> edges;
  for (std::uint32_t stop = last_stop(goal); states_[stop].reached_by != kNoEdge;
       stop = states_[stop].from()) {
    edges.emplace_back(states_[stop].reached_by);
  }
  std::reverse(edges.begin(), edges.end());
  return edges;
}

}  // namespace kernbench::topology
