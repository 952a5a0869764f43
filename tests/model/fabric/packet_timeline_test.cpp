// SPDX-License-Identifier: Apache-2.0
// One timeline from a transaction to its transfers, their packets and the links of the packets.
#include "model/fabric/trace/packet_timeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "cycle_fabric.hpp"
#include "model/components/machine/machine.hpp"
#include "model/fabric/trace/packet_trace.hpp"
#include "packet_checks.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::fabric {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// A slice as read by a viewer.
struct Shown {
  std::string process;
  std::string track;  ///< name without the suffix "#2"
  std::string name;
  std::int64_t begin = 0;  ///< ps
  std::int64_t end = 0;
  json args;
};

std::int64_t ps(const json& microseconds) {
  return std::llround(microseconds.get<double>() * 1e6);
}

/// Names of processes (track 0) and tracks.
std::map<std::pair<int, int>, std::string> names_in(const json& events) {
  std::map<std::pair<int, int>, std::string> names;
  for (const json& event : events) {
    if (event.at("ph") == "M") names[{event.at("pid"), event.at("tid")}] = event["args"]["name"];
  }
  return names;
}

std::vector<Shown> slices_in(const json& events) {
  auto names = names_in(events);
  std::vector<Shown> slices;
  for (const json& event : events) {
    if (event.at("ph") != "X") continue;
    const std::string track = names.at({event.at("pid"), event.at("tid")});
    slices.push_back({names.at({event.at("pid"), 0}), track.substr(0, track.find(" #")),
                      event.at("name"), ps(event.at("ts")),
                      ps(event.at("ts")) + ps(event.at("dur")), event.at("args")});
  }
  return slices;
}

json written(std::span<const trace::Timeline> hops, const PacketTrace& trace) {
  std::ostringstream out;
  write_packet_timelines(hops, std::vector<PacketTimeline>{{"sip0 ", &trace, FabricClock(kNs)}},
                         out);
  return json::parse(out.str()).at("traceEvents");
}

TEST(PacketTimeline, ShowsATransferItsPacketsAndTheLinksThatTheyTake) {
  const maze::Shape shape{4, 6, 8};
  PacketTrace trace(shape);
  CycleFabric cycle(shape, {.observer = &trace});
  cycle.submit_at(500, unicast(7, 0, 13, 2, Qos::High));
  (void)cycle.run();
  const json events = written({}, trace);
  const auto stages = static_cast<std::int64_t>(trace.links().leaving(1, 5).depth);
  ASSERT_EQ(stages, 2);
  const std::vector<Shown> slices = slices_in(events);
  ASSERT_EQ(slices.size(), 5U);
  EXPECT_EQ(slices[0].process, "sip0 transfers");
  EXPECT_EQ(slices[0].track, "[0,0]");
  EXPECT_EQ(slices[0].name, "unicast to [3,1]");
  EXPECT_EQ(slices[0].begin, 500);
  EXPECT_EQ(slices[0].end, 3000 + stages * 1000);
  EXPECT_EQ(slices[0].args,
            json::parse(R"({"transfer": 0, "id": 7, "dst": "[3,1]", "bytes": 2, "packets": 2,
                            "qos": "high", "type": "unicast"})"));
  // A packet occupies a wire for one period and a link for one period per stage.
  const auto wire = trace.links().link_name(trace.links().leaving(0, 0));
  const auto link = trace.links().link_name(trace.links().leaving(1, 5));
  const std::vector<std::tuple<std::string, std::int64_t, std::int64_t>> expected = {
      {wire, 1000, 2000},
      {wire, 2000, 3000},
      {link, 2000, 2000 + stages * 1000},
      {link, 3000, 3000 + stages * 1000}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Shown& slice = slices[i + 1];
    EXPECT_EQ(std::tuple(slice.track, slice.begin, slice.end), expected[i]);
    EXPECT_EQ(slice.process, "sip0 links");
    EXPECT_EQ(slice.args, (json{{"transfer", 0}, {"packet", i % 2}}));
  }
}

TEST(PacketTimeline, ATransferUnderWayEndsWithTheTraceAndSaysWhatIsMissing) {
  PacketTrace trace(k4x4);
  trace.on_begun({}, 1, unicast(3, 0, 1, 2), 2, 1);
  trace.on_injected(4, 0, 0, 3, 0);
  const std::vector<Shown> slices = slices_in(written({}, trace));
  EXPECT_EQ(slices.at(0).end, 5000);
  EXPECT_EQ(slices.at(0).args.at("missing"), 2);
  EXPECT_EQ(slices.at(1).end, 5000);
}

