// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "model/trace/chrome_timeline.hpp"

namespace kernbench::model::chakra {

namespace {

constexpr std::size_t kMostSpans = 100'000;

std::string_view track_of(const Node& node) {
  switch (node.kind) {
    case NodeKind::Computation:
      return node.on_host ? "host" : "computation";
    case NodeKind::Load:
    case NodeKind::Store:
      return "memory";
    default:
      return "communication";
  }
}

}  // namespace

std::string write_timeline(const TraceSet& traces, const ReplayResult& result,
                           const topology::TopologyGraph& graph, const trace::HopTrace& hops,
                           std::ostream& out) {
  std::vector<NodeSpan> shown;
  std::copy_if(result.spans.begin(), result.spans.end(), std::back_inserter(shown),
               [](const NodeSpan& span) { return span.begin != span.end; });
  std::string left_out;
  if (shown.size() > kMostSpans) {
    left_out = fmt::format("the {} shortest of {} nodes are left out", shown.size() - kMostSpans,
                           shown.size());
    std::stable_sort(shown.begin(), shown.end(), [](const NodeSpan& a, const NodeSpan& b) {
      return a.end - a.begin > b.end - b.begin;
    });
    shown.resize(kMostSpans);
  }
  const auto key = [&](const NodeSpan& span) {
    return std::tuple(span.rank, track_of(traces.ranks[span.rank].nodes[span.node]), span.begin,
                      span.node);
  };
  std::sort(shown.begin(), shown.end(),
            [&](const NodeSpan& a, const NodeSpan& b) { return key(a) < key(b); });
  std::vector<trace::Span> spans;
  for (const NodeSpan& span : shown) {
    const RankTrace& rank = traces.ranks[span.rank];
    const Node& node = rank.nodes[span.node];
    spans.push_back({fmt::format("rank {} {}", span.rank, track_of(node)),
                     std::string(rank.name(node)), span.begin, span.end});
  }
  const trace::Timeline timeline{"traces", &graph, &hops, std::move(spans)};
  trace::write_chrome_timelines({&timeline, 1}, out);
  return left_out;
}

}  // namespace kernbench::model::chakra
