// SPDX-License-Identifier: Apache-2.0
#include "topology/check/structure_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "topology/check/route_dependencies.hpp"

namespace kernbench::topology {

namespace {

/// Number of findings listed for each rule; the rest are only counted.
constexpr std::size_t kShown = 10;

/// Collects the findings of one rule.
class Findings {
 public:
  Findings(StructureRule rule, StructureReport& report) : rule_(rule), report_(report) {}
  ~Findings() {
    if (count_ > kShown) {
      report_.findings.push_back({rule_, fmt::format("... and {} more", count_ - kShown)});
    }
  }
  Findings(const Findings&) = delete;
  Findings& operator=(const Findings&) = delete;

  void add(std::string text) {
    if (++count_ <= kShown) report_.findings.push_back({rule_, std::move(text)});
  }

 private:
  StructureRule rule_;
  StructureReport& report_;
  std::size_t count_ = 0;
};

/// Returns the nodes reachable from node 0 along the edges, or `against` them.
std::vector<bool> reached_from_first(const TopologyGraph& graph, bool against) {
  const std::size_t count = graph.nodes().size();
  std::vector<std::vector<std::uint32_t>> next(count);
  for (const Edge& edge : graph.edges()) {
    const NodeId from = against ? edge.to : edge.from;
    const NodeId to = against ? edge.from : edge.to;
    next[from.value()].push_back(to.value());
  }
  std::vector<bool> reached(count, false);
  std::vector<std::uint32_t> pending;
  if (count != 0) {
    reached[0] = true;
    pending.push_back(0);
  }
  while (!pending.empty()) {
    const std::uint32_t node = pending.back();
    pending.pop_back();
    for (const std::uint32_t neighbour : next[node]) {
      if (reached[neighbour]) continue;
      reached[neighbour] = true;
      pending.push_back(neighbour);
    }
  }
  return reached;
}

void check_reachable(const TopologyGraph& graph, StructureReport& report) {
  Findings findings(StructureRule::Reachable, report);
  const std::vector<bool> there = reached_from_first(graph, false);
  const std::vector<bool> back = reached_from_first(graph, true);
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const std::string_view node = graph.name(NodeId(i));
    const std::string_view host = graph.name(NodeId(0));
    if (!there[i]) findings.add(fmt::format("no path from {} to {}", host, node));
    if (!back[i]) findings.add(fmt::format("no path from {} to {}", node, host));
  }
}

void check_paired(const TopologyGraph& graph, StructureReport& report) {
  Findings findings(StructureRule::PairedEdges, report);
  using Ends = std::tuple<std::uint32_t, std::uint32_t, EdgeKind>;
  std::vector<Ends> edges;
  edges.reserve(graph.edges().size());
  for (const Edge& edge : graph.edges()) {
    edges.emplace_back(edge.from.value(), edge.to.value(), edge.kind);
  }
  std::sort(edges.begin(), edges.end());
  for (const Edge& edge : graph.edges()) {
    if (edge.kind == EdgeKind::NocLink) continue;  // channels of a network may lead one way
    const EdgeKind back = opposite(edge.kind);
    if (std::binary_search(edges.begin(), edges.end(),
                           Ends{edge.to.value(), edge.from.value(), back})) {
      continue;
    }
    findings.add(fmt::format("the {} edge from {} to {} has no opposite {} edge", name(edge.kind),
                             graph.name(edge.from), graph.name(edge.to), name(back)));
  }
}

void check_bandwidth(const TopologyGraph& graph, StructureReport& report) {
  Findings findings(StructureRule::DataBandwidth, report);
  for (const Edge& edge : graph.edges()) {
    if (edge.kind == EdgeKind::Command || edge.bw_gbs > 0) continue;
    findings.add(fmt::format("the {} edge from {} to {} has a bandwidth of {} GB/s",
                             name(edge.kind), graph.name(edge.from), graph.name(edge.to),
                             edge.bw_gbs));
  }
}

void check_deadlock(const TopologyGraph& graph, StructureReport& report) {
  const RouteDependencies found = follow_routes(graph);
  report.routes = found.routes;
  report.channels = found.channels;
  report.dependencies = found.dependencies;
  if (found.cycle.empty()) return;
  std::string text =
      fmt::format("{} channels may wait for each other in a ring", found.cycle.size());
  for (const EdgeId id : found.cycle) {
    const Edge& edge = graph.edge(id);
    text += fmt::format("\n    {} -> {}", graph.name(edge.from), graph.name(edge.to));
  }
  text += "\n    and back to the first";
  report.findings.push_back({StructureRule::DeadlockFree, std::move(text)});
}

}  // namespace

std::string_view name(StructureRule rule) {
  constexpr std::array<std::string_view, 4> kNames = {"reachable", "paired-edges", "data-bandwidth",
                                                      "deadlock"};
  return kNames.at(static_cast<std::size_t>(rule));
}

bool StructureReport::broken() const {
  return std::any_of(findings.begin(), findings.end(), [](const StructureFinding& finding) {
    return finding.rule != StructureRule::DeadlockFree;
  });
}

bool StructureReport::deadlock_free() const {
  return std::none_of(findings.begin(), findings.end(), [](const StructureFinding& finding) {
    return finding.rule == StructureRule::DeadlockFree;
  });
}

common::Outcome StructureReport::outcome(bool strict) const {
  if (broken() || (strict && !deadlock_free())) return common::Outcome::Mismatch;
  return routes == 0 ? common::Outcome::Vacuous : common::Outcome::Pass;
}

StructureReport check_structure(const TopologyGraph& graph) {
  StructureReport report;
  check_reachable(graph, report);
  check_paired(graph, report);
  check_bandwidth(graph, report);
  // In a broken graph, routes would only repeat the findings.
  if (!report.broken()) check_deadlock(graph, report);
  return report;
}

}  // namespace kernbench::topology
