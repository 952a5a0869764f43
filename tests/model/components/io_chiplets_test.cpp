// SPDX-License-Identifier: Apache-2.0
// A SIP with an IO chiplet on its north side and one on its south side: launches and copies go by
// the one that is nearest to the cube.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "model/probe/probe.hpp"
#include "tests/model/components/machine_fixture.hpp"

namespace kernbench::model::components {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const topology::TopologyGraph& two_chiplets() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.sip.io_chiplets.push_back(spec.sip.io_chiplets.front());
    spec.sip.io_chiplets.back().id = "io1";
    spec.sip.io_chiplets.back().side = topology::Side::South;
    return topology::compile_topology(spec);
  }();
  return graph;
}

class IoChipletsTest : public MachineTest {
 protected:
  IoChipletsTest() : MachineTest(two_chiplets()) {
    machine_.kernels().define("nothing",
                              [this](const KernelContext& context) { return note(context); });
  }
  engine::Process note(const KernelContext& context) {
    ran_.insert(context.pe.cube);
    co_return;
  }
  std::int64_t time_of_request(engine::Process request) {
    const std::int64_t from = simulation_.now().ps();
    simulation_.spawn("host", std::move(request));
    simulation_.run();
    return simulation_.now().ps() - from;
  }
  std::int64_t launch(const std::vector<std::uint32_t>& cubes) {
    std::vector<memory::PeLocation> targets;
    for (const std::uint32_t cube : cubes) targets.push_back({0, cube, 0});
    return time_of_request(host().run({KernelLaunch{"nothing"}}, targets));
  }

  std::set<std::uint32_t> ran_;
};

TEST_F(IoChipletsTest, ALaunchGoesByTheNearestChipletOfEachCube) {
  std::vector<std::uint32_t> all(16);
  for (std::uint32_t cube = 0; cube < 16; ++cube) all[cube] = cube;
  (void)launch(all);
  EXPECT_THAT(ran_, SizeIs(16));
  // Each serves the two rows of cubes on its side: one message for each of eight cubes.
  EXPECT_THAT(departures("sip0.io0.io_cpu", "done"), SizeIs(1 + 8));
  EXPECT_THAT(departures("sip0.io1.io_cpu", "done"), SizeIs(1 + 8));
  EXPECT_THAT(departures("sip0.io0.pcie_ep", "launch"), SizeIs(1));
  EXPECT_THAT(departures("sip0.io1.pcie_ep", "launch"), SizeIs(1));
}

TEST_F(IoChipletsTest, CubesThatMirrorEachOtherTakeTheSameTime) {
  const std::int64_t north = launch({1});
  EXPECT_THAT(departures("sip0.io1.io_cpu", "done"), SizeIs(0));
  const std::int64_t south = launch({13});
  EXPECT_THAT(departures("sip0.io1.io_cpu", "done"), SizeIs(2));
  // The M_CPU stands in the north half of each cube, so the south is a way through a cube longer.
  EXPECT_EQ(north, 417'947);
  EXPECT_EQ(south, 420'195);
}

TEST_F(IoChipletsTest, CopiesGoByTheNearestChiplet) {
  const auto pa = [](std::uint8_t cube) {
    return topology::encode(topology::PhysAddr::hbm(0, cube, 0));
  };
  (void)time_of_request(host().write({{{0, 1, 0}, pa(1), 256}, {{0, 13, 0}, pa(13), 256}}));
  EXPECT_THAT(departures("sip0.io0.pcie_ep", "write data"), SizeIs(1));
  EXPECT_THAT(departures("sip0.io1.pcie_ep", "write data"), SizeIs(1));
}

TEST(ProbeCases, HaveTheHostsFamiliesOfEveryIoChiplet) {
  std::vector<std::string> labels;
  for (const probe::ProbeCase& one : probe::probe_cases(two_chiplets())) {
    if (one.family == probe::Family::HostWrite) labels.push_back(one.from + " " + one.label);
  }
  EXPECT_THAT(labels,
              ElementsAre("sip0.io0.pcie_ep cube 0 by io0", "sip0.io1.pcie_ep cube 12 by io1",
                          "sip0.io0.pcie_ep cube 4 by io0", "sip0.io1.pcie_ep cube 8 by io1"));
  for (const probe::ProbeCase& one : probe::probe_cases(default_graph())) {
    EXPECT_EQ(one.label.find(" by "), std::string::npos);
  }
}

}  // namespace
}  // namespace kernbench::model::components
