// SPDX-License-Identifier: Apache-2.0
#include "model/trace/trace_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/decimal_text.hpp"

namespace kernbench::model::trace {

using common::SimTime;

namespace {

std::string microseconds(SimTime time) {
  return common::decimal_text(time.ps(), 6);
}
/// Returns a text of JSON. Bytes that are not UTF-8, such as of the name of a file, are replaced.
std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

TraceEventWriter::TraceEventWriter(std::ostream& out) : out_(out) {
  out_ << R"({"displayTimeUnit": "ns", "traceEvents": [)";
}

void TraceEventWriter::finish(std::string_view note) {
  out_ << "\n]";
  if (!note.empty()) out_ << R"(, "otherData": {"note": )" << json_text(note) << '}';
  out_ << "}\n";
}

void TraceEventWriter::counter(std::size_t process, std::string_view name, std::string_view unit,
                               SimTime time, double value) {
  event(fmt::format(R"("name": {}, "ph": "C", "pid": {}, "ts": {}, "args": {{{}: {}}})",
                    json_text(name), process, microseconds(time), json_text(unit), value));
}

void TraceEventWriter::event(const std::string& fields) {
  out_ << (first_ ? "\n{" : ",\n{") << fields << '}';
  first_ = false;
}

void TraceEventWriter::name(std::string_view what, const Track& track, std::string_view name) {
  event(fmt::format(R"("name": "{}", "ph": "M", "pid": {}, "tid": {}, "args": {{"name": {}}})",
                    what, track.process, track.track, json_text(name)));
}

void TraceEventWriter::name_process(std::size_t process, std::string_view name) {
  this->name("process_name", {process, 0}, name);
}

void TraceEventWriter::name_track(const Track& track, std::string_view name) {
  this->name("thread_name", track, name);
}

void TraceEventWriter::slice(const Slice& slice) {
  event(fmt::format(
      R"("name": {}, "ph": "X", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}})",
      json_text(slice.name), slice.track.process, slice.track.track, microseconds(slice.begin),
      microseconds(slice.end - slice.begin), slice.args));
}

void TraceEventWriter::arrow(const Track& from, SimTime from_time, const Track& to,
                             SimTime to_time) {
  ++arrows_;
  arrow_end('s', from, from_time);
  arrow_end('f', to, to_time);
}

void TraceEventWriter::arrow_end(char phase, const Track& at, SimTime time) {
  // "bp": "e" binds the arrow to the enclosing slice instead of the next one.
  event(fmt::format(
      R"("name": "packet", "cat": "packet", "ph": "{}", "id": {}, "pid": {}, "tid": {}, "ts": {}{})",
      phase, arrows_, at.process, at.track, microseconds(time),
      phase == 'f' ? R"(, "bp": "e")" : ""));
}

Track TrackGroup::place(SimTime begin, SimTime end, std::size_t& tracks) {
  auto lane = std::find_if(lanes_.begin(), lanes_.end(),
                           [begin](const Lane& free) { return free.end <= begin; });
  if (lane == lanes_.end()) {
    lane = lanes_.insert(lane, {++tracks, {}});
    writer_.name_track({process_, lane->track},
                       lanes_.size() == 1 ? name_ : fmt::format("{} #{}", name_, lanes_.size()));
  }
  lane->end = end;
  return {process_, lane->track};
}

}  // namespace kernbench::model::trace
