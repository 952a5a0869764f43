// SPDX-License-Identifier: Apache-2.0
// The figures of the developer guide show what the sources and the models do today.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "common/text_file.hpp"
#include "docs/generator/cycle_recorder.hpp"
#include "docs/generator/launch_recorder.hpp"
#include "docs/generator/layer_diagram.hpp"
#include "docs/generator/link_recorder.hpp"
#include "docs/generator/load_curves.hpp"
#include "docs/generator/network_diagram.hpp"
#include "docs/generator/timing_diagram.hpp"
#include "tests/docs/count.hpp"
#include "tests/places.hpp"
#include "tests/sim/reference_dut.hpp"

namespace kernbench::docs {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// Compares a figure with the committed one without printing both.
testing::AssertionResult is_committed(const std::string& name, const std::string& figure) {
  const std::string path = fmt::format("{}/docs/figures/{}", places::kSource, name);
  if (common::read_text_file(path) == figure) return testing::AssertionSuccess();
  return testing::AssertionFailure() << fmt::format(
             "docs/figures/{0} is stale: make docs && cp build/docs/{0} docs/figures/", name);
}

TEST(Figures, OfTheLayersAreThoseOfTheSources) {
  EXPECT_TRUE(is_committed("layers.svg", repository_layers(places::kSource)));
  EXPECT_TRUE(is_committed("layers-model.svg", model_layers(places::kSource)));
}

TEST(Figures, OfACycleIsTheOneThatTheBenchMakes) {
  sim::ReferenceDut dut({8, 8, 8});
  EXPECT_TRUE(is_committed("cycle.svg", cycle_diagram(record_cycle(dut))));
}

TEST(Figures, OfALaunchIsTheOneThatTheModelMakes) {
  EXPECT_TRUE(is_committed("launch.svg", launch_diagram(record_launch())));
}

TEST(Figures, OfTheReadmeAreThoseOfALinkAndOfALoadSweep) {
  const std::vector<Scenario> scenarios = shipped_scenarios();
  const auto stall = std::find_if(scenarios.begin(), scenarios.end(), [](const Scenario& scenario) {
    return scenario.name == "stall";
  });
  ASSERT_NE(stall, scenarios.end());
  sim::ReferenceDut dut({8, 8, 8});
  EXPECT_TRUE(is_committed("timing-stall.svg", timing_diagram(*stall, record(dut, *stall))));
  EXPECT_TRUE(is_committed("load.svg", load_curves()));
  EXPECT_TRUE(is_committed("accepted.svg", accepted_curves()));
}

TEST(Figures, OfTheNetworkAreThoseOfTheGenerator) {
  EXPECT_TRUE(is_committed("maze-node.svg", node_diagram()));
  EXPECT_TRUE(is_committed("maze-top.svg", top_diagram()));
}

TEST(CycleRecorder, RecordsTheCallsOfACycleInTheirOrder) {
  sim::ReferenceDut dut({8, 8, 8});
  std::vector<std::string> calls;
  for (const CycleCall& call : record_cycle(dut).calls) calls.push_back(call.to + " " + call.call);
  EXPECT_THAT(
      calls,
      ElementsAre("fabric drive(inputs)", "fabric settle()", "fabric sample(outputs)",
                  "lockstep on_cycle(view)", "scoreboard on_cycle(view)", "watchdog on_cycle(view)",
                  "output hash on_cycle(view)", "coverage on_cycle(view)", "fabric clock_edge()"));
}

TEST(LaunchRecorder, FollowsTheLaunchFromTheHostToThePeAndBack) {
  const LaunchRecord record = record_launch();
  EXPECT_EQ(record.kernel, "vector-add");
  std::vector<std::string> control;
  for (const LaunchStep& step : record.steps) {
    const bool in_pe =
        step.from.find(".pe0") != std::string::npos && step.to.find(".pe0") != std::string::npos;
    if (!in_pe) control.push_back(fmt::format("{} {} {}", step.what, step.from, step.to));
  }
  EXPECT_THAT(control, ElementsAre("launch fabric.host_cpu0 sip0.io0.io_cpu",
                                   "launch sip0.io0.io_cpu sip0.cube0.m_cpu",
                                   "launch sip0.cube0.m_cpu sip0.cube0.pe0.pe_cpu",
                                   "kernel done sip0.cube0.pe0.pe_cpu sip0.cube0.m_cpu",
                                   "done sip0.cube0.m_cpu sip0.io0.io_cpu",
                                   "done sip0.io0.io_cpu fabric.host_cpu0"));
  EXPECT_EQ(record.steps.front().begin_ps, record.start_ps);
  EXPECT_EQ(record.steps.back().end_ps, record.end_ps);
}

TEST(LayerDiagram, DrawsARoomForEachFolderAndAnArrowForEachDependency) {
  const std::vector<Room> rooms = {{"a", "low"}, {"b", "middle"}, {"c", "high"}};
  const std::string svg = layer_diagram("t", rooms, {{"c", {"a", "b"}}, {"b", {"a"}}});
  EXPECT_EQ(count(svg, "class=\"box\""), 3U);
  EXPECT_EQ(count(svg, "class=\"head wire\""), 3U);
  // From the top: c, b, a.
  EXPECT_LT(svg.find(">c/<"), svg.find(">b/<"));
  EXPECT_LT(svg.find(">b/<"), svg.find(">a/<"));
}

TEST(LayerDiagram, RefusesACircle) {
  EXPECT_THROW((void)layer_diagram("t", {{"a", ""}, {"b", ""}}, {{"a", {"b"}}, {"b", {"a"}}}),
               std::invalid_argument);
}

TEST(LayerDiagram, ReadsTheIncludesBetweenRooms) {
  const Dependencies found =
      read_dependencies(places::kSource, {{"common", ""}, {"maze", ""}, {"plot", ""}});
  EXPECT_THAT(found, ElementsAre(Pair("plot", ElementsAre("common"))));
}

}  // namespace
}  // namespace kernbench::docs
