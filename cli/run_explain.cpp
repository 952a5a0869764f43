// SPDX-License-Identifier: Apache-2.0
#include "cli/run_explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "topology/diagram/link_picture.hpp"

namespace kernbench::cli {
namespace {

using common::SimTime;
using model::bench::KindUse;
using model::bench::LaunchRoofline;
using model::bench::PartUse;
using model::bench::StretchUse;
using model::trace::PathPart;

constexpr std::size_t kShownParts = 10;
constexpr std::size_t kMostWindows = 64;

void print_part(SimTime time, SimTime whole, const std::string& name) {
  print("    {:>12.3f} {:>6.1f} %  {}\n", time.ns() / 1000.0, 100.0 * time.ns() / whole.ns(), name);
}

void print_parts(const char* heading, const std::vector<PathPart>& parts, SimTime whole) {
  print("  {:<14}us\n", heading);
  SimTime others;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i < kShownParts) {
      print_part(parts[i].time, whole, parts[i].name);
    } else {
      others += parts[i].time;
    }
  }
  if (parts.size() <= kShownParts) return;
  print_part(others, whole, fmt::format("in {} smaller parts", parts.size() - kShownParts));
}

/// Prints what limits the time in one sentence.
void print_limits(const std::vector<PathPart>& limits, SimTime whole) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, limits.size()); ++i) {
    text += fmt::format("{}{} ({:.0f} %)", i == 0 ? "" : ", ", limits[i].name,
                        100.0 * limits[i].time.ns() / whole.ns());
  }
  print("  limited by: {}\n", text);
}

/// Prints how busy the parts of each kind are: no faster part elsewhere helps beyond that.
void print_use(const StretchUse& use) {
  const auto percent = [&](SimTime time) { return 100.0 * time.ns() / use.time.ns(); };
  print("  {:<28}{:>10} {:>8} {:>8} {:>8}  {:>10}  {}\n", "busy", "us", "busiest", "mean",
        "waiting", "queue us", "busiest of the used");
  if (use.hbm_slices != 0) {
    print("    {:<26}{:>10.3f} {:>8} {:>6.1f} % {:>8}  {:>10}  at least, for {} slices\n",
          "bandwidth of the HBM", use.hbm.ns() / 1000.0, "", percent(use.hbm), "", "",
          use.hbm_slices);
  }
  const std::vector<KindUse> kinds = use.kinds();
  for (std::size_t i = 0; i < std::min(kShownParts, kinds.size()); ++i) {
    const KindUse& kind = kinds[i];
    const std::string waiting =
        kind.waiting == SimTime() ? "" : fmt::format("{:.1f} %", percent(kind.mean_waiting()));
    print("    {:<26}{:>10.3f} {:>6.1f} % {:>6.1f} % {:>8}  {:>10.3f}  {} of {}\n", kind.kind,
          kind.busy.ns() / 1000.0, percent(kind.busy), percent(kind.mean()), waiting,
          kind.longest_queue.ns() / 1000.0, kind.busiest, kind.parts);
  }
  if (kinds.size() > kShownParts) {
    print("    {:<26}{:>10.3f} {:>6.1f} %\n",
          fmt::format("{} less busy kinds", kinds.size() - kShownParts),
          kinds[kShownParts].busy.ns() / 1000.0, percent(kinds[kShownParts].busy));
  }
}

/// Prints the nearest limit of the longest launch of each kernel.
void print_rooflines(const model::bench::RunResult& result,
                     const std::vector<LaunchRoofline>& rooflines) {
  std::map<std::string, std::size_t> longest;
  std::vector<std::string> kernels;
  for (std::size_t i = 0; i < rooflines.size(); ++i) {
    const auto [known, is_new] = longest.try_emplace(result.launches[i].kernel, i);
    if (is_new) kernels.push_back(result.launches[i].kernel);
    if (rooflines[i].time > rooflines[known->second].time) known->second = i;
  }
  print("\nlaunches and their limits: the longest of each kernel\n");
  for (const std::string& kernel : kernels) {
    const LaunchRoofline& roofline = rooflines[longest[kernel]];
    print("  {:<20} {:>10.3f} us  {}\n", kernel, roofline.time.ns() / 1000.0, roofline.sentence());
  }
}

nlohmann::json json_of_use(const StretchUse& use) {
  nlohmann::json kinds = nlohmann::json::array();
  for (const KindUse& kind : use.kinds()) {
    kinds.push_back({{"kind", kind.kind},
                     {"parts", kind.parts},
                     {"busiest", kind.busiest},
                     {"busy_ps", kind.busy.ps()},
                     {"total_ps", kind.total.ps()},
                     {"waiting_ps", kind.waiting.ps()},
                     {"longest_queue_ps", kind.longest_queue.ps()},
                     {"work", kind.work}});
  }
  nlohmann::json parts = nlohmann::json::array();
  for (const PartUse& part : use.parts) {
    parts.push_back({{"kind", part.kind},
                     {"name", part.name},
                     {"busy_ps", part.busy.ps()},
                     {"waiting_ps", part.waiting.ps()},
                     {"longest_queue_ps", part.longest_queue.ps()},
                     {"work", part.work}});
  }
  return {
      {"hbm", {{"bytes", use.hbm_bytes}, {"slices", use.hbm_slices}, {"least_ps", use.hbm.ps()}}},
      {"kinds", std::move(kinds)},
      {"parts", std::move(parts)}};
}

