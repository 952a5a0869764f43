// SPDX-License-Identifier: Apache-2.0
#include "model/trace/what_if.hpp"
#include "topology/spec/topology_spec.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace kernbench::model::trace {

using common::SimTime;
using topology::EdgeId;
using topology::NodeId;
using topology::NodeKind;
using topology::TopologyGraph;

namespace {

/// Returns the relative time of a byte at a memory.
double time_of_byte(const TimeShare& share, const TopologyGraph& graph) {
  const topology::TopologySpec& spec = graph.spec();
  switch (graph.node(NodeId(share.place)).kind) {
    case NodeKind::HbmCtrl:
      return 1.0 / spec.cube.memory_map.hbm_total_bw_gbs;
    case NodeKind::Sram:
      return 1.0 / spec.cube.sram_bw_gbs;
    default: {
      const bool writes = share.what == "store" || share.what.starts_with("write");
      return 1.0 / (writes ? spec.pe.pe_tcm_write_bw_gbs : spec.pe.pe_tcm_read_bw_gbs);
    }
  }
}

/// Returns the relative time of the work of an engine.
double time_of_work(const TimeShare& share, const TopologyGraph& graph) {
  const topology::PeSpec& pe = graph.spec().pe;
  const bool gemm = graph.node(NodeId(share.place)).kind == NodeKind::PeGemm;
  return 1.0 / (pe.clock_ghz * (gemm ? pe.pe_gemm_macs_per_cycle : pe.pe_math_elements_per_cycle));
}

/// Returns a time that the share is proportional to.
double unit_of(const TimeShare& share, const TopologyGraph& graph) {
  const topology::TopologySpec& spec = graph.spec();
  switch (share.use) {
    case TimeUse::Overhead: {
      const topology::Node& node = graph.node(NodeId(share.place));
      return share.what == "translation" ? spec.pe.pe_mmu_tlb_overhead_ns : node.overhead.ns();
    }
    case TimeUse::WireWait:
    case TimeUse::Wire:
      return 1.0 / graph.edge(EdgeId(share.place)).bw_gbs;
    case TimeUse::Travel:
      return graph.edge(EdgeId(share.place)).length_nm * spec.system.wire_ns_per_mm;
    case TimeUse::Maze:
      return spec.sip.maze.clock_ns;
    case TimeUse::ChannelWait:
    case TimeUse::Service:
      return time_of_byte(share, graph);
    case TimeUse::EngineWait:
    case TimeUse::Work:
      return time_of_work(share, graph);
  }
  throw std::logic_error("no such use of time");
}

}  // namespace

bool have_same_parts(const TopologyGraph& a, const TopologyGraph& b) {
  const auto same_node = [](const topology::Node& x, const topology::Node& y) {
    return x.kind == y.kind && x.sip == y.sip && x.cube == y.cube && x.pe == y.pe;
  };
  const auto same_edge = [](const topology::Edge& x, const topology::Edge& y) {
    return x.from == y.from && x.to == y.to;
  };
  return std::equal(a.nodes().begin(), a.nodes().end(), b.nodes().begin(), b.nodes().end(),
                    same_node) &&
         std::equal(a.edges().begin(), a.edges().end(), b.edges().begin(), b.edges().end(),
                    same_edge);
}

SimTime predicted_time(const CriticalPath& path, const TopologyGraph& before,
                       const TopologyGraph& after) {
  double ps = static_cast<double>(path.unnamed().ps());
  for (const TimeShare& share : path.shares) {
    const double unit = unit_of(share, before);
    const double ratio = unit == 0.0 ? 1.0 : unit_of(share, after) / unit;
    ps += static_cast<double>(share.time.ps()) * ratio;
  }
  return SimTime::from_ps(std::llround(ps));
}

}  // namespace kernbench::model::trace
