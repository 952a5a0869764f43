// SPDX-License-Identifier: Apache-2.0
#include "model/trace/critical_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "topology/graph/node_names.hpp"

namespace kernbench::model::trace {

using common::SimTime;
using topology::EdgeId;
using topology::NodeId;
using topology::TopologyGraph;

namespace {

bool is_of_wire(TimeUse use) {
  return use == TimeUse::WireWait || use == TimeUse::Wire || use == TimeUse::Travel;
}

/// Returns the node that a share belongs to: of a wire, the one at its beginning.
NodeId node_of(const TimeShare& share, const TopologyGraph& graph) {
  return is_of_wire(share.use) ? graph.edge(EdgeId(share.place)).from : NodeId(share.place);
}

std::string wire_name(std::uint32_t wire, const TopologyGraph& graph) {
  const topology::Edge& edge = graph.edge(EdgeId(wire));
  return fmt::format("{} -> {}", graph.name(edge.from), graph.name(edge.to));
}

std::string use_name(const TimeShare& share, const TopologyGraph& graph) {
  static constexpr std::array<const char*, kTimeUses> kNames = {"overhead of {}",
                                                                "wait for a wire from {}",
                                                                "flits on a wire from {}",
                                                                "travel on a wire from {}",
                                                                "{} from node to node",
                                                                "wait for a channel of {}",
                                                                "service by {}",
                                                                "wait for {}",
                                                                "work of {}"};
  const std::string_view kind = topology::name(graph.node(node_of(share, graph)).kind);
  return fmt::format(fmt::runtime(kNames[static_cast<std::size_t>(share.use)]), kind);
}

/// Returns what a wait waits for: " behind own flits", " behind read data".
std::string behind_text(const TimeShare& share) {
  if (share.own) return share.use == TimeUse::EngineWait ? " behind own work" : " behind own flits";
  return share.behind.empty() ? std::string() : fmt::format(" behind {}", share.behind);
}

/// Returns what would make a share shorter.
std::string limit_of(const TimeShare& share, const TopologyGraph& graph) {
  const std::string_view kind = is_of_wire(share.use)
                                    ? topology::name(graph.edge(EdgeId(share.place)).kind)
                                    : topology::name(graph.node(NodeId(share.place)).kind);
  switch (share.use) {
    case TimeUse::Overhead:
    case TimeUse::Travel:
      return "latency of messages and accesses";
    case TimeUse::Fabric:
      return kind == topology::name(topology::NodeKind::Maze) ? "latency of the MAZE"
                                                              : "latency of the network";
    case TimeUse::WireWait:
      if (!share.own) return fmt::format("contention for wires {}", kind);
      [[fallthrough]];
    case TimeUse::Wire:
      return fmt::format("bandwidth of wires {}", kind);
    case TimeUse::ChannelWait:
      if (!share.own) return fmt::format("contention for {}", kind);
      [[fallthrough]];
    case TimeUse::Service:
      return fmt::format("bandwidth of {}", kind);
    case TimeUse::EngineWait:
    case TimeUse::Work:
      return fmt::format("speed of {}", kind);
  }
  throw std::logic_error("no such use of time");
}

std::vector<PathPart> sorted(const std::map<std::string, SimTime>& times) {
  std::vector<PathPart> parts;
  parts.reserve(times.size());
  for (const auto& [name, time] : times) parts.push_back({name, time});
  std::stable_sort(parts.begin(), parts.end(),
                   [](const PathPart& a, const PathPart& b) { return a.time > b.time; });
  return parts;
}

template <typename NameOf>
std::vector<PathPart> grouped(const CriticalPath& path, const NameOf& name_of) {
  std::map<std::string, SimTime> times;
  for (const TimeShare& share : path.shares) {
    const std::string name = name_of(share);
    if (!name.empty()) times[name] += share.time;
  }
  return sorted(times);
}

/// Returns the shares of steps after `start`.
std::vector<TimeShare> shares_after(SimTime start, const PathStep& steps) {
  std::vector<TimeShare> shares = steps.shares();
  SimTime named;
  for (const TimeShare& share : shares) named += share.time;
  if (named > steps.end - steps.begin()) {
    throw std::logic_error(fmt::format("the parts of a step '{}' take {} ps, the step {} ps",
                                       steps.label().what, named.ps(),
                                       (steps.end - steps.begin()).ps()));
  }
  if (steps.begin() >= start) return shares;
  if (steps.window() != SimTime())
    throw std::logic_error("a critical path cannot start within joined steps");
  SimTime early = start - steps.begin();
  for (TimeShare& share : shares) {
    const SimTime less = std::min(early, share.time);
    share.time = share.time - less;
    share.at += less;
    early = early - less;
  }
  std::erase_if(shares, [](const TimeShare& share) { return share.time == SimTime(); });
  return shares;
}

}  // namespace

SimTime CriticalPath::unnamed() const {
  SimTime named;
  for (const TimeShare& share : shares) named += share.time;
  return time() - named;
}

std::vector<PathPart> CriticalPath::by_component(const TopologyGraph& graph) const {
  return grouped(
      *this, [&](const TimeShare& share) { return use_name(share, graph) + behind_text(share); });
}

std::vector<PathPart> CriticalPath::by_limit(const TopologyGraph& graph) const {
  return grouped(*this, [&](const TimeShare& share) { return limit_of(share, graph); });
}

std::vector<PathPart> CriticalPath::by_operation() const {
  return grouped(*this, [](const TimeShare& share) { return std::string(share.what); });
}

std::vector<PathPart> CriticalPath::by_pe(const TopologyGraph& graph) const {
  return grouped(*this, [&](const TimeShare& share) {
    const topology::Node& node = graph.node(node_of(share, graph));
    if (node.pe == topology::kNoIndex) return std::string("outside of PEs");
    return topology::node_names::pe(node.sip, node.cube, node.pe);
  });
}

std::vector<WireTime> CriticalPath::wire_times() const {
  std::map<std::uint32_t, SimTime> sums;
  for (const TimeShare& share : shares) {
    if (is_of_wire(share.use)) sums[share.place] += share.time;
  }
  std::vector<WireTime> times;
  times.reserve(sums.size());
  for (const auto& [wire, time] : sums) times.push_back({EdgeId(wire), time});
  std::stable_sort(times.begin(), times.end(),
                   [](const WireTime& a, const WireTime& b) { return a.time > b.time; });
  return times;
}

std::vector<PathPart> CriticalPath::by_link(const TopologyGraph& graph) const {
  std::vector<PathPart> parts;
  for (const WireTime& one : wire_times()) {
    parts.push_back({wire_name(one.wire.value(), graph), one.time});
  }
  return parts;
}

std::vector<CriticalPath> CriticalPath::over_time(std::size_t most) const {
  if (time() == SimTime()) return {};
  std::int64_t length = std::max<std::int64_t>(window.ps(), 1);
  const auto index_of = [&](SimTime at) { return at.ps() / length; };
  const auto count = [&] {
    return static_cast<std::size_t>((end.ps() - 1) / length - index_of(start) + 1);
  };
  while (count() > most) length *= 2;
  const std::int64_t first = index_of(start);
  std::vector<CriticalPath> parts(count());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int64_t from = (first + static_cast<std::int64_t>(i)) * length;
    parts[i].start = std::max(start, SimTime::from_ps(from));
    parts[i].end = std::min(end, SimTime::from_ps(from + length));
  }
  for (TimeShare rest : shares) {
    while (rest.time != SimTime()) {
      const std::int64_t index = index_of(rest.at);
      const SimTime room = SimTime::from_ps((index + 1) * length) - rest.at;
      TimeShare piece = rest;
      piece.time = std::min(rest.time, room);
      parts.at(static_cast<std::size_t>(index - first)).shares.push_back(piece);
      rest.time = rest.time - piece.time;
      rest.at += piece.time;
    }
  }
  return parts;
}

CriticalPath find_critical_path(const engine::Cause& last, SimTime start, SimTime end) {
  CriticalPath path{start, end, 0, {}};
  std::vector<PathStep*> steps;
  for (engine::CauseStep* at = last.get(); at != nullptr && at->end > start; at = at->cause.get()) {
    steps.push_back(static_cast<PathStep*>(at));
  }
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    (*step)->place_in_time();
    const std::vector<TimeShare> shares = shares_after(start, **step);
    path.window = std::max(path.window, (*step)->window());
    path.shares.insert(path.shares.end(), shares.begin(), shares.end());
    path.steps += (*step)->steps();
  }
  return path;
}

std::string text_of(const TimeShare& share, const TopologyGraph& graph) {
  std::string text = fmt::format(
      "{}: {} ({})", share.what, use_name(share, graph),
      is_of_wire(share.use) ? wire_name(share.place, graph) : graph.name(NodeId(share.place)));
  return text + behind_text(share);
}

}  // namespace kernbench::model::trace
