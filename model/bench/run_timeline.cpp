// SPDX-License-Identifier: Apache-2.0
#include "model/bench/run_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/bench/timeline_counters.hpp"
#include "topology/graph/node_names.hpp"

namespace kernbench::model::bench {

using common::SimTime;
using topology::kNoIndex;

namespace {

/// The place of a track: a SIP, a cube or a PE. The host is behind all SIPs.
struct Place {
  std::uint16_t sip = 0;
  std::uint16_t cube = kNoIndex;
  std::uint16_t pe = kNoIndex;

  friend bool operator==(const Place&, const Place&) = default;
  /// Orders a cube before its PEs.
  friend bool operator<(const Place& a, const Place& b) {
    constexpr auto kFirst = [](std::uint16_t index) {
      return static_cast<std::uint16_t>(index + 1);
    };
    return std::tuple(a.sip, kFirst(a.cube), kFirst(a.pe)) <
           std::tuple(b.sip, kFirst(b.cube), kFirst(b.pe));
  }
};

/// A kernel or an operation on a track.
struct PlacedSpan {
  Place place;
  SimTime begin;
  SimTime end;
  std::string_view name;
  const data::OpRecord* record = nullptr;  ///< null for a kernel
  bool in_flight = false;
  bool hidden = false;
  trace::Track track{};  ///< none if the span is left out

  [[nodiscard]] SimTime time() const { return end - begin; }
};

/// The smallest places that have tracks.
enum class Detail : std::uint8_t { Pes, Cubes, Sips };

/// Collects the spans of a run, leaves out what exceeds the limits, and writes the rest.
class RunTimeline {
 public:
  RunTimeline(const RunResult& result, const topology::TopologyGraph& graph,
              const TimelineLimits& limits)
      : result_(result), graph_(graph), limits_(limits), log_(result.recorder->log()) {
    collect();
    leave_out_tracks();
    leave_out_spans();
  }

  std::string write(const trace::HopTrace& hops, std::ostream& out) {
    trace::TraceEventWriter writer(out);
    write_regions_and_launches(writer);
    write_spans(writer);
    write_arrows(writer);
    write_counters(writer, graph_, log_, hops, result_.end, limits_.counter_steps);
    writer.finish(left_out_);
    return left_out_;
  }

 private:
  void collect() {
    std::map<std::pair<Place, std::uint32_t>, std::size_t> kernels;  // index of a launch's span
    const auto add_kernel = [&](const Place& place, const data::OpRecord& record) {
      const auto [known, is_new] = kernels.emplace(std::pair(place, record.launch), spans_.size());
      if (is_new) {
        spans_.push_back({place, record.start, record.end, log_.launches()[record.launch]});
      } else {
        spans_[known->second].end = std::max(spans_[known->second].end, record.end);
      }
    };
    names_.reserve(log_.records().size());
    for (const data::OpRecord& record : log_.records()) {
      names_.push_back(data::op_name(record.params));
      const topology::Node& node = graph_.node(record.component);
      const Place place{node.sip, node.cube, node.pe};
      if (record.launch == data::OpLog::kNone) {
        spans_.push_back({{kNoIndex}, record.start, record.end, names_.back(), &record});
        continue;
      }
      add_kernel({place.sip, place.cube}, record);
      add_kernel(place, record);
      spans_.push_back(
          {place, record.start, record.end, names_.back(), &record, record.awaited_later});
    }
    // Longer ones first, so that kernels enclose their operations.
    std::stable_sort(spans_.begin(), spans_.end(), [](const PlacedSpan& a, const PlacedSpan& b) {
      return std::tuple(a.place, a.in_flight, a.begin, b.end) <
             std::tuple(b.place, b.in_flight, b.begin, a.end);
    });
  }

  [[nodiscard]] bool shows(const Place& place) const {
    if (place.cube == kNoIndex) return true;
    return place.pe != kNoIndex ? detail_ == Detail::Pes : detail_ != Detail::Sips;
  }

  void leave_out_tracks() {
    // Regions and launches of different ranks and kernels may overlap, so their tracks are counted
    // as they are written; three for each SIP are usual.
    constexpr std::size_t kTracksOfASip = 3;
    constexpr std::size_t kOthers = 16;
    for (const Detail detail : {Detail::Pes, Detail::Cubes, Detail::Sips}) {
      detail_ = detail;
      std::map<Place, bool> places;  // and whether it has operations in flight
      std::map<std::uint16_t, bool> sips;
      for (const PlacedSpan& span : spans_) {
        if (!shows(span.place) || span.place.sip == kNoIndex) continue;
        places[span.place] |= span.in_flight;
        sips[span.place.sip] = true;
      }
      std::size_t tracks = places.size() + kTracksOfASip * sips.size() + kOthers;
      if (tracks > limits_.tracks && detail != Detail::Sips) continue;
      for (const auto& [place, in_flight] : places) {
        if (in_flight && tracks < limits_.tracks) {
          ++tracks;
          with_flight_.push_back(place);
        }
      }
      break;
    }
    if (detail_ != Detail::Pes) {
      left_out_ = detail_ == Detail::Cubes ? "The tracks of PEs are left out. "
                                           : "The tracks of cubes and PEs are left out. ";
    }
  }

