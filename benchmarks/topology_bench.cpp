// SPDX-License-Identifier: Apache-2.0
// Compile time, memory and routing speed of topologies. `make bench BENCH=topology` prints the
// table and fails if a bar is missed. Memory is the peak of the process, so the sizes run from
// small to large.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "topology/graph/compile.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/routing/path_router.hpp"
#include "topology/spec/topology_spec.hpp"

namespace {

using kernbench::topology::compile_topology;
using kernbench::topology::NodeId;
using kernbench::topology::NodeKind;
using kernbench::topology::PathRouter;
using kernbench::topology::TopologyGraph;
using kernbench::topology::TopologySpec;
namespace node_names = kernbench::topology::node_names;

constexpr int kRepetitions = 5;

/// Returns the median seconds of one call.
double seconds(const std::function<void()>& work, int repetitions = kRepetitions) {
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

std::vector<NodeId> of_kind(const TopologyGraph& graph, NodeKind kind) {
  std::vector<NodeId> found;
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (graph.nodes()[i].kind == kind) found.emplace_back(i);
  }
  return found;
}

/// Prints one line of the table; returns false if the bar is missed.
bool report(const std::string& what, double value, const char* unit, double bar) {
  const bool met = value <= bar;
  fmt::print("{:<58} {:>10.3f} {:<3} {:>9} {}\n", what, value, unit, bar, met ? "met" : "MISSED");
  return met;
}

bool default_spec() {
  bool met = report("default spec: lay out and compile",
                    1e3 * seconds([] { (void)compile_topology({}); }), "ms", 20);
  const TopologyGraph graph = compile_topology({});
  const std::vector<NodeId> sources = of_kind(graph, NodeKind::PeDma);
  const std::vector<NodeId> goals = of_kind(graph, NodeKind::HbmCtrl);
  const auto all_routes = [&] {
    const PathRouter router(graph);
    for (const NodeId source : sources) {
      for (const NodeId goal : goals) (void)router.find_path(source, goal);
    }
  };
  met &=
      report(fmt::format("default spec: all {} PE-to-slice routes", sources.size() * goals.size()),
             seconds(all_routes, 3), "s", 1);
  const PathRouter router(graph);
  constexpr int kAsked = 100'000;
  const std::string pe = node_names::pe(0, 0, 0);
  const std::string far = node_names::hbm_ctrl(node_names::cube(1, 15), 7);
  const auto repeated = [&] {
    for (int i = 0; i < kAsked; ++i) {
      (void)router.find_path(pe, far);
    }
  };
  met &= report("default spec: a repeated find_path", 1e6 * seconds(repeated) / kAsked, "us", 2);
  return met;
}

bool large_spec(std::uint32_t sips) {
  TopologySpec spec;
  spec.system.sips = sips;
  spec.sip.cube_mesh_w = 16;
  spec.sip.cube_mesh_h = 16;
  std::size_t nodes = 0;
  std::size_t edges = 0;
  const double time = seconds(
      [&] {
        const TopologyGraph graph = compile_topology(spec);
        nodes = graph.nodes().size();
        edges = graph.edges().size();
      },
      3);
  const std::string size = fmt::format("{} SIPs of 16 x 16 cubes", sips);
  bool met = report(fmt::format("{}: compile", size), time, "s", 4);
  met &= report(fmt::format("{}: peak memory", size), peak_mb(), "MB", 1536);
  fmt::print("    {} nodes, {} edges: {:.0f} ns a node\n", nodes, edges,
             1e9 * time / static_cast<double>(nodes));
  if (sips == 16) {
    const TopologyGraph graph = compile_topology(spec);
    const PathRouter router(graph);
    constexpr int kAsked = 100'000;
    const std::string pe = node_names::pe(0, 0, 0);
    const std::string far = node_names::hbm_ctrl(node_names::cube(0, 255), 7);
    const auto repeated = [&] {
      for (int i = 0; i < kAsked; ++i) {
        (void)router.find_path(pe, far);
      }
    };
    met &= report(fmt::format("{}: a repeated find_path", size), 1e6 * seconds(repeated) / kAsked,
                  "us", 2);
    met &= report(fmt::format("{}: peak memory with the router", size), peak_mb(), "MB", 1536);
  }
  return met;
}

}  // namespace

int main() {
  fmt::print("{:<58} {:>14} {:>9}\n", "", "measured", "bar");
  bool met = default_spec();
  for (const std::uint32_t sips : {1U, 4U, 16U}) met &= large_spec(sips);
  return met ? 0 : 1;
}
