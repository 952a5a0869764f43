#include "model/trace/chrome_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "topology/export/decimal_text.hpp"

namespace kernbench::model::trace {

namespace {

using common::SimTime;

std::string microseconds(SimTime time) {
  return topology::decimal_text(time.ps(), 6);
}
std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump();
}

/// Puts the records of one simulation on tracks.
class TimelineWriter {
 public:
  TimelineWriter(const Timeline& timeline, std::size_t process, std::ostream& out, bool& first)
      : timeline_(timeline), process_(process), out_(out), first_(first) {}

  void run() {
    std::map<topology::NodeId, std::vector<const HopRecord*>> by_node;
    for (const HopRecord& record : timeline_.trace->records()) {
      by_node[record.node].push_back(&record);
    }
    metadata("process_name", 0, timeline_.title);
    for (auto& [node, records] : by_node) {
      std::stable_sort(records.begin(), records.end(), [](const HopRecord* a, const HopRecord* b) {
        return a->arrive < b->arrive;
      });
      write_component(timeline_.graph->name(node), records);
    }
  }

 private:
  void write_component(std::string_view name, const std::vector<const HopRecord*>& records) {
    std::vector<SimTime> lane_ends;
    const std::size_t first_track = tracks_;
    for (const HopRecord* record : records) {
      std::size_t lane = 0;
      while (lane < lane_ends.size() && lane_ends[lane] > record->arrive) ++lane;
      if (lane == lane_ends.size()) {
        lane_ends.emplace_back();
        ++tracks_;
        metadata("thread_name", first_track + lane + 1,
                 lane == 0 ? std::string(name) : fmt::format("{} #{}", name, lane + 1));
      }
      lane_ends[lane] = record->depart;
      slice(*record, first_track + lane + 1);
    }
  }

  void metadata(std::string_view what, std::size_t track, const std::string& name) {
    event(fmt::format(R"("name": "{}", "ph": "M", "pid": {}, "tid": {}, "args": {{"name": {}}})",
                      what, process_, track, json_text(name)));
  }

  void slice(const HopRecord& record, std::size_t track) {
    std::string args = fmt::format(R"("transaction": {})", record.label.transaction);
    if (record.why != WaitReason::None) {
      args += fmt::format(R"(, "wait_ps": {}, "why": "{}", "behind": {})", record.wait.ps(),
                          name(record.why), record.behind);
    }
    event(fmt::format(
        R"("name": {}, "ph": "X", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}})",
        json_text(record.label.what), process_, track, microseconds(record.arrive),
        microseconds(record.depart - record.arrive), args));
  }

  void event(const std::string& fields) {
    out_ << (first_ ? "\n{" : ",\n{") << fields << '}';
    first_ = false;
  }

  const Timeline& timeline_;
  std::size_t process_;
  std::ostream& out_;
  bool& first_;
  std::size_t tracks_ = 0;
};

}  // namespace

void write_chrome_timelines(std::span<const Timeline> timelines, std::ostream& out) {
  out << R"({"displayTimeUnit": "ns", "traceEvents": [)";
  bool first = true;
  for (std::size_t i = 0; i < timelines.size(); ++i) {
    TimelineWriter(timelines[i], i + 1, out, first).run();
  }
  out << "\n]}\n";
}

}  // namespace kernbench::model::trace