  /// Hides spans of places without a track, and the shortest ones beyond the limit; of equally long
  /// ones the latest.
  void leave_out_spans() {
    std::vector<PlacedSpan*> shown;
    for (PlacedSpan& span : spans_) {
      span.hidden = !shows(span.place);
      if (!span.hidden) shown.push_back(&span);
    }
    if (shown.size() <= limits_.spans) return;
    const auto first = shown.begin() + static_cast<std::ptrdiff_t>(limits_.spans);
    std::nth_element(shown.begin(), first, shown.end(), [](const auto* a, const auto* b) {
      return std::tuple(b->time(), a->begin, a) < std::tuple(a->time(), b->begin, b);
    });
    const SimTime longest = (*first)->time();
    for (auto span = first; span != shown.end(); ++span) (*span)->hidden = true;
    left_out_ += fmt::format(
        "The shortest {} of {} kernels and operations are left out, of at most {:.3f} ns. ",
        shown.end() - first, shown.size(), longest.ns());
  }

  [[nodiscard]] static std::size_t process_of(std::uint16_t sip) {
    return sip == kNoIndex ? 1 : std::size_t{sip} + 2;
  }

  void name_process(trace::TraceEventWriter& writer, std::uint16_t sip) {
    std::size_t& tracks = tracks_[sip];
    if (tracks != 0) return;
    writer.name_process(process_of(sip), sip == kNoIndex ? "host" : topology::node_names::sip(sip));
  }

  void write_regions_and_launches(trace::TraceEventWriter& writer) {
    std::map<std::uint16_t, std::vector<trace::Span>> by_sip;
    for (const runtime::MeasuredRegion& region : result_.regions) {
      for (const runtime::RegionRank& rank : region.ranks) {
        by_sip[static_cast<std::uint16_t>(rank.device.sip)].push_back(
            {"measured on " + rank.device.name(), region.name, region.start, rank.end});
      }
    }
    for (const runtime::LaunchRecord& launch : result_.launches) {
      by_sip[static_cast<std::uint16_t>(launch.device.sip)].push_back(
          {"launches", launch.kernel, launch.start, launch.end});
    }
    std::size_t written = 0;
    for (auto& [sip, spans] : by_sip) {
      std::stable_sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
        return std::tuple(b.track, a.begin) < std::tuple(a.track, b.begin);
      });
      name_process(writer, sip);
      std::optional<trace::TrackGroup> group;
      std::string_view track;
      for (const trace::Span& span : spans) {
        if (++written > limits_.spans / 8) continue;
        if (track != span.track) {
          track = span.track;
          group.emplace(writer, process_of(sip), span.track);
        }
        writer.slice({group->place(span.begin, span.end, tracks_[sip]),
                      span.name,
                      span.begin,
                      span.end,
                      {}});
      }
    }
    if (written > limits_.spans / 8) {
      left_out_ += fmt::format("{} of {} regions and launches are left out. ",
                               written - limits_.spans / 8, written);
    }
  }

  void write_spans(trace::TraceEventWriter& writer) {
    std::optional<Place> place;
    bool in_flight = false;
    std::vector<trace::Track> lanes;         // tracks of the place; more than one for the host only
    std::vector<std::vector<SimTime>> open;  // ends of the spans that enclose the next one, by lane
    std::size_t unplaced = 0;
    for (PlacedSpan& span : spans_) {
      if (span.hidden) continue;
      if (place != span.place || in_flight != span.in_flight) {
        place = span.place;
        in_flight = span.in_flight;
        lanes.clear();
        open.clear();
      }
      std::size_t lane = 0;
      while (lane < lanes.size() && !encloses(open[lane], span)) ++lane;
      if (lane == lanes.size()) {
        if (!may_add_track(span, lanes.size())) {
          ++unplaced;
          continue;
        }
        name_process(writer, place->sip);
        lanes.push_back({process_of(place->sip), ++tracks_[place->sip]});
        open.emplace_back();
        writer.name_track(lanes.back(), name_of(*place) + (in_flight ? " in flight" : "") +
                                            (lane == 0 ? "" : fmt::format(" #{}", lane + 1)));
      }
      open[lane].push_back(span.end);
      span.track = lanes[lane];
      std::string args;
      if (span.record != nullptr && span.record->line.line != 0) {
        args = fmt::format(R"("line": "{}:{}")", span.record->line.file, span.record->line.line);
      }
      writer.slice({span.track, span.name, span.begin, span.end, std::move(args)});
    }
    if (unplaced != 0) {
      left_out_ += fmt::format(
          "{} kernels and operations are left out, which overlap others of their PE or cube. ",
          unplaced);
    }
  }

