// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "topology/graph/compile.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/routing/path_router.hpp"
#include "topology/spec/spec_change.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

constexpr std::size_t kNoKey = std::numeric_limits<std::size_t>::max();

/// Bandwidths of memories in GB/s.
enum Memory : std::uint8_t { kSlice, kSram, kTcmRead, kTcmWrite, kMemories };

std::array<double, kMemories> memory_rates(const TopologySpec& spec) {
  return {spec.cube.memory_map.slice_bw_gbs(), spec.cube.sram_bw_gbs, spec.pe.pe_tcm_read_bw_gbs,
          spec.pe.pe_tcm_write_bw_gbs};
}

/// A part that data pass, with its bandwidth and the key that decides it.
struct Part {
  double gbs = 0;
  std::size_t key = kNoKey;
};

class Series {
 public:
  explicit Series(const TopologyGraph& graph) : graph_(graph), router_(graph) { find_keys(); }

  std::vector<std::vector<std::string>> groups() {
    std::vector<NodeId> pes;
    std::vector<NodeId> hosts;
    std::vector<NodeId> memories;
    for (std::size_t i = 0; i < graph_.nodes().size(); ++i) {
      const NodeId id(static_cast<std::uint32_t>(i));
      const Node& node = graph_.node(id);
      const bool is_memory = node.kind == NodeKind::HbmCtrl || node.kind == NodeKind::Sram;
      if (node.kind == NodeKind::PeDma && node.sip == 0 && node.cube == 0) pes.push_back(id);
      if (node.kind == NodeKind::HostCpu) hosts.push_back(id);
      // The other SIPs, and the ways into their cubes, are like those of the last one.
      const bool is_last = node.sip + 1U == graph_.spec().system.sips && node.cube == 0;
      if (is_memory && (node.sip == 0 || is_last)) memories.push_back(id);
    }
    for (const NodeId memory : memories) {
      for (const NodeId pe : pes) add_load(pe, memory);
      for (const NodeId host : hosts) {
        add(parts_of(router_.find_memory_path(host, memory)), {memory_part(memory)});
      }
    }
    for (const NodeId pe : pes) add_engines(pe);
    std::vector<std::vector<std::string>> named;
    for (const std::set<std::size_t>& group : groups_) {
      std::vector<std::string>& keys = named.emplace_back();
      for (const std::size_t key : group) keys.push_back(keys_[key].key);
    }
    return named;
  }

 private:
  /// Finds the key of each part by a change of all keys, each by a factor of its own.
  void find_keys() {
    std::vector<SpecChange> changes;
    for (const SpecNumber& number : sized_numbers(graph_.spec())) {
      if (!number.key.ends_with("_gbs") || !number.value) continue;
      keys_.push_back(number);
    }
    const auto factor = [this](std::size_t key) {
      return 1.0 / (1.0 + static_cast<double>(key + 1) / static_cast<double>(keys_.size() + 1));
    };
    for (std::size_t i = 0; i < keys_.size(); ++i) changes.push_back({{}, keys_[i].key, factor(i)});
    const TopologyGraph changed = compile_topology(changed_spec(graph_.spec(), changes));
    const auto part = [&](double before, double after) {
      for (std::size_t i = 0; i < keys_.size(); ++i) {
        if (std::abs(after / before - factor(i)) < 1e-9) return Part{before, i};
      }
      return Part{before, kNoKey};
    };
    for (std::size_t i = 0; i < graph_.edges().size(); ++i) {
      edges_.push_back(part(graph_.edges()[i].bw_gbs, changed.edges()[i].bw_gbs));
    }
    const auto before = memory_rates(graph_.spec());
    const auto after = memory_rates(changed.spec());
    for (std::size_t i = 0; i < kMemories; ++i) of_memory_.at(i) = part(before.at(i), after.at(i));
  }

  [[nodiscard]] std::vector<Part> parts_of(const Path& path) const {
    std::vector<Part> parts;
    for (const EdgeId edge : router_.wires(path)) parts.push_back(edges_[edge.value()]);
    return parts;
  }
  [[nodiscard]] Part memory_part(NodeId memory) const {
    return of_memory_.at(graph_.node(memory).kind == NodeKind::Sram ? kSram : kSlice);
  }

  /// Returns another part of the PE of a DMA.
  [[nodiscard]] NodeId beside(NodeId dma, NodeKind kind) const {
    const Node& node = graph_.node(dma);
    const std::string pe = node_names::pe(node.sip, node.cube, node.pe);
    return graph_.find(node_names::pe_part(pe, kind)).value();
  }

  void add_load(NodeId dma, NodeId memory) {
    std::vector<Part> wires = parts_of(router_.find_path(dma, memory));
    const Path within = router_.find_node_path(dma, beside(dma, NodeKind::PeTcm));
    for (const Part& part : parts_of(within)) wires.push_back(part);
    for (const Memory end : {kTcmWrite, kTcmRead}) {
      add(wires, {memory_part(memory), of_memory_.at(end)});
    }
  }

  void add_engines(NodeId dma) {
    const NodeId tcm = beside(dma, NodeKind::PeTcm);
    for (const NodeKind kind : {NodeKind::PeGemm, NodeKind::PeMath}) {
      const Path way = router_.find_node_path(tcm, beside(dma, kind));
      for (const Memory end : {kTcmRead, kTcmWrite}) add(parts_of(way), {of_memory_.at(end)});
    }
  }

  /// Adds the slowest wires of a way, which many transfers share, and its slowest parts.
  void add(std::vector<Part> way, const std::vector<Part>& ends) {
    add_slowest(way);
    way.insert(way.end(), ends.begin(), ends.end());
    add_slowest(way);
  }

  /// Adds the slowest parts of a way as a group if they have different keys.
  void add_slowest(const std::vector<Part>& way) {
    double least = std::numeric_limits<double>::infinity();
    for (const Part& part : way) least = std::min(least, part.gbs);
    std::set<std::size_t> keys;
    for (const Part& part : way) {
      if (part.gbs == least && part.key != kNoKey) keys.insert(part.key);
    }
    if (keys.size() > 1) groups_.insert(keys);
  }

  const TopologyGraph& graph_;
  PathRouter router_;
  std::vector<SpecNumber> keys_;
  std::vector<Part> edges_;  ///< by edge
  std::array<Part, kMemories> of_memory_;
  std::set<std::set<std::size_t>> groups_;
};

}  // namespace

std::vector<std::vector<std::string>> equally_fast_in_series(const TopologyGraph& graph) {
  return Series(graph).groups();
}

}  // namespace kernbench::topology
