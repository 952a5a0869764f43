// SPDX-License-Identifier: Apache-2.0
#include "tests/model/properties/reference_latency.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "model/transport/flits.hpp"
#include "model/transport/wire_time.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::properties {

using common::SimTime;
using components::AccessRequest;
using topology::Edge;
using topology::EdgeId;
using topology::NodeKind;
using transport::Flits;

namespace {

/// The time that each flit of a message has reached.
using Times = std::vector<SimTime>;

void carry(const topology::TopologyGraph& graph, std::span<const EdgeId> route, bool pays_source,
           const Flits& message, Times& flits) {
  bool pays = pays_source;
  for (const EdgeId id : route) {
    const Edge& edge = graph.edge(id);
    const SimTime overhead = pays ? graph.node(edge.from).overhead : SimTime{};
    const SimTime travel =
        transport::propagation(edge.length_nm, graph.spec().system.wire_ns_per_mm);
    const SimTime full = transport::occupancy(message.flit_bytes, edge.bw_gbs);
    SimTime free;
    for (std::size_t j = 0; j < flits.size(); ++j) {
      const std::uint32_t bytes = message.size(j);
      const SimTime taken =
          bytes == message.flit_bytes ? full : transport::occupancy(bytes, edge.bw_gbs);
      free = std::max(flits[j] + overhead, free) + taken;
      flits[j] = free + travel;
    }
    pays = true;
  }
}

/// Returns the channel of a flit, from the words of DESIGN section 5 rather than from the code.
std::uint64_t channel_of(const topology::MemoryMapSpec& memory, std::uint64_t flit) {
  const std::uint64_t count = memory.channels_per_slice;
  std::uint64_t x = flit / count;
  if (memory.hbm_interleave == topology::HbmInterleave::Modulo) return flit - x * count;
  x ^= x >> 30U;
  x *= 0xbf58476d1ce4e5b9U;
  x ^= x >> 27U;
  x *= 0x94d049bb133111ebU;
  x ^= x >> 31U;
  return (flit % count + x % count) % count;
}

/// The channels of a memory.
struct Channels {
  std::size_t count = 1;
  double bw_gbs = 0;  ///< bandwidth of all channels together
};

Channels channels_of(const topology::TopologySpec& spec, NodeKind memory, bool write) {
  switch (memory) {
    case NodeKind::HbmCtrl:
      return {spec.cube.memory_map.channels_per_slice,
              spec.cube.memory_map.hbm_total_bw_gbs / spec.cube.memory_map.slices_per_cube};
    case NodeKind::Sram:
      return {1, spec.cube.sram_bw_gbs};
    default:
      return {1, write ? spec.pe.pe_tcm_write_bw_gbs : spec.pe.pe_tcm_read_bw_gbs};
  }
}

/// Serves the flits; each leaves when it and all earlier ones have been served.
void serve(const RandomSystem& system, const AccessRequest& request, const Flits& data,
           Times& flits) {
  const topology::Node& memory = system.graph().node(system.graph().edge(request.route.back()).to);
  const Channels channels = channels_of(system.spec(), memory.kind, request.write);
  Times free(channels.count);
  SimTime served;
  for (std::size_t j = 0; j < flits.size(); ++j) {
    const std::uint64_t flit = request.address / data.flit_bytes + j;
    SimTime& channel =
        free[channels.count == 1 ? 0 : channel_of(system.spec().cube.memory_map, flit)];
    channel = std::max(flits[j] + memory.overhead, channel) +
              transport::occupancy(data.size(j) * channels.count, channels.bw_gbs);
    served = std::max(served, channel);
    flits[j] = served;
  }
}

}  // namespace

SimTime reference_latency(const RandomSystem& system, const AccessRequest& request) {
  const topology::SystemSpec& spec = system.spec().system;
  const Flits data{request.bytes, spec.flit_bytes};
  const Flits control{spec.request_bytes, spec.flit_bytes};
  const Flits& sent = request.write ? data : control;
  const Flits& answered = request.write ? control : data;
  Times flits(sent.count());
  carry(system.graph(), request.route, request.source == transport::SourceOverhead::Added, sent,
        flits);
  if (request.write) {
    serve(system, request, data, flits);
    flits.assign(answered.count(), flits.back());
  } else {
    flits.assign(answered.count(), flits.back());
    serve(system, request, data, flits);
  }
  carry(system.graph(), system.way_back(request.route), false, answered, flits);
  return flits.back();
}

}  // namespace kernbench::model::properties
