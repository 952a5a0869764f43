// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/trace/packet_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "model/fabric/traffic/transfer_list.hpp"

namespace kernbench::model::fabric {

namespace {

using common::SimTime;
using trace::Track;
using trace::TrackGroup;

/// Writes the transfers and packets of one fabric as slices on tracks.
class PacketTimelineWriter {
 public:
  PacketTimelineWriter(trace::TraceEventWriter& writer, std::size_t first_process,
                       const PacketTimeline& timeline)
      : writer_(writer),
        transfers_process_(first_process),
        links_process_(first_process + 1),
        timeline_(timeline),
        places_(*timeline.trace),
        transfers_(timeline.trace->transfers()) {}

  void run() {
    writer_.name_process(transfers_process_, timeline_.title + "transfers");
    write_transfers();
    writer_.name_process(links_process_, timeline_.title + "links");
    write_links();
    write_arrows();
  }

 private:
  static constexpr std::size_t kNotShown = ~std::size_t{0};

  /// A packet in a link.
  struct Passage {
    std::size_t transfer = 0;
    std::size_t step = 0;  ///< step that enters the link
    SimTime begin;
    SimTime end;
  };

  [[nodiscard]] SimTime end_of_trace() const {
    return timeline_.clock.time_of(timeline_.trace->last_edge() + 1);
  }

  void write_transfers() {
    std::vector<std::vector<std::size_t>> by_source(places_.node_count());
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
      by_source[transfers_[i].transfer.src].push_back(i);
    }
    transfer_tracks_.resize(transfers_.size());
    std::size_t tracks = 0;
    for (unsigned node = 0; node < places_.node_count(); ++node) {
      TrackGroup group(writer_, transfers_process_, places_.node_name(node));
      for (const std::size_t i : by_source[node]) write_transfer(i, group, tracks);
    }
  }

  void write_transfer(std::size_t index, TrackGroup& group, std::size_t& tracks) {
    const TracedTransfer& traced = transfers_[index];
    const Transfer& transfer = traced.transfer;
    const SimTime end = traced.missing == 0 ? timeline_.clock.time_of(traced.last) : end_of_trace();
    if (!timeline_.window.shows(traced.submitted, end)) return;
    const Track track = group.place(traced.submitted, end, tracks);
    transfer_tracks_[index] = track;
    std::string args = fmt::format(R"("transfer": {}, "id": {})", index, transfer.id);
    std::string to;
    if (transfer.type == TransferType::Unicast) {
      to = " to " + places_.node_name(transfer.dst);
      args += fmt::format(R"(, "dst": "{}")", places_.node_name(transfer.dst));
    }
    const auto type = common::name_of(kTransferTypeNames, transfer.type);
    args +=
        fmt::format(R"(, "bytes": {}, "{}s": {}, "qos": "{}", "type": "{}")", transfer.bytes,
                    places_.unit(), traced.packets, common::name_of(kQosNames, transfer.qos), type);
    if (transfer.transaction != 0) {
      args += fmt::format(R"(, "transaction": {})", transfer.transaction);
    }
    if (traced.missing != 0) args += fmt::format(R"(, "missing": {})", traced.missing);
    writer_.slice({track, fmt::format("{}{}", type, to), traced.submitted, end, std::move(args)});
  }

  void write_links() {
    std::vector<std::vector<Passage>> by_link(places_.link_count());
    passage_tracks_.resize(transfers_.size());
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
      passage_tracks_[i].resize(transfers_[i].steps.size(), kNotShown);
      collect_passages(i, by_link);
    }
    std::size_t tracks = 0;
    for (std::size_t link = 0; link < by_link.size(); ++link) {
      std::vector<Passage>& passages = by_link[link];
      std::stable_sort(passages.begin(), passages.end(),
                       [](const Passage& a, const Passage& b) { return a.begin < b.begin; });
      TrackGroup group(writer_, links_process_, places_.link_name(link));
      for (const Passage& passage : passages) {
        const TracedTransfer& traced = transfers_[passage.transfer];
        const PacketStep& step = traced.steps[passage.step];
        const Track track = group.place(passage.begin, passage.end, tracks);
        passage_tracks_[passage.transfer][passage.step] = track.track;
        writer_.slice({track, fmt::format("{}.{}", passage.transfer, step.packet), passage.begin,
                       passage.end,
                       fmt::format(R"("transfer": {}, "{}": {})", passage.transfer, places_.unit(),
                                   step.packet) +
                           places_.fields_of(traced, step)});
      }
    }
  }

  void collect_passages(std::size_t transfer, std::vector<std::vector<Passage>>& by_link) const {
    const std::vector<PacketStep>& steps = transfers_[transfer].steps;
    std::vector<SimTime> ends(steps.size(), end_of_trace());
    for (const PacketStep& step : steps) {
      if (step.leaves()) ends[step.before] = timeline_.clock.time_of(step.edge);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const PacketStep& step = steps[i];
      if (!step.enters()) continue;
      const std::optional<std::size_t> link = places_.link_of(step);
      if (!link) continue;
      const SimTime begin = timeline_.clock.time_of(step.edge);
      const SimTime end = std::max(ends[i], begin + timeline_.clock.period());
      if (!timeline_.window.shows(begin, end)) continue;
      by_link[*link].push_back({transfer, i, begin, end});
    }
  }

  void write_arrows() {
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
      const TracedTransfer& traced = transfers_[i];
      for (std::size_t s = 0; s < traced.steps.size(); ++s) {
        const PacketStep& step = traced.steps[s];
        if (passage_tracks_[i][s] == kNotShown) continue;
        const Track to{links_process_, passage_tracks_[i][s]};
        const SimTime at = timeline_.clock.time_of(step.edge);
        const bool from_source = step.kind == PacketStep::Kind::Injected ||
                                 traced.steps[step.before].kind == PacketStep::Kind::Accepted;
        if (from_source) {
          if (step.packet == 0) writer_.arrow(transfer_tracks_[i], traced.submitted, to, at);
        } else if (step.kind == PacketStep::Kind::Forwarded) {
          const std::uint32_t entered = traced.steps[step.before].before;
          if (passage_tracks_[i][entered] == kNotShown) continue;
          writer_.arrow({links_process_, passage_tracks_[i][entered]},
                        timeline_.clock.time_of(traced.steps[entered].edge), to, at);
        }
      }
    }
  }

  trace::TraceEventWriter& writer_;
  std::size_t transfers_process_;
  std::size_t links_process_;
  const PacketTimeline& timeline_;
  const PacketHistory& places_;
  std::span<const TracedTransfer> transfers_;
  std::vector<Track> transfer_tracks_;                    ///< by transfer
  std::vector<std::vector<std::size_t>> passage_tracks_;  ///< by transfer and step that enters
};

}  // namespace

void write_packet_timelines(std::span<const trace::Timeline> hops,
                            std::span<const PacketTimeline> fabrics, std::ostream& out) {
  trace::TraceEventWriter writer(out);
  std::size_t process = 1;
  for (const trace::Timeline& timeline : hops) trace::write_timeline(writer, process++, timeline);
  for (const PacketTimeline& timeline : fabrics) {
    PacketTimelineWriter(writer, process, timeline).run();
    process += 2;
  }
  writer.finish();
}

}  // namespace kernbench::model::fabric
