// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/launch_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "docs/generator/figure.hpp"
#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::docs {

using model::trace::HopRecord;
using plot::TextAnchor;
using topology::NodeId;
using topology::TopologyGraph;

namespace {

namespace node_names = topology::node_names;

/// A component of the figure.
struct Lane {
  std::string node;
  std::string label;
};

/// Returns the components of the figure, from left to right.
const std::vector<Lane>& lanes() {
  static const std::vector<Lane> kAll = [] {
    using topology::NodeKind;
    const std::string cube = node_names::cube(0, 0);
    const std::string pe = node_names::pe(0, 0, 0);
    std::vector<std::string> nodes = {
        node_names::host_cpu(),
        node_names::io_part(node_names::io_chiplet(0, topology::IoChipletSpec().id),
                            NodeKind::IoCpu),
        node_names::cube_part(cube, NodeKind::MCpu)};
    for (const NodeKind kind : {NodeKind::PeCpu, NodeKind::PeScheduler, NodeKind::PeFetchStore,
                                NodeKind::PeTcm, NodeKind::PeMath, NodeKind::PeDma}) {
      nodes.push_back(node_names::pe_part(pe, kind));
    }
    std::vector<Lane> all;
    for (std::string& node : nodes) {
      std::string label(node_names::last_parts(node, 1));
      all.push_back({std::move(node), std::move(label)});
    }
    std::string hbm = node_names::hbm_ctrl(cube, 0);
    std::string label(node_names::last_parts(hbm, 2));
    all.push_back({std::move(hbm), std::move(label)});
    return all;
  }();
  return kAll;
}

std::size_t lane_of(const std::string& node) {
  const auto found = std::find_if(lanes().begin(), lanes().end(),
                                  [&node](const Lane& lane) { return lane.node == node; });
  return static_cast<std::size_t>(found - lanes().begin());
}

bool joined(const TopologyGraph& graph, NodeId from, NodeId to) {
  return std::any_of(graph.edges().begin(), graph.edges().end(), [&](const topology::Edge& edge) {
    return edge.from == from && edge.to == to;
  });
}

/// Returns one step for the records [begin, end) of one message or one piece of work.
LaunchStep step_of(const TopologyGraph& graph, std::span<const HopRecord> hops) {
  LaunchStep step;
  step.what = hops.front().label.what;
  step.from = graph.name(hops.front().node);
  step.to = graph.name(hops.back().node);
  step.begin_ps = hops.front().arrive.ps();
  step.end_ps = hops.back().depart.ps();
  step.nodes_between = hops.size() < 2 ? 0 : hops.size() - 2;
  return step;
}

/// A trace holds the hops of a message one after the other: those of one label along edges.
std::vector<LaunchStep> steps_of(const TopologyGraph& graph, std::span<const HopRecord> hops) {
  std::vector<LaunchStep> steps;
  for (std::size_t begin = 0; begin < hops.size();) {
    std::size_t end = begin + 1;
    while (end < hops.size() && hops[end].label.transaction == hops[begin].label.transaction &&
           hops[end].label.what == hops[begin].label.what &&
           hops[end].arrive >= hops[end - 1].arrive &&
           joined(graph, hops[end - 1].node, hops[end].node)) {
      ++end;
    }
    steps.push_back(step_of(graph, hops.subspan(begin, end - begin)));
    begin = end;
  }
  return steps;
}

std::string with_commas(std::int64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace

LaunchRecord record_launch() {
  const TopologyGraph graph = topology::compile_topology({});
  model::trace::HopTrace trace;
  model::bench::RunOptions options;
  options.parameters = {{"rows", "128"}, {"columns", "256"}};
  options.trace = &trace;
  const model::bench::RunResult result =
      model::bench::run_bench(model::bench::find_bench("vector-add"), graph, options);
  if (result.launches.size() != 1) throw std::runtime_error("vector-add has one launch");

  LaunchRecord record{
      result.launches[0].kernel, result.launches[0].start.ps(), result.launches[0].end.ps(), {}};
  for (LaunchStep& step : steps_of(graph, trace.records())) {
    const bool during = step.begin_ps >= record.start_ps && step.end_ps <= record.end_ps;
    const bool shown = lane_of(step.from) < lanes().size() && lane_of(step.to) < lanes().size();
    if (during && shown) record.steps.push_back(std::move(step));
  }
  std::stable_sort(
      record.steps.begin(), record.steps.end(),
      [](const LaunchStep& a, const LaunchStep& b) { return a.begin_ps < b.begin_ps; });
  return record;
}

std::string launch_diagram(const LaunchRecord& record) {
  constexpr double kFirst = 236;  // middle of the first lane
  constexpr double kLane = 128;
  constexpr double kBox = 104;
  constexpr double kTop = 70;
  constexpr double kRow = 25;
  constexpr double kWork = 7;  // half the side of the square that stands for work
  const auto x_of = [](const std::string& node) {
    return kFirst + kLane * static_cast<double>(lane_of(node));
  };
  const double bottom = kTop + 44 + kRow * static_cast<double>(record.steps.size());
  const double width = kFirst + kLane * static_cast<double>(lanes().size() - 1) + kBox / 2 + 90;
  const std::string title =
      fmt::format("The launch of kernel {}: PE 0 of cube 0, in {} ps", record.kernel,
                  with_commas(record.end_ps - record.start_ps));
  Figure figure(width, bottom + 44, title,
                ".lane{stroke:#bbb;stroke-width:1}\n.work{fill:#f3d9a4;stroke:#a14a00}\n"
                ".halo{paint-order:stroke;stroke:#fff;stroke-width:3px}\n",
                ".lane{stroke:#46525f}\n.work{fill:#4d3a15;stroke:#e0a050}\n"
                ".halo{stroke:#11161c}\n");
  figure.text(85, kTop + 18, "begins, ps", "note", TextAnchor::End);
  figure.text(165, kTop + 18, "ends, ps", "note", TextAnchor::End);
  for (const auto& [node, label] : lanes()) {
    const double x = x_of(node);
    figure.canvas().line(x, kTop + 28, x, bottom, {"lane"});
    figure.canvas().rect(x - kBox / 2, kTop, kBox, 28, {"box", node}, 4);
    figure.text(x, kTop + 18, label, "note", TextAnchor::Middle);
  }
  double y = kTop + 38;
  for (const LaunchStep& step : record.steps) {
    y += kRow;
    figure.text(85, y + 4, with_commas(step.begin_ps - record.start_ps), "small", TextAnchor::End);
    figure.text(165, y + 4, with_commas(step.end_ps - record.start_ps), "small", TextAnchor::End);
    const double from = x_of(step.from);
    const double to = x_of(step.to);
    if (from == to) {
      figure.canvas().rect(from - kWork, y - kWork, 2 * kWork, 2 * kWork, {"work"}, 2);
      figure.text(from + kWork + 5, y + 4, step.what, "small");
      continue;
    }
    figure.arrow({{from, y}, {to, y}}, "wire");
    const std::string hops =
        step.nodes_between == 0 ? "" : fmt::format(" ({})", step.nodes_between);
    figure.text((from + to) / 2, y - 4, step.what + hops, "small halo", TextAnchor::Middle);
  }
  figure.text(20, bottom + 26,
              "Taken from the hop trace of a run. An arrow is a message, with the number of nodes "
              "between its ends in brackets; a square is work. Times count from the launch.",
              "note");
  return std::move(figure).finish();
}

}  // namespace kernbench::docs
