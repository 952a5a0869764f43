// SPDX-License-Identifier: Apache-2.0
#include "model/bench/part_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "model/bench/launch_roofline.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

using common::SimTime;
using components::MachineUse;
using components::PartMeter;
using components::StageKind;

namespace {

/// Returns "pe_gemm" or "pe_dma read".
std::string kind_of(const PartMeter& part, const topology::TopologyGraph& graph) {
  static constexpr std::array<const char*, components::kPorts> kPortNames = {"", " read", " write",
                                                                             " credits"};
  return fmt::format("{}{}", topology::name(graph.node(part.node).kind),
                     kPortNames[static_cast<std::size_t>(part.port)]);
}

/// Returns the time between `start` and `end` in which a kernel ran on the PE of `node`.
SimTime time_of_kernels(const topology::Node& node, SimTime start, SimTime end,
                        const std::vector<runtime::LaunchRecord>& launches) {
  std::vector<std::pair<SimTime, SimTime>> spans;
  for (const runtime::LaunchRecord& launch : launches) {
    if (!launch.device.has({node.sip, node.cube, node.pe})) continue;
    const SimTime from = std::max(start, launch.start);
    const SimTime to = std::min(end, launch.end);
    if (from < to) spans.emplace_back(from, to);
  }
  std::sort(spans.begin(), spans.end());
  SimTime time;
  SimTime counted = start;
  for (const auto& [from, to] : spans) {
    if (to <= counted) continue;
    time += to - std::max(from, counted);
    counted = to;
  }
  return time;
}

/// Adds the engines, ports and memories.
void add_parts(StretchUse& use, SimTime start, const MachineUse& before, const MachineUse& after,
               const RunResult& result, const topology::TopologyGraph& graph) {
  std::map<memory::PeLocation, SimTime> kernels;
  // Parts keep their place: new ones are added behind.
  for (std::size_t i = 0; i < after.parts.size(); ++i) {
    const PartMeter was = i < before.parts.size() ? before.parts[i] : PartMeter{};
    const PartMeter& is = after.parts[i];
    if (is.amount == was.amount) continue;
    const topology::Node& node = graph.node(is.node);
    PartUse& part = use.parts.emplace_back();
    part.kind = kind_of(is, graph);
    part.name = graph.name(is.node);
    part.busy = SimTime::from_ps((is.busy - was.busy).ps() / is.channels);
    part.longest_queue = is.longest_wait;
    part.work = is.amount - was.amount;
    if (node.pe == topology::kNoIndex || node.kind == topology::NodeKind::HbmCtrl) continue;
    const auto [known, is_new] = kernels.try_emplace({node.sip, node.cube, node.pe});
    if (is_new) known->second = time_of_kernels(node, start, start + use.time, result.launches);
    part.waiting = std::max(SimTime(), known->second - part.busy);
  }
}

void add_wires(StretchUse& use, const std::vector<transport::WireUse>& before,
               const std::vector<transport::WireUse>& after, const topology::TopologyGraph& graph) {
  for (std::uint32_t i = 0; i < after.size(); ++i) {
    const transport::WireUse was = before.empty() ? transport::WireUse{} : before[i];
    if (after[i].flits == was.flits) continue;
    const topology::Edge& edge = graph.edge(topology::EdgeId(i));
    PartUse& part = use.parts.emplace_back();
    part.kind = fmt::format("wires {}", topology::name(edge.kind));
    part.name = fmt::format("{} -> {}", graph.name(edge.from), graph.name(edge.to));
    part.busy = after[i].busy - was.busy;
    part.longest_queue = after[i].longest_wait;
    part.work = after[i].bytes - was.bytes;
  }
}

/// Adds the least time of the HBM for what DMAs read and write.
void add_hbm(StretchUse& use, SimTime start, const RunResult& result,
             const topology::TopologyGraph& graph) {
  std::set<std::uint16_t> sips;
  for (const data::StageRecord& stage : result.recorder->log().stages()) {
    if (stage.kind != StageKind::DmaRead && stage.kind != StageKind::DmaWrite) continue;
    if (stage.end <= start || stage.end > start + use.time) continue;
    use.hbm_bytes += stage.work;
    sips.insert(graph.node(stage.component).sip);
  }
  const topology::MemoryMapSpec& memory = graph.spec().cube.memory_map;
  use.hbm_slices = sips.size() * std::uint64_t{graph.spec().sip.cubes()} * memory.slices_per_cube;
  use.hbm = least_hbm_time(use.hbm_bytes, use.hbm_slices, graph.spec());
}

void sort_parts(StretchUse& use) {
  std::sort(use.parts.begin(), use.parts.end(), [](const PartUse& a, const PartUse& b) {
    return std::tie(a.kind, a.name) < std::tie(b.kind, b.name);
  });
}

void add_all(StretchUse& use, SimTime start, const MachineUse& before, const MachineUse& after,
             const RunResult& result, const topology::TopologyGraph& graph) {
  add_parts(use, start, before, after, result, graph);
  add_wires(use, before.wires, after.wires, graph);
  add_hbm(use, start, result, graph);
  sort_parts(use);
}

}  // namespace

std::vector<KindUse> StretchUse::kinds() const {
  std::vector<KindUse> kinds;
  for (const PartUse& part : parts) {
    if (kinds.empty() || kinds.back().kind != part.kind) kinds.push_back({part.kind});
    KindUse& kind = kinds.back();
    ++kind.parts;
    kind.total += part.busy;
    kind.waiting += part.waiting;
    kind.longest_queue = std::max(kind.longest_queue, part.longest_queue);
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
    add_all(use, region.start, region.before, region.after, result, graph);
  }
  if (uses.empty()) {
    StretchUse& use = uses.emplace_back();
    use.of = "the run";
    use.time = result.end;
    add_all(use, SimTime(), {}, result.use, result, graph);
  }
  return uses;
}

}  // namespace kernbench::model::bench
