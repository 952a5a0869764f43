// SPDX-License-Identifier: Apache-2.0
// The time of a PE's accesses depends on hbm_mapping_mode.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/components/machine_fixture.hpp"

namespace kernbench::model::components {
namespace {

using topology::PhysAddr;

const topology::TopologyGraph& striped_graph() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.cube.memory_map.hbm_mapping_mode = topology::HbmMappingMode::PerCube;
    spec.cube.memory_map.hbm_interleave = topology::HbmInterleave::Modulo;
    return topology::compile_topology(spec);
  }();
  return graph;
}

/// A default system, and the same with striped slices.
class HbmMappingTest : public ::testing::Test {
 protected:
  struct System : MachineTest {
    explicit System(const topology::TopologyGraph& graph) : MachineTest(graph) {}
    void TestBody() override {}
    std::int64_t read(std::uint64_t offset, std::uint64_t bytes) {
      return time_of(dma_work(false, topology::encode(PhysAddr::hbm(0, 0, offset)), bytes));
    }
    std::int64_t host_read(std::uint64_t bytes) {
      const std::int64_t from = simulation_.now().ps();
      simulation_.spawn("host", host().read({{{0, 0, 0}, 0, bytes}}));
      simulation_.run();
      return simulation_.now().ps() - from;
    }
    std::int64_t write_copies(std::uint64_t bytes) {
      const std::int64_t from = simulation_.now().ps();
      simulation_.spawn("host", host().write_copies({{{0, 0, 0}, 0, bytes}}));
      simulation_.run();
      return simulation_.now().ps() - from;
    }
    [[nodiscard]] std::vector<std::size_t> served() const {
      std::vector<std::size_t> counts;
      for (int pe = 0; pe < 8; ++pe) {
        counts.push_back(departures("sip0.cube0.hbm_ctrl.pe" + std::to_string(pe), "write").size());
      }
      return counts;
    }
  };

  System per_pe_{default_graph()};
  System per_cube_{striped_graph()};
};

TEST_F(HbmMappingTest, AStripeTakesTheTimeOfTheSliceThatHoldsIt) {
  const std::uint64_t slice = default_graph().spec().cube.memory_map.hbm_slice_bytes();
  std::vector<std::int64_t> times;
  for (std::uint64_t i = 0; i < 8; ++i) {
    times.push_back(per_cube_.read(i * 256, 256));
    EXPECT_EQ(times.back(), per_pe_.read(i * slice, 256)) << i;
  }
  // The mesh from PE 0 to the router of each slice, in steps of 2 * (1,000 ps + wires).
  EXPECT_EQ(times.front(), *std::min_element(times.begin(), times.end()));
  EXPECT_GT(times.back(), times.front());
  // The second row of stripes is in the same slices, a stripe further.
  EXPECT_EQ(per_cube_.read(8 * 256, 256), times.front());
}

TEST_F(HbmMappingTest, AnAccessIsSpreadOverTheSlicesOfTheCube) {
  // With slices, the own one serves all. With stripes each serves an eighth at the same time, and
  // the PE's wire limits: 256 instead of 128 GB/s, less what the way to the last slice takes.
  EXPECT_EQ(per_pe_.read(0, 65536), 564'274);
  EXPECT_EQ(per_cube_.read(0, 65536), 316'274);
  EXPECT_EQ(per_pe_.host_read(65536), 1'416'308);
  EXPECT_EQ(per_cube_.host_read(65536), 1'416'308);
}

TEST_F(HbmMappingTest, TheMCpuPlacesACopyInEverySlice) {
  (void)per_cube_.write_copies(4096);
  EXPECT_EQ(per_cube_.served(), std::vector<std::size_t>(8, 1));
  (void)per_pe_.write_copies(4096);
  EXPECT_EQ(per_pe_.served(), (std::vector<std::size_t>{1, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(HbmSlices, StandAtTheRoutersOfSomePesIfThereAreFewer) {
  topology::TopologySpec spec;
  spec.cube.memory_map.hbm_mapping_mode = topology::HbmMappingMode::PerCube;
  spec.cube.memory_map.slices_per_cube = 6;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  std::vector<std::uint32_t> pes;
  for (const topology::Node& node : graph.nodes()) {
    const bool first = node.sip == 0 && node.cube == 0;
    if (first && node.kind == topology::NodeKind::HbmCtrl) pes.push_back(node.pe);
  }
  EXPECT_THAT(pes, ::testing::ElementsAre(0, 1, 2, 4, 5, 6));
  EXPECT_EQ(spec.cube.hbm_bytes_of_pe(), std::uint64_t{6} << 30U);
}

}  // namespace
}  // namespace kernbench::model::components
