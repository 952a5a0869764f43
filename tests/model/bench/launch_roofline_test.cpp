// SPDX-License-Identifier: Apache-2.0
// Tests the place of launches on their rooflines.
#include "model/bench/launch_roofline.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using common::SimTime;
using ::testing::ElementsAre;

std::vector<std::string> lines(const LaunchRoofline& roofline) {
  std::vector<std::string> all;
  for (const RooflineLimit& limit : roofline.limits) {
    all.push_back(fmt::format("{} {}", limit.least.ps(), limit.name));
  }
  return all;
}

TEST(LaunchRoofline, HasTheLeastTimeOfEnginesHbmAndTheBusiestWireOfEachKind) {
  const topology::TopologySpec spec;  // 1 GHz, 4,096 multiply-adds a cycle, 128 GB/s a slice
  RunResult result;
  runtime::LaunchRecord launch;
  launch.device = {0, {0, 1}, {0, 1, 2, 3}};
  launch.start = SimTime::from_ps(1'000);
  launch.end = SimTime::from_ps(101'000);
  launch.busiest_wires = {{topology::EdgeKind::UcieMesh, SimTime::from_ps(70'000)},
                          {topology::EdgeKind::RouterMesh, SimTime::from_ps(20'000)}};
  result.launches = {launch, launch};
  LaunchFigures figures;
  figures.macs = std::uint64_t{8} * 4'096 * 30;
  figures.read.bytes = std::uint64_t{8} * 128 * 40;
  figures.written.bytes = std::uint64_t{8} * 128 * 20;
  const std::vector<LaunchRoofline> found = launch_rooflines(result, {figures, {}}, spec);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].time.ps(), 100'000);
  EXPECT_THAT(lines(found[0]), ElementsAre("70000 wires ucie_mesh", "60000 HBM",
                                           "30000 matrix engines", "20000 wires router_mesh"));
  EXPECT_EQ(found[0].sentence(), "limited by wires ucie_mesh: 70 %");
  EXPECT_THAT(lines(found[1]), ElementsAre("70000 wires ucie_mesh", "20000 wires router_mesh"));
}

TEST(LaunchRoofline, SaysHowFarTheNearestLimitIs) {
  LaunchRoofline roofline{SimTime::from_ps(1000), {{"HBM", SimTime::from_ps(499)}}};
  EXPECT_EQ(roofline.sentence(), "far from all limits: the nearest is HBM with 50 %");
  roofline.limits[0].least = SimTime::from_ps(500);
  EXPECT_EQ(roofline.sentence(), "limited by HBM: 50 %");
  roofline.limits.clear();
  EXPECT_EQ(roofline.sentence(), "moves no data and multiplies nothing");
}

TEST(LaunchRoofline, OfALaunchCountsItsOwnFlits) {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = 1;
  spec.sip.cube_mesh_h = 1;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  RunOptions options;
  options.explain = true;
  const auto body = [](runtime::Context& kb) {
    const runtime::DpPolicy once{runtime::Placement::Replicate, runtime::Placement::RowWise, 1, 1};
    const runtime::Tensor x = kb.tensor(1, 256, data::DataType::F32, once);
    for (int i = 0; i < 2; ++i) {
      kb.launch("load", [x = x->view()](kernel::Tl& tl) { (void)tl.load(x.whole()); }, {1, 1});
      kb.synchronize();
    }
  };
  const RunResult result = run_bench({"test", "", {}, body}, graph, options);
  ASSERT_EQ(result.launches.size(), 2U);
  for (const runtime::LaunchRecord& launch : result.launches) {
    // 1 KiB at 256 GB/s.
    EXPECT_EQ(launch.busiest_wires.at(topology::EdgeKind::HbmToRouter).ps(), 4'000);
  }
  options.explain = false;
  EXPECT_TRUE(run_bench({"test", "", {}, body}, graph, options).launches[0].busiest_wires.empty());
}

}  // namespace
}  // namespace kernbench::model::bench