TEST(PacketTimeline, ShowsWhatIsInItsWindow) {
  const maze::Shape shape{4, 6, 8};
  PacketTrace trace(shape);
  CycleFabric cycle(shape, {.observer = &trace});
  cycle.submit_at(500, unicast(7, 0, 13, 2, Qos::High));
  cycle.submit_at(90'500, unicast(8, 0, 1, 1));
  (void)cycle.run();
  const auto shown = [&](std::int64_t begin, std::int64_t end) {
    std::ostringstream out;
    write_packet_timelines({},
                           std::vector<PacketTimeline>{
                               {"",
                                &trace,
                                FabricClock(kNs),
                                {common::SimTime::from_ps(begin), common::SimTime::from_ps(end)}}},
                           out);
    return json::parse(out.str()).at("traceEvents");
  };
  EXPECT_EQ(slices_in(shown(0, 100'000)).size(), 7U);
  EXPECT_TRUE(slices_in(shown(20'000, 80'000)).empty());
  // The first transfer: its first packet has been delivered, its second is still in the first link.
  const json events = shown(2500, 2700);
  const std::vector<Shown> slices = slices_in(events);
  ASSERT_EQ(slices.size(), 3U);
  EXPECT_EQ(slices[0].args.at("id"), 7);
  EXPECT_EQ(slices[1].args.at("packet"), 1);
  EXPECT_EQ(slices[2].args.at("packet"), 0);
  // An arrow is drawn only when both ends are shown.
  for (const json& event : events) EXPECT_NE(event.at("ph"), "s") << event.dump();
}

/// Returns random traffic with multicasts.
PacketTrace random_run() {
  common::Rng rng = common::Rng::stream(2, "packet timeline");
  PacketTrace trace(k4x4);
  CycleFabric cycle(k4x4, {.receiver_stalls = 0.2, .observer = &trace});
  cycle.submit_all(random_transfers(rng, k4x4, {.count = 60}));
  (void)cycle.run();
  return trace;
}

TEST(PacketTimeline, SlicesOfATrackNeverOverlap) {
  std::map<std::pair<int, int>, std::int64_t> ends;
  bool overlaps_were_parted = false;
  const json events = written({}, random_run());
  for (const json& event : events) {
    if (event.at("ph") == "M") {
      const std::string name = event["args"]["name"];
      overlaps_were_parted = overlaps_were_parted || name.find(" #2") != std::string::npos;
    }
    if (event.at("ph") != "X") continue;
    std::int64_t& end = ends[{event.at("pid"), event.at("tid")}];
    EXPECT_GE(ps(event.at("ts")), end) << event;
    EXPECT_GT(ps(event.at("dur")), 0) << event;
    end = ps(event.at("ts")) + ps(event.at("dur"));
  }
  EXPECT_TRUE(overlaps_were_parted);
}

TEST(PacketTimeline, ArrowsLeadFromTransfersToFirstPacketsAndFromLinkToLink) {
  const PacketTrace trace = random_run();
  const json events = written({}, trace);
  // Slices on a track at a time.
  std::map<std::pair<int, int>, std::map<std::int64_t, const json*>> tracks;
  for (const json& event : events) {
    if (event.at("ph") == "X") {
      tracks[{event.at("pid"), event.at("tid")}][ps(event.at("ts"))] = &event;
    }
  }
  const auto at = [&](const json& end) -> const json& {
    const auto& track = tracks.at({end.at("pid"), end.at("tid")});
    const auto next = track.upper_bound(ps(end.at("ts")));
    const json& slice = *std::prev(next)->second;
    EXPECT_LT(ps(end.at("ts")), ps(slice.at("ts")) + ps(slice.at("dur"))) << end;
    return slice;
  };
  std::map<std::uint64_t, const json*> starts;
  std::size_t from_transfers = 0;
  std::size_t from_links = 0;
  for (const json& event : events) {
    if (event.at("ph") == "s") starts[event.at("id")] = &at(event);
    if (event.at("ph") != "f") continue;
    const json& from = starts.at(event.at("id"))->at("args");
    const json& to = at(event).at("args");
    EXPECT_EQ(from.at("transfer"), to.at("transfer"));
    if (from.contains("packet")) {
      EXPECT_EQ(from.at("packet"), to.at("packet"));
      ++from_links;
    } else {
      EXPECT_EQ(to.at("packet"), 0);
      ++from_transfers;
    }
  }
  std::size_t first = 0;
  std::size_t forwarded = 0;
  for (const TracedTransfer& transfer : trace.transfers()) {
    for (const PacketStep& step : transfer.steps) {
      first += step.kind == PacketStep::Kind::Injected && step.packet == 0 ? 1 : 0;
      forwarded += step.kind == PacketStep::Kind::Forwarded ? 1 : 0;
    }
  }
  EXPECT_EQ(from_transfers, first);
  EXPECT_EQ(from_links, forwarded);
}

/// A message of an op, crossing the MAZE.
struct Crossing {
  std::uint64_t transaction = 0;
  std::string what;
  unsigned src = 0;
  unsigned dst = 0;
  std::uint64_t bytes = 0;
};

/// Follows ops through a timeline, from the hop at the MAZE to its transfers and all their packets.
/// Returns the first mismatch; empty when all match and the MAZE carried nothing else.
class OpWalk {
 public:
  explicit OpWalk(const json& events) {
    for (Shown& slice : slices_in(events)) {
      if (slice.process == "hops") {
        hops_.push_back(std::move(slice));
      } else if (slice.process == "sip0 transfers") {
        transfers_.push_back(std::move(slice));
      } else {
        packets_[slice.args.at("transfer")].push_back(std::move(slice));
      }
    }
  }

  std::string verdict(const std::vector<Crossing>& crossings) {
    std::size_t transfers = 0;
    for (const Crossing& crossing : crossings) {
      const std::string who = fmt::format("op {}, {}: ", crossing.transaction, crossing.what);
      const Shown* const hop = hop_of(crossing);
      if (hop == nullptr) return who + "no hop at the MAZE";
      std::uint64_t bytes = 0;
      for (const Shown& transfer : transfers_) {
        if (!is_of(transfer, crossing)) continue;
        ++transfers;
        bytes += transfer.args.at("bytes").get<std::uint64_t>();
        if (transfer.begin < hop->begin || transfer.end > hop->end) {
          return who + "a transfer outside of its hop";
        }
        const std::string fault = fault_of_packets(transfer, crossing);
        if (!fault.empty()) return who + fault;
      }
      if (bytes != crossing.bytes) {
        return who + fmt::format("{} of {} bytes in transfers", bytes, crossing.bytes);
      }
    }
    if (transfers != transfers_.size()) return "transfers of no op";
    return packets_.size() == transfers ? "" : "packets of no transfer";
  }

 private:
  const Shown* hop_of(const Crossing& crossing) const {
    const Shown* found = nullptr;
    for (const Shown& hop : hops_) {
      if (hop.track == fmt::format("sip0.cube{}.maze", crossing.src) && hop.name == crossing.what &&
          hop.args.at("transaction") == crossing.transaction) {
        found = &hop;
      }
    }
    return found;
  }
  bool is_of(const Shown& transfer, const Crossing& crossing) const {
    return transfer.args.value("transaction", 0U) == crossing.transaction &&
           transfer.track == links_.coordinates(crossing.src) &&
           transfer.args.at("dst") == links_.coordinates(crossing.dst);
  }
  std::string fault_of_packets(const Shown& transfer, const Crossing& crossing) {
    const unsigned hops = (crossing.src % 4 != crossing.dst % 4 ? 1U : 0U) +
                          (crossing.src / 4 != crossing.dst / 4 ? 1U : 0U);
    std::map<std::uint64_t, unsigned> links;  // links used, by packet
    for (const Shown& packet : packets_[transfer.args.at("transfer")]) {
      ++links[packet.args.at("packet")];
      if (packet.begin <= transfer.begin || packet.begin > transfer.end) {
        return "a packet outside of its transfer";
      }
    }
    const std::uint64_t packets = transfer.args.at("packets");
    for (std::uint64_t i = 0; i < packets; ++i) {
      if (links[i] != hops) {
        return fmt::format("packet {} of {} in {} of {} links", i, packets, links[i], hops);
      }
    }
    return links.size() == packets ? "" : "more packets than it has";
  }

  topology::MazeLinks links_{4, 4};
  std::vector<Shown> hops_;
  std::vector<Shown> transfers_;
  std::map<std::uint64_t, std::vector<Shown>> packets_;
};

/// Runs DMA reads and writes across a SIP of 4x4 cubes over the cycle reference.
class PacketTimelineOfOps : public ::testing::Test {
 protected:
  PacketTimelineOfOps() : trace_(k4x4), end_(run_ops(&hops_, &trace_)) {
    const std::vector<trace::Timeline> hops = {{"hops", &graph(), &hops_}};
    events_ = written(hops, trace_);
  }
  /// Returns the time at which the last op is done.
  common::SimTime run_ops(trace::HopTrace* hops, PacketObserver* observer) {
    const auto make_fabric = [observer](engine::Simulation& in, const topology::SipSpec& sip) {
      return std::make_unique<ClockedFabric>(
          in, common::SimTime::from_ns(sip.maze.clock_ns),
          std::make_unique<IdealMaze>(std::make_unique<CycleLinks>(k4x4),
                                      MazeSettings{.order = sip.maze.order, .observer = observer}));
    };
    engine::Simulation simulation;
    components::Machine machine(simulation, graph(),
                                {hops, nullptr, &components::standard_components(), make_fabric});
    const std::uint64_t request = graph().spec().system.request_bytes;
    crossings_.clear();
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned src = i * 5 % 16;
      const unsigned dst = (src + 3 + i) % 16;
      const std::uint64_t bytes = 60 + 80 * i;
      const bool write = i % 3 == 2;
      const auto route = machine.router().find_path(fmt::format("sip0.cube{}.pe{}", src, i % 2),
                                                    fmt::format("sip0.cube{}.hbm_ctrl.pe0", dst));
      const std::uint64_t transaction = machine.new_transaction();
      machine.accesses().submit({write, route.edges, 0, bytes, transaction});
      crossings_.push_back(
          {transaction, write ? "write data" : "read request", src, dst, write ? bytes : request});
      crossings_.push_back({transaction, write ? "acknowledgement" : "read data", dst, src,
                            write ? request : bytes});
    }
    simulation.run();
    return simulation.now();
  }
  static const topology::TopologyGraph& graph() {
    static const topology::TopologyGraph compiled = [] {
      topology::TopologySpec spec;
      spec.system.sips = 1;
      spec.sip.inter_cube = topology::InterCube::Maze;
      return compile_topology(spec);
    }();
    return compiled;
  }
  std::string walk() const { return OpWalk(events_).verdict(crossings_); }
  /// Returns the last slice of a process.
  json::iterator last_of(const std::string& process) {
    const auto names = names_in(events_);
    auto found = events_.end();
    for (auto event = events_.begin(); event != events_.end(); ++event) {
      if (event->at("ph") == "X" && names.at({event->at("pid"), 0}) == process) found = event;
    }
    return found;
  }

  trace::HopTrace hops_;
  PacketTrace trace_;
  std::vector<Crossing> crossings_;
  common::SimTime end_;
  json events_;
};

TEST_F(PacketTimelineOfOps, EveryOpLeadsToAllItsPackets) {
  EXPECT_EQ(walk(), "");
  std::size_t transfers = 0;
  for (const Crossing& crossing : crossings_) transfers += (crossing.bytes + 255) / 256;
  EXPECT_EQ(trace_.transfers().size(), transfers);
}

TEST_F(PacketTimelineOfOps, APacketThatIsMissingIsNoticed) {
  events_.erase(last_of("sip0 links"));
  EXPECT_THAT(walk(), HasSubstr(" links"));
}

TEST_F(PacketTimelineOfOps, ATransferThatIsMissingIsNoticed) {
  events_.erase(last_of("sip0 transfers"));
  EXPECT_THAT(walk(), HasSubstr(" bytes in transfers"));
}

TEST_F(PacketTimelineOfOps, ATransferOfAnotherOpIsNoticed) {
  last_of("sip0 transfers")->at("args")["transaction"] = 99;
  EXPECT_THAT(walk(), HasSubstr(" bytes in transfers"));
}

TEST_F(PacketTimelineOfOps, AHopThatIsMissingIsNoticed) {
  const auto names = names_in(events_);
  for (auto event = events_.begin(); event != events_.end(); ++event) {
    if (event->at("ph") != "X" || event->at("name") != "read request" ||
        names.at({event->at("pid"), event->at("tid")}) != "sip0.cube0.maze") {
      continue;
    }
    events_.erase(event);
    break;
  }
  EXPECT_EQ(walk(), "op 1, read request: no hop at the MAZE");
}

TEST_F(PacketTimelineOfOps, APacketAtAnotherTimeThanItsTransferIsNoticed) {
  last_of("sip0 links")->at("ts") = 0.0;
  EXPECT_THAT(walk(), HasSubstr("a packet outside of its transfer"));
}

TEST_F(PacketTimelineOfOps, WithoutTracesTheRunTakesTheSameTime) {
  EXPECT_EQ(run_ops(nullptr, nullptr), end_);
}

}  // namespace
}  // namespace kernbench::model::fabric