  /// Closes the spans that end before `span`. Returns true if it is within those that are left.
  [[nodiscard]] static bool encloses(std::vector<SimTime>& open, const PlacedSpan& span) {
    while (!open.empty() && open.back() <= span.begin) open.pop_back();
    return open.empty() || span.end <= open.back();
  }

  /// Returns true if the place of a span may have another track.
  [[nodiscard]] bool may_add_track(const PlacedSpan& span, std::size_t lanes) const {
    constexpr std::size_t kTracksOfTheHost = 16;
    if (span.place.sip == kNoIndex) return lanes < kTracksOfTheHost;
    return lanes == 0 && (!span.in_flight ||
                          std::binary_search(with_flight_.begin(), with_flight_.end(), span.place));
  }

  [[nodiscard]] static std::string name_of(const Place& place) {
    if (place.sip == kNoIndex) return "copies";
    namespace names = topology::node_names;
    if (place.pe == kNoIndex) {
      return std::string(names::last_parts(names::cube(place.sip, place.cube), 1));
    }
    return std::string(names::last_parts(names::pe(place.sip, place.cube, place.pe), 2));
  }

  /// Draws an arrow from each send to its receive, if both are shown.
  void write_arrows(trace::TraceEventWriter& writer) {
    std::vector<const PlacedSpan*> by_record(log_.records().size());
    for (const PlacedSpan& span : spans_) {
      if (span.record == nullptr || span.track.track == 0) continue;
      by_record[static_cast<std::size_t>(span.record - log_.records().data())] = &span;
    }
    std::size_t drawn = 0;
    std::size_t more = 0;
    for (const PlacedSpan* const receive : by_record) {
      if (receive == nullptr) continue;
      const auto* const copy = std::get_if<data::IpcqCopyParams>(&receive->record->params);
      if (copy == nullptr || copy->send) continue;
      for (const std::uint32_t dependency : receive->record->dependencies) {
        const PlacedSpan* const send = by_record[dependency];
        if (send == nullptr) continue;
        const auto* const sent = std::get_if<data::IpcqCopyParams>(&send->record->params);
        if (sent == nullptr || !sent->send) continue;
        if (drawn == limits_.arrows) {
          ++more;
          continue;
        }
        ++drawn;
        // Within the receive's span, which may begin before the send.
        const SimTime arrival =
            std::max(receive->begin, std::min(send->end, receive->end - SimTime::from_ps(1)));
        writer.arrow(send->track, send->begin, receive->track, arrival);
      }
    }
    if (more != 0) left_out_ += fmt::format("{} of {} arrows are left out. ", more, drawn + more);
  }

  const RunResult& result_;
  const topology::TopologyGraph& graph_;
  TimelineLimits limits_;
  const data::OpLog& log_;
  std::vector<std::string> names_;  ///< by record
  std::vector<PlacedSpan> spans_;
  Detail detail_ = Detail::Pes;
  std::vector<Place> with_flight_;  ///< PEs with a track of operations in flight, ascending
  std::map<std::uint16_t, std::size_t> tracks_;  ///< number of tracks so far, by SIP
  std::string left_out_;
};

}  // namespace

std::vector<trace::Span> region_spans(const RunResult& result) {
  std::vector<trace::Span> spans;
  for (const runtime::MeasuredRegion& region : result.regions) {
    for (const runtime::RegionRank& rank : region.ranks) {
      spans.push_back({"measured on " + rank.device.name(), region.name, region.start, rank.end});
    }
  }
  std::stable_sort(spans.begin(), spans.end(),
                   [](const auto& a, const auto& b) { return a.track < b.track; });
  return spans;
}

std::string write_run_timeline(const RunResult& result, const topology::TopologyGraph& graph,
                               const trace::HopTrace& hops, std::ostream& out,
                               const TimelineLimits& limits) {
  return RunTimeline(result, graph, limits).write(hops, out);
}

}  // namespace kernbench::model::bench
