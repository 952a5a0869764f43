// SPDX-License-Identifier: Apache-2.0
#include "cli/model/run_explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/console.hpp"
#include "cli/base/text_table.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli {
namespace {

using common::SimTime;
using model::bench::KindUse;
using model::bench::LaunchRoofline;
using model::bench::PartUse;
using model::bench::StretchUse;
using model::trace::PathPart;

constexpr std::size_t kShownParts = 10;

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
  print("{}\n", wrapped("  limited by: " + text, 4));
}

/// Prints how busy the parts of each kind are: no faster part elsewhere helps beyond that.
void print_use(const StretchUse& use) {
  const auto percent = [&](SimTime time) { return 100.0 * time.ns() / use.time.ns(); };
  TextTable table({"  busy", "time (us)", "busiest (%)", "mean (%)", "waiting (%)", "queue (us)",
                   "busiest of the used"});
  const auto us = [](SimTime time) { return fixed_text(time.ns() / 1000.0, 3); };
  if (use.hbm_slices != 0) {
    table.add({"    bandwidth of the HBM", us(use.hbm), "", fixed_text(percent(use.hbm), 1), "", "",
               fmt::format("at least, for {} slices", use.hbm_slices)});
  }
  const std::vector<KindUse> kinds = use.kinds();
  for (std::size_t i = 0; i < std::min(kShownParts, kinds.size()); ++i) {
    const KindUse& kind = kinds[i];
    const bool waits = kind.waiting != SimTime();
    table.add({"    " + kind.kind, us(kind.busy), fixed_text(percent(kind.busy), 1),
               fixed_text(percent(kind.mean()), 1),
               waits ? fixed_text(percent(kind.mean_waiting()), 1) : "", us(kind.longest_queue),
               fmt::format("{} of {}", kind.busiest, kind.parts)});
  }
  if (kinds.size() > kShownParts) {
    table.add({fmt::format("    {} less busy kinds", kinds.size() - kShownParts),
               us(kinds[kShownParts].busy), fixed_text(percent(kinds[kShownParts].busy), 1), "", "",
               "", ""});
  }
  print_table(table);
}

/// Share of the bytes above which short accesses are worth a line.
constexpr double kMuchInShort = 0.5;

/// Prints the nearest limit of the longest launch of each kernel, and whether its accesses are too
/// short for the `channels` of a slice.
void print_rooflines(const model::bench::RunResult& result,
                     const std::vector<LaunchRoofline>& rooflines, std::uint32_t channels) {
  std::map<std::string, std::size_t> longest;
  std::vector<std::string> kernels;
  for (std::size_t i = 0; i < rooflines.size(); ++i) {
    const auto [known, is_new] = longest.try_emplace(result.launches[i].kernel, i);
    if (is_new) kernels.push_back(result.launches[i].kernel);
    if (rooflines[i].time > rooflines[known->second].time) known->second = i;
  }
  std::vector<std::string> with_short;
  print("\nlaunches and their limits: the longest of each kernel\n");
  for (const std::string& kernel : kernels) {
    const LaunchRoofline& roofline = rooflines[longest[kernel]];
    print("{}\n", wrapped_from(fmt::format("  {:<20} {:>10} us  ", kernel,
                                           fixed_text(roofline.time.ns() / 1000.0, 3)),
                               roofline.sentence()));
    if (result.launches[longest[kernel]].channel_load.share_of_short() >= kMuchInShort) {
      with_short.push_back(kernel);
    }
  }
  if (with_short.empty()) return;
  print("{}\n",
        wrapped(fmt::format(
                    "  Of {}: most bytes are in accesses of fewer flits than the {} channels of "
                    "a slice, which leave channels idle. Fewer channels of the same "
                    "bandwidth serve each faster.",
                    fmt::join(with_short, ", "), channels),
                2));
}

}  // namespace

void print_explanations(const model::report::RunReport& run) {
  if (!run.shows_why) return;
  const topology::TopologyGraph& graph = run.graph;
  for (const auto& [what, path, use] : run.why->stretches) {
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
  if (!run.why->rooflines.empty()) {
    print_rooflines(run.result, run.why->rooflines,
                    graph.spec().cube.memory_map.channels_per_slice);
  }
}

}  // namespace kernbench::cli