nlohmann::json json_of_parts(const std::vector<PathPart>& parts) {
  nlohmann::json list = nlohmann::json::array();
  for (const PathPart& part : parts) {
    list.push_back({{"name", part.name}, {"time_ps", part.time.ps()}});
  }
  return list;
}

nlohmann::json json_of_place(topology::PositionMm place) {
  return nlohmann::json::array({place.x, place.y});
}

/// Returns the time by link, with the places of links in their SIP.
nlohmann::json json_of_links(const topology::TopologyGraph& graph,
                             const model::trace::CriticalPath& path) {
  nlohmann::json list = json_of_parts(path.by_link(graph));
  const std::vector<model::trace::WireTime> times = path.wire_times();
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::uint16_t sip = topology::sip_of(graph, times[i].wire);
    if (sip == topology::kNoIndex) continue;
    const topology::Edge& edge = graph.edge(times[i].wire);
    list[i]["sip"] = sip;
    list[i]["from_mm"] = json_of_place(graph.node(edge.from).position);
    list[i]["to_mm"] = json_of_place(graph.node(edge.to).position);
  }
  return list;
}

/// Returns what limits the path and which links it takes, in windows of time.
nlohmann::json json_over_time(const topology::TopologyGraph& graph,
                              const model::trace::CriticalPath& path) {
  nlohmann::json windows = nlohmann::json::array();
  for (const model::trace::CriticalPath& window : path.over_time(kMostWindows)) {
    windows.push_back({{"start_ps", window.start.ps()},
                       {"time_ps", window.time().ps()},
                       {"by_limit", json_of_parts(window.by_limit(graph))},
                       {"by_link", json_of_parts(window.by_link(graph))}});
  }
  return windows;
}

}  // namespace

RunExplanation explain_run(const topology::TopologyGraph& graph,
                           const model::bench::RunResult& result,
                           const std::vector<model::bench::LaunchFigures>& figures) {
  RunExplanation why;
  std::vector<StretchUse> uses = model::bench::part_uses(result, graph);
  auto use = uses.begin();
  for (auto& [what, path] : model::bench::explain(result)) {
    why.stretches.push_back({what, std::move(path), std::move(*use++)});
  }
  why.rooflines = launch_rooflines(result, figures, graph.spec());
  return why;
}

void print_explanations(const topology::TopologyGraph& graph, const model::bench::RunResult& result,
                        const RunExplanation& why) {
  for (const auto& [what, path, use] : why.stretches) {
    const SimTime whole = path.time();
    print("\ncritical path of {}: {:.3f} us in {} steps\n", what, whole.ns() / 1000.0, path.steps);
    if (whole == SimTime()) continue;
    print_limits(path.by_limit(graph), whole);
    print_parts("by component", path.by_component(graph), whole);
    print_parts("by operation", path.by_operation(), whole);
    print_parts("by PE", path.by_pe(graph), whole);
    print_parts("by link", path.by_link(graph), whole);
    print_use(use);
    if (path.unnamed() == SimTime()) continue;
    print_part(path.unnamed(), whole, "without a cause: a component says nothing of a delay");
  }
  if (!why.rooflines.empty()) print_rooflines(result, why.rooflines);
}

nlohmann::json json_of_explanations(const topology::TopologyGraph& graph,
                                    const RunExplanation& why) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [what, path, use] : why.stretches) {
    list.push_back({{"of", what},
                    {"start_ps", path.start.ps()},
                    {"time_ps", path.time().ps()},
                    {"unnamed_ps", path.unnamed().ps()},
                    {"steps", path.steps},
                    {"by_limit", json_of_parts(path.by_limit(graph))},
                    {"by_component", json_of_parts(path.by_component(graph))},
                    {"by_operation", json_of_parts(path.by_operation())},
                    {"by_pe", json_of_parts(path.by_pe(graph))},
                    {"by_link", json_of_links(graph, path)},
                    {"over_time", json_over_time(graph, path)},
                    {"use", json_of_use(use)}});
  }
  return list;
}

nlohmann::json json_of_sip(const topology::TopologyGraph& graph) {
  const topology::View& view = graph.view(topology::ViewLevel::Sip);
  nlohmann::json blocks = nlohmann::json::array();
  for (const topology::ViewNode& node : view.nodes) {
    if (node.shape != topology::ViewShape::CubeBlock &&
        node.shape != topology::ViewShape::IoBlock) {
      continue;
    }
    blocks.push_back(
        {{"name", node.label},
         {"at_mm", json_of_place({node.center.x - node.w_mm / 2, node.center.y - node.h_mm / 2})},
         {"size_mm", json_of_place({node.w_mm, node.h_mm})}});
  }
  return {{"size_mm", json_of_place({view.w_mm, view.h_mm})}, {"blocks", std::move(blocks)}};
}

nlohmann::json json_of_rooflines(const RunExplanation& why) {
  nlohmann::json list = nlohmann::json::array();
  for (const LaunchRoofline& roofline : why.rooflines) {
    nlohmann::json limits = nlohmann::json::array();
    for (const model::bench::RooflineLimit& limit : roofline.limits) {
      limits.push_back({{"name", limit.name}, {"least_ps", limit.least.ps()}});
    }
    list.push_back({{"sentence", roofline.sentence()}, {"limits", std::move(limits)}});
  }
  return list;
}

}  // namespace kernbench::cli
