// SPDX-License-Identifier: Apache-2.0
#include "model/bench/part_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace kernbench::model::bench {

using common::SimTime;
using components::StageKind;

namespace {

/// Returns the kind of the part that did a stage; empty for the TCM, which several stages share.
std::string kind_of(const data::StageRecord& stage) {
  switch (stage.kind) {
    case StageKind::Gemm:
      return "pe_gemm";
    case StageKind::Math:
      return "pe_math";
    case StageKind::DmaRead:
      return "pe_dma read";
    case StageKind::DmaWrite:
      return "pe_dma write";
    default:
      return {};
  }
}

/// Adds the engines and ports that ended stages between `start` and `end`.
void add_engines(StretchUse& use, SimTime start, SimTime end, const RunResult& result,
                 const topology::TopologyGraph& graph) {
  std::map<std::pair<std::string, topology::NodeId>, PartUse> parts;
  std::set<std::uint16_t> sips;
  for (const data::StageRecord& stage : result.recorder->log().stages()) {
    const std::string kind = kind_of(stage);
    if (kind.empty() || stage.end <= start || stage.end > end) continue;
    PartUse& part = parts[{kind, stage.component}];
    part.busy = part.busy + (stage.end - stage.start);
    part.work += stage.work;
    if (stage.kind == StageKind::DmaRead || stage.kind == StageKind::DmaWrite) {
      use.hbm_bytes += stage.work;
      sips.insert(graph.node(stage.component).sip);
    }
  }
  for (auto& [key, part] : parts) {
    part.kind = key.first;
    part.name = graph.name(key.second);
    use.parts.push_back(std::move(part));
  }
  const topology::MemoryMapSpec& memory = graph.spec().cube.memory_map;
  use.hbm_slices = sips.size() * std::uint64_t{graph.spec().sip.cubes()} * memory.slices_per_cube;
  if (use.hbm_slices == 0) return;
  const double gbs = memory.hbm_total_bw_gbs / memory.slices_per_cube;
  use.hbm = SimTime::from_ps(static_cast<std::int64_t>(
      static_cast<double>(use.hbm_bytes) * 1000.0 / (gbs * static_cast<double>(use.hbm_slices))));
}

void add_wires(StretchUse& use, const std::vector<transport::WireUse>& before,
               const std::vector<transport::WireUse>& after, const topology::TopologyGraph& graph) {
  for (std::uint32_t i = 0; i < after.size(); ++i) {
    const transport::WireUse was = before.empty() ? transport::WireUse{} : before[i];
    if (after[i].flits == was.flits) continue;
    const topology::Edge& edge = graph.edge(topology::EdgeId(i));
    use.parts.push_back({fmt::format("wires {}", topology::name(edge.kind)),
                         fmt::format("{} -> {}", graph.name(edge.from), graph.name(edge.to)),
                         after[i].busy - was.busy, after[i].bytes - was.bytes});
  }
}

void sort_parts(StretchUse& use) {
  std::sort(use.parts.begin(), use.parts.end(), [](const PartUse& a, const PartUse& b) {
    return std::tie(a.kind, a.name) < std::tie(b.kind, b.name);
  });
}

}  // namespace

std::vector<KindUse> StretchUse::kinds() const {
  std::vector<KindUse> kinds;
  for (const PartUse& part : parts) {
    if (kinds.empty() || kinds.back().kind != part.kind) kinds.push_back({part.kind});
    KindUse& kind = kinds.back();
    ++kind.parts;
    kind.total = kind.total + part.busy;
    kind.work += part.work;
    if (part.busy > kind.busy || kind.busiest.empty()) {
      kind.busy = part.busy;
      kind.busiest = part.name;
    }
  }
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const KindUse& a, const KindUse& b) { return a.busy > b.busy; });
  return kinds;
}

std::vector<StretchUse> part_uses(const RunResult& result, const topology::TopologyGraph& graph) {
  std::vector<StretchUse> uses;
  for (const runtime::MeasuredRegion& region : result.regions) {
    StretchUse& use = uses.emplace_back();
    use.of = fmt::format("region '{}'", region.name);
    use.time = region.time();
    add_engines(use, region.start, region.end(), result, graph);
    add_wires(use, region.wires_before, region.wires_after, graph);
    sort_parts(use);
  }
  if (uses.empty()) {
    StretchUse& use = uses.emplace_back();
    use.of = "the run";
    use.time = result.end;
    add_engines(use, SimTime(), result.end, result, graph);
    add_wires(use, {}, result.wires, graph);
    sort_parts(use);
  }
  return uses;
}

}  // namespace kernbench::model::bench
