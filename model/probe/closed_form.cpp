// SPDX-License-Identifier: Apache-2.0
#include "model/probe/closed_form.hpp"

#include <algorithm>
#include <vector>

#include "model/transport/flits.hpp"
#include "model/transport/wire_time.hpp"
#include "topology/routing/carried_links.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::model::probe {

using common::SimTime;
using topology::Edge;
using topology::EdgeId;
using transport::Flits;

namespace {

/// A flit on its way: the time it has reached, and how that time was spent.
struct FlitTime {
  SimTime at;
  Breakdown spent;

  void spend(SimTime Breakdown::*term, SimTime time) {
    spent.*term += time;
    at += time;
  }
  void wait_until(SimTime time) {
    if (time > at) spend(&Breakdown::pipeline, time - at);
  }
};

/// Returns the clock edges that a packet spends in links and nodes between two MAZE nodes: the
/// stages of the links, and two for each node (MAZE network, requirement 3).
std::int64_t maze_edges(const topology::SipSpec& sip, std::uint32_t from, std::uint32_t to) {
  const auto link = [](std::uint32_t a, std::uint32_t b, std::uint32_t n) -> std::int64_t {
    const std::uint32_t k = (b + n - a) % n;
    return std::max<std::int64_t>(0, std::int64_t{std::min(k, n - k)} - 1);
  };
  const std::uint32_t w = sip.cube_mesh_w;
  const int nodes = 1 + (from % w != to % w ? 1 : 0) + (from / w != to / w ? 1 : 0);
  return link(from % w, to % w, w) + link(from / w, to / w, sip.cube_mesh_h) +
         std::int64_t{2} * nodes;
}

/// The way of a packet through a fabric, which takes one at each clock edge.
struct FabricWay {
  std::int64_t period_ps = 0;
  std::uint32_t packet_bits = 0;
  std::int64_t edges = 0;  ///< clock edges in links and nodes
};

/// Returns the way from port to port of a fabric. In a network of any topology, each router takes
/// two clock edges and the stages of the link in front of it (docs/noc.md).
FabricWay way_between(const topology::TopologyGraph& graph, const topology::Node& from,
                      const topology::Node& to) {
  if (from.kind == topology::NodeKind::Maze) {
    const topology::SipSpec& sip = graph.spec().sip;
    return {SimTime::from_ns(sip.maze.clock_ns).ps(), sip.maze.flit_bits,
            maze_edges(sip, from.cube, to.cube)};
  }
  const bool between_sips = topology::fabric_of(from) == topology::kNoIndex;
  const auto& [topology, noc] = topology::noc_of(graph.spec(), between_sips);
  const auto channels = topology->route(topology::endpoint_of(from), topology::endpoint_of(to));
  std::int64_t edges = std::int64_t{2} + noc.stages;
  for (const std::uint32_t channel : channels.value()) {
    edges += 2 + topology->topology()->channels()[channel].stages_or(noc.stages);
  }
  return {SimTime::from_ns(noc.clock_ns).ps(), noc.flit_bits, edges};
}

/// Advances the flits of a message, in order, through a fabric.
void carry_through(const FabricWay& way, const Flits& message, std::vector<FlitTime>& flits) {
  const std::int64_t period = way.period_ps;
  std::int64_t free_edge = 0;
  for (std::size_t j = 0; j < flits.size(); ++j) {
    FlitTime& flit = flits[j];
    const std::int64_t packets =
        (std::int64_t{message.size(j)} * 8 + way.packet_bits - 1) / way.packet_bits;
    const std::int64_t first = flit.at.ps() / period + 1;
    const std::int64_t begin = std::max(first, free_edge);
    free_edge = begin + packets;
    const SimTime seen = SimTime::from_ps(first * period) - flit.at;
    flit.spend(&Breakdown::travel, seen + SimTime::from_ps(way.edges * period));
    flit.spend(&Breakdown::pipeline, SimTime::from_ps((begin - first) * period));
    flit.spend(&Breakdown::serialization, SimTime::from_ps((packets - 1) * period));
  }
}

/// Advances the flits of a message, in order, over the wires of `route`.
void carry(const topology::TopologyGraph& graph, std::span<const EdgeId> route, bool pays_source,
           const Flits& message, std::vector<FlitTime>& flits) {
  const double ns_per_mm = graph.spec().system.wire_ns_per_mm;
  for (std::size_t hop = 0; hop < route.size(); ++hop) {
    const Edge& edge = graph.edge(route[hop]);
    if (topology::is_carried(edge.kind)) {
      const topology::Node& to = graph.node(graph.edge(route[hop + 1]).from);
      carry_through(way_between(graph, graph.node(edge.from), to), message, flits);
      continue;
    }
    SimTime free;
    for (std::size_t j = 0; j < flits.size(); ++j) {
      FlitTime& flit = flits[j];
      if (hop > 0 || pays_source) {
        flit.spend(&Breakdown::overhead, graph.node(edge.from).overhead);
      }
      flit.wait_until(free);
      flit.spend(&Breakdown::serialization, transport::occupancy(message.size(j), edge.bw_gbs));
      free = flit.at;
      flit.spend(&Breakdown::travel, transport::propagation(edge.length_nm, ns_per_mm));
    }
  }
}

/// Contiguous bytes in a memory.
struct Run {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// Returns where bytes `first` to `first + bytes - 1` of the access are in the memory.
std::vector<Run> runs_of(const LoneAccess& access, std::uint64_t first, std::uint64_t bytes) {
  if (access.row_bytes == 0) return {{access.address + first, bytes}};
  std::vector<Run> runs;
  for (std::uint64_t i = first; i < first + bytes; ++i) {
    if (i == first || i % access.row_bytes == 0) {
      runs.push_back(
          {access.address + i / access.row_bytes * access.row_stride + i % access.row_bytes, 0});
    }
    ++runs.back().bytes;
  }
  return runs;
}

/// Serves flits that have arrived at an hbm_ctrl, each row of a flit at its own address. Flits
/// leave in address order.
void serve(const topology::TopologyGraph& graph, const LoneAccess& access, const Flits& data,
           std::vector<FlitTime>& flits) {
  const topology::MemoryMapSpec& memory = graph.spec().cube.memory_map;
  const double slice_bw = memory.slice_bw_gbs();
  std::vector<SimTime> free(memory.channels_per_slice);
  SimTime last_left;
  for (std::size_t j = 0; j < flits.size(); ++j) {
    FlitTime& flit = flits[j];
    flit.spend(&Breakdown::overhead, graph.node(graph.edge(access.there.back()).to).overhead);
    FlitTime served = flit;  // the last of its rows to be served
    for (const Run& run : runs_of(access, j * data.flit_bytes, data.size(j))) {
      FlitTime row = flit;
      SimTime& channel = free[topology::hbm_channel(
          memory.hbm_interleave, run.address / data.flit_bytes, memory.channels_per_slice)];
      row.wait_until(channel);
      row.spend(&Breakdown::memory, transport::occupancy(run.bytes * free.size(), slice_bw));
      channel = row.at;
      if (row.at > served.at) served = row;
    }
    flit = served;
    flit.wait_until(last_left);
    last_left = flit.at;
  }
}

}  // namespace

Breakdown closed_form(const topology::TopologyGraph& graph, const LoneAccess& access) {
  const topology::SystemSpec& system = graph.spec().system;
  const Flits data{access.bytes, system.flit_bytes};
  const Flits control{system.request_bytes, system.flit_bytes};
  const Flits& sent = access.write ? data : control;
  const Flits& answered = access.write ? control : data;

  std::vector<FlitTime> flits(sent.count());
  carry(graph, access.there, true, sent, flits);
  if (access.write) {
    serve(graph, access, data, flits);
    flits.assign(answered.count(), flits.back());
  } else {
    flits.assign(answered.count(), flits.back());
    serve(graph, access, data, flits);
  }
  carry(graph, access.back, false, answered, flits);
  return flits.back().spent;
}

}  // namespace kernbench::model::probe
