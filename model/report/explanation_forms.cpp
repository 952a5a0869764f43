// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "common/description.hpp"
#include "common/grade.hpp"
#include "model/report/run_forms.hpp"
#include "topology/diagram/link_picture.hpp"

// Forms of where the time of a run went, and of a changed system.
namespace kernbench::common {

using model::bench::KindUse;
using model::bench::LaunchRoofline;
using model::bench::PartUse;
using model::bench::RooflineLimit;
using model::bench::StretchUse;
using model::report::NamedPath;
using model::report::SipOutline;
using model::report::StretchRow;
using model::trace::CriticalPath;
using model::trace::PathPart;

namespace {

constexpr std::size_t kMostWindows = 64;
constexpr const char* kInOneSip = "both ends are in one SIP";

using Place = std::array<double, 2>;

/// A link of a critical path, with places if both ends are in one SIP.
struct LinkRow {
  PathPart part;
  std::optional<std::uint16_t> sip{};
  std::optional<Place> from{};
  std::optional<Place> to{};
};
struct HbmUse {
  std::uint64_t bytes = 0;
  std::uint64_t slices = 0;
  SimTime least;
};
struct Block {
  std::string name;
  Place at;
  Place size;
};

std::vector<LinkRow> links_of(const StretchRow& stretch) {
  const topology::TopologyGraph& graph = *stretch.path.graph;
  std::vector<LinkRow> links;
  for (PathPart& part : stretch.path.path.by_link(graph)) links.push_back({std::move(part)});
  const std::vector<model::trace::WireTime> times = stretch.path.path.wire_times();
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::uint16_t sip = topology::sip_of(graph, times[i].wire);
    if (sip == topology::kNoIndex) continue;
    const topology::Edge& edge = graph.edge(times[i].wire);
    const topology::PositionMm from = graph.node(edge.from).position;
    const topology::PositionMm to = graph.node(edge.to).position;
    links[i].sip = sip;
    links[i].from = Place{from.x, from.y};
    links[i].to = Place{to.x, to.y};
  }
  return links;
}

std::vector<NamedPath> windows_of(const NamedPath& path) {
  std::vector<NamedPath> windows;
  for (CriticalPath& window : path.path.over_time(kMostWindows)) {
    windows.push_back({std::move(window), path.graph});
  }
  return windows;
}

std::vector<Block> blocks_of(const SipOutline& sip) {
  std::vector<Block> blocks;
  for (const topology::ViewNode& node : sip.view->nodes) {
    if (node.shape != topology::ViewShape::CubeBlock &&
        node.shape != topology::ViewShape::IoBlock) {
      continue;
    }
    blocks.push_back({node.label,
                      {node.center.x - node.w_mm / 2, node.center.y - node.h_mm / 2},
                      {node.w_mm, node.h_mm}});
  }
  return blocks;
}

/// Returns a getter of the parts of a path, which have the names of a graph.
auto parts(std::vector<PathPart> (CriticalPath::*by)(const topology::TopologyGraph&) const) {
  return [by](const NamedPath& one) { return (one.path.*by)(*one.graph); };
}

}  // namespace

template <>
const Description<PathPart>& description_of() {
  static const auto kAll = Description<PathPart>()
                               .add("name", &PathPart::name)
                               .add("time_ps", &PathPart::time)
                               .at_least(1);
  return kAll;
}

template <>
const Description<LinkRow>& description_of() {
  static const auto kAll =
      Description<LinkRow>()
          .add_members(&LinkRow::part)
          .add("sip", &LinkRow::sip)
          .absent_unless(kInOneSip)
          .add("from_mm", &LinkRow::from, "place in the SIP: from its west and its north edge")
          .absent_unless(kInOneSip)
          .add("to_mm", &LinkRow::to)
          .absent_unless(kInOneSip);
  return kAll;
}

template <>
const Description<NamedPath>& description_of() {  // a window of time
  static const auto kAll = Description<NamedPath>()
                               .add("start_ps", [](const auto& one) { return one.path.start; })
                               .add("time_ps", [](const auto& one) { return one.path.time(); })
                               .at_least(1)
                               .add("by_limit", parts(&CriticalPath::by_limit))
                               .add("by_link", parts(&CriticalPath::by_link));
  return kAll;
}

template <>
const Description<HbmUse>& description_of() {
  static const auto kAll =
      Description<HbmUse>()
          .add("bytes", &HbmUse::bytes)
          .add("slices", &HbmUse::slices, "of the SIPs in use")
          .add("least_ps", &HbmUse::least, "time that the slices need at least");
  return kAll;
}

