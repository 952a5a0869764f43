// SPDX-License-Identifier: Apache-2.0
// Traces of the flits of a network of routers, and their timelines.
#include "cosim/run/flit_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "model/fabric/noc/noc_fabric.hpp"
#include "model/fabric/trace/packet_timeline.hpp"
#include "tests/model/fabric/fabric_fixture.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::cosim {
namespace {

using model::fabric::ClockedFabric;
using model::fabric::kNs;
using model::fabric::make_cycle_noc;
using model::fabric::NocBase;
using model::fabric::PacketTimeline;
using model::fabric::Recorder;
using Kind = PacketStep::Kind;

/// A line of three routers, 1 ns a cycle, whose packets have up to two flits.
struct TracedLine {
  TracedLine()
      : base(std::make_shared<const NocBase>(topology::zoo::parse_zoo_text("BidirectionalLine(3)"),
                                             model::fabric::NocSettings{.packet_flits = 2})),
        trace(base),
        fabric(make_cycle_noc(simulation, base, kNs, {.observer = &trace})),
        recorder(simulation) {}
  void run(const std::vector<Transfer>& transfers) {
    for (const Transfer& transfer : transfers) fabric->submit(transfer, recorder);
    simulation.run();
  }

  model::engine::Simulation simulation;
  std::shared_ptr<const NocBase> base;
  FlitTrace trace;
  std::unique_ptr<ClockedFabric> fabric;
  Recorder recorder;
};

TEST(FlitTrace, HasEachFlitAtPortsAAndBAndInEachChannel) {
  TracedLine line;
  line.run({{.id = 7, .src = 0, .dst = 2, .bytes = 12}});
  ASSERT_EQ(line.trace.transfers().size(), 1U);
  const TracedTransfer& traced = line.trace.transfers()[0];
  EXPECT_EQ(traced.packets, 3U);
  EXPECT_EQ(traced.missing, 0U);
  EXPECT_EQ(traced.seen, 1U);
  // Three routers of three cycles, the third flit two cycles behind the first.
  EXPECT_EQ(traced.last, 1U + 3 * 3 + 2);
  EXPECT_EQ(line.recorder.done.at(0).ps, 1000 * static_cast<std::int64_t>(traced.last));
  std::vector<PacketStep> second;
  for (const PacketStep& step : traced.steps) {
    if (step.packet == 1) second.push_back(step);
  }
  ASSERT_EQ(second.size(), 6U);
  const std::array<Kind, 6> kinds = {Kind::Accepted,  Kind::Forwarded, Kind::Queued,
                                     Kind::Forwarded, Kind::Queued,    Kind::Delivered};
  const std::array<Edge, 6> edges = {2, 4, 6, 7, 9, 11};
  const std::array<unsigned, 6> nodes = {0, 0, 1, 1, 2, 2};
  for (std::size_t i = 0; i < second.size(); ++i) {
    EXPECT_EQ(second[i].kind, kinds[i]) << i;
    EXPECT_EQ(second[i].edge, edges[i]) << i;
    EXPECT_EQ(second[i].node, nodes[i]) << i;
    if (i != 0) {
      EXPECT_EQ(traced.steps[second[i].before], second[i - 1]);
    }
  }
}

TEST(FlitTrace, ChangesNothingOfTheRun) {
  const std::vector<Transfer> transfers = {{.id = 1, .src = 0, .dst = 2, .bytes = 100},
                                           {.id = 2, .src = 1, .dst = 2, .bytes = 100},
                                           {.id = 3, .src = 2, .dst = 0, .bytes = 100}};
  TracedLine line;
  line.run(transfers);
  model::engine::Simulation simulation;
  Recorder recorder(simulation);
  const auto plain = make_cycle_noc(simulation, line.base, kNs);
  for (const Transfer& transfer : transfers) plain->submit(transfer, recorder);
  simulation.run();
  EXPECT_EQ(plain->network().hash(), line.fabric->network().hash());
  for (const TracedTransfer& traced : line.trace.transfers()) {
    EXPECT_EQ(traced.missing, 0U);
    std::uint64_t delivered = 0;
    for (const PacketStep& step : traced.steps) delivered += step.kind == Kind::Delivered ? 1 : 0;
    EXPECT_EQ(delivered, traced.packets);
  }
}

TEST(FlitTrace, ItsTimelineDecodesTheFlitsInEachChannel) {
  TracedLine line;
  line.run({{.id = 7, .src = 0, .dst = 2, .bytes = 12}, {.id = 8, .src = 1, .dst = 1, .bytes = 4}});
  std::ostringstream out;
  const std::vector<PacketTimeline> fabrics = {
      {"line ", &line.trace, model::fabric::FabricClock(kNs), {}}};
  model::fabric::write_packet_timelines({}, fabrics, out);
  const nlohmann::json file = nlohmann::json::parse(out.str());
  std::vector<std::string> flits;
  for (const nlohmann::json& event : file.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    const nlohmann::json& args = event["args"];
    if (!args.contains("flit")) {
      EXPECT_EQ(args["flits"], event["name"] == "unicast to node 2" ? 3 : 1);
      continue;
    }
    EXPECT_EQ(event["dur"], 0.002);
    flits.push_back(event["name"].get<std::string>() + " " + args["kind"].get<std::string>() + " " +
                    args["src"].get<std::string>() + " to " + args["dst"].get<std::string>());
    EXPECT_EQ(args["vc"], 0);
  }
  EXPECT_THAT(flits, ::testing::ElementsAre(
                         "0.0 head node 0 to node 2", "0.1 tail node 0 to node 2",
                         "0.2 head and tail node 0 to node 2", "0.0 head node 0 to node 2",
                         "0.1 tail node 0 to node 2", "0.2 head and tail node 0 to node 2"));
}

}  // namespace
}  // namespace kernbench::cosim
