// SPDX-License-Identifier: Apache-2.0
#include "model/trace/chrome_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace kernbench::model::trace {

void write_timeline(TraceEventWriter& writer, std::size_t process, const Timeline& timeline) {
  std::map<topology::NodeId, std::vector<const HopRecord*>> by_node;
  for (const HopRecord& record : timeline.trace->records()) {
    by_node[record.node].push_back(&record);
  }
  writer.name_process(process, timeline.title);
  std::size_t tracks = 0;
  for (auto first = timeline.spans.begin(); first != timeline.spans.end();) {
    const auto last = std::find_if(first, timeline.spans.end(),
                                   [&](const Span& span) { return span.track != first->track; });
    TrackGroup group(writer, process, first->track);
    for (; first != last; ++first) {
      const Track track = group.place(first->begin, first->end, tracks);
      writer.slice({track, first->name, first->begin, first->end, {}});
    }
  }
  for (auto& [node, records] : by_node) {
    std::stable_sort(records.begin(), records.end(),
                     [](const HopRecord* a, const HopRecord* b) { return a->arrive < b->arrive; });
    TrackGroup group(writer, process, std::string(timeline.graph->name(node)));
    for (const HopRecord* record : records) {
      std::string args = fmt::format(R"("transaction": {})", record->label.transaction);
      if (record->why != WaitReason::None) {
        args += fmt::format(R"(, "wait_ps": {}, "why": "{}", "behind": {})", record->wait.ps(),
                            name(record->why), record->behind);
      }
      const Track track = group.place(record->arrive, record->depart, tracks);
      writer.slice({track, record->label.what, record->arrive, record->depart, std::move(args)});
    }
  }
}

void write_chrome_timelines(std::span<const Timeline> timelines, std::ostream& out) {
  TraceEventWriter writer(out);
  for (std::size_t i = 0; i < timelines.size(); ++i) write_timeline(writer, i + 1, timelines[i]);
  writer.finish();
}

}  // namespace kernbench::model::trace