template <>
const Description<KindUse>& description_of() {
  static const auto kAll = Description<KindUse>()
                               .add("kind", &KindUse::kind)
                               .not_empty()
                               .add("parts", &KindUse::parts, "number of those that were used")
                               .at_least(1)
                               .add("busiest", &KindUse::busiest)
                               .not_empty()
                               .add("busy_ps", &KindUse::busy, "of the busiest part")
                               .add("total_ps", &KindUse::total, "of all parts")
                               .add("work", &KindUse::work, "multiply-adds, elements or bytes")
                               .add("waiting_ps", &KindUse::waiting, "of all parts")
                               .add("longest_queue_ps", &KindUse::longest_queue,
                                    "longest time from when work was ready until it started");
  return kAll;
}

template <>
const Description<PartUse>& description_of() {
  static const auto kAll = Description<PartUse>()
                               .add("kind", &PartUse::kind)
                               .not_empty()
                               .add("name", &PartUse::name)
                               .not_empty()
                               .add("busy_ps", &PartUse::busy)
                               .add("work", &PartUse::work, "multiply-adds, elements or bytes")
                               .add("waiting_ps", &PartUse::waiting,
                                    "time in which it did not work while a kernel ran on its PE")
                               .add("longest_queue_ps", &PartUse::longest_queue,
                                    "longest time from when work was ready until it started");
  return kAll;
}

template <>
const Description<StretchUse>& description_of() {
  static const auto kAll =
      Description<StretchUse>()
          .add("hbm",
               [](const auto& use) {
                 return HbmUse{use.hbm_bytes, use.hbm_slices, use.hbm};
               })
          .add("kinds", &StretchUse::kinds, "by kind, that with the busiest part first")
          .add("parts", &StretchUse::parts, "those that were used");
  return kAll;
}

template <>
const Description<StretchRow>& description_of() {
  const auto named = [](auto get) {
    return [get](const StretchRow& row) { return std::invoke(get, row.path); };
  };
  const auto path = [](auto get) {
    return [get](const StretchRow& one) { return std::invoke(get, one.path.path); };
  };
  static const auto kAll =
      Description<StretchRow>()
          .add("of", [](const auto& one) { return one.why->of; })
          .add("start_ps", path(&CriticalPath::start))
          .add("time_ps", path(&CriticalPath::time))
          .add("unnamed_ps", path(&CriticalPath::unnamed), "time that no component accounts for")
          .add("steps", path(&CriticalPath::steps))
          .add("by_limit", named(parts(&CriticalPath::by_limit)),
               "parts of the path by what would make them shorter, the longest first")
          .add("by_component", named(parts(&CriticalPath::by_component)))
          .add("by_operation", path(&CriticalPath::by_operation))
          .add("by_pe", named(parts(&CriticalPath::by_pe)))
          .add("by_link", links_of)
          .add("over_time", named(windows_of),
               "the path in windows of 2^k ps, in order; the first and the last may be shorter")
          .add(
              "use", [](const auto& one) -> auto& { return one.why->use; },
              "use of engines, ports, memories and wires in the same time");
  return kAll;
}

template <>
const Description<RooflineLimit>& description_of() {
  static const auto kAll =
      Description<RooflineLimit>()
          .add("name", &RooflineLimit::name)
          .not_empty()
          .add("least_ps", &RooflineLimit::least, "time that the launch needs of it at least")
          .at_least(1);
  return kAll;
}

template <>
const Description<LaunchRoofline>& description_of() {
  static const auto kAll = Description<LaunchRoofline>()
                               .add("sentence", &LaunchRoofline::sentence)
                               .not_empty()
                               .add("limits", &LaunchRoofline::limits, "the highest first");
  return kAll;
}

template <>
const Description<Block>& description_of() {
  static const auto kAll = Description<Block>()
                               .add("name", &Block::name)
                               .add("at_mm", &Block::at, "its west and its north edge")
                               .add("size_mm", &Block::size);
  return kAll;
}

template <>
const Description<SipOutline>& description_of() {
  static const auto kAll = Description<SipOutline>()
                               .add("size_mm",
                                    [](const auto& sip) {
                                      return Place{sip.view->w_mm, sip.view->h_mm};
                                    })
                               .add("blocks", blocks_of);
  return kAll;
}

}  // namespace kernbench::common
