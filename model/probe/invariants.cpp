// SPDX-License-Identifier: Apache-2.0
#include "model/probe/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "model/transport/wire_time.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::probe {

namespace {

/// The properties of a route that determine its latency.
struct Way {
  std::int64_t overhead_ps = 0;
  std::int64_t length_nm = 0;
  std::vector<double> bandwidths;  ///< wire bandwidths, in ascending order
  bool has_fabric = false;
};

Way way_of(const topology::TopologyGraph& graph, const topology::Path& route) {
  Way way;
  for (const topology::EdgeId id : route.edges) {
    const topology::Edge& edge = graph.edge(id);
    way.overhead_ps += graph.node(edge.from).overhead.ps();
    way.length_nm += edge.length_nm;
    way.bandwidths.push_back(edge.bw_gbs);
    way.has_fabric |= topology::is_carried(edge.kind);
  }
  std::sort(way.bandwidths.begin(), way.bandwidths.end());
  return way;
}

/// Returns whether `longer` has more wires than `shorter` and is at least as slow in every
/// property.
bool extends(const Way& longer, const Way& shorter) {
  if (longer.bandwidths.size() <= shorter.bandwidths.size()) return false;
  if (longer.overhead_ps < shorter.overhead_ps || longer.length_nm < shorter.length_nm) {
    return false;
  }
  // The i-th narrowest wire of the longer route is at most as wide as that of the shorter.
  return std::equal(shorter.bandwidths.begin(), shorter.bandwidths.end(), longer.bandwidths.begin(),
                    std::greater_equal<>());
}

bool has_full_flits(const topology::SystemSpec& system, std::uint64_t bytes) {
  return bytes % system.flit_bytes == 0 && system.request_bytes <= system.flit_bytes;
}

/// Returns the time by which a read of whole flits may be faster than a write over the same path.
/// With a hash, the last flits of a write may be on one channel, and wait there for at most one
/// other flit longer than if the channels were used in turn. A read hides that wait behind the
/// return of earlier flits. A group of one flit a channel has no such wait.
common::SimTime read_advantage(const topology::TopologySpec& spec, std::uint64_t bytes) {
  const topology::MemoryMapSpec& memory = spec.cube.memory_map;
  const std::uint64_t group = std::uint64_t{spec.system.flit_bytes} * memory.channels_per_slice;
  if (memory.hbm_interleave == topology::HbmInterleave::Modulo || bytes <= group) return {};
  return transport::occupancy(group, memory.slice_bw_gbs());
}

std::string text_of(const ProbeCase& probe, const ProbeResult& result) {
  return fmt::format("{} {} at {} bytes", name(probe.family), probe.label, result.bytes);
}

}  // namespace

common::Outcome InvariantReport::outcome() const {
  if (!broken.empty()) return common::Outcome::Mismatch;
  return closed_forms == 0 ? common::Outcome::Vacuous : common::Outcome::Pass;
}

void InvariantReport::add(const InvariantReport& other) {
  broken.insert(broken.end(), other.broken.begin(), other.broken.end());
  closed_forms += other.closed_forms;
  pairs += other.pairs;
}

InvariantReport check_invariants(const topology::TopologyGraph& graph,
                                 const std::vector<ProbeCase>& cases,
                                 const std::vector<std::vector<ProbeResult>>& results,
                                 std::size_t size) {
  InvariantReport report;
  std::vector<Way> ways;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    ways.push_back(way_of(graph, cases[c].route));
    const ProbeResult& result = results[c][size];
    ++report.closed_forms;
    if (result.actual != result.analytic.latency()) {
      report.broken.push_back(fmt::format("{}: {} ps measured, {} ps by the closed form",
                                          text_of(cases[c], result), result.actual.ps(),
                                          result.analytic.latency().ps()));
    }
  }
  for (std::size_t a = 0; a < cases.size(); ++a) {
    const ProbeResult& first = results[a][size];
    if (!has_full_flits(graph.spec().system, first.bytes) || ways[a].has_fabric) continue;
    for (std::size_t b = 0; b < cases.size(); ++b) {
      const ProbeResult& second = results[b][size];
      if (cases[a].family == cases[b].family && extends(ways[b], ways[a]) && !ways[b].has_fabric) {
        ++report.pairs;
        if (second.actual > first.actual) continue;
        report.broken.push_back(fmt::format("{}: not slower than {}, which has fewer hops",
                                            text_of(cases[b], second), cases[a].label));
      } else if (cases[a].family == Family::HostWrite && cases[b].family == Family::HostRead &&
                 cases[a].route == cases[b].route) {
        ++report.pairs;
        if (second.actual + read_advantage(graph.spec(), first.bytes) >= first.actual) continue;
        report.broken.push_back(
            fmt::format("{}: {} ps, faster than the write over the same way, {} ps",
                        text_of(cases[b], second), second.actual.ps(), first.actual.ps()));
      }
    }
  }
  return report;
}

}  // namespace kernbench::model::probe
