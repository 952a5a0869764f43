// SPDX-License-Identifier: Apache-2.0
#include "model/bench/launch_figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using components::StageKind;

/// Returns the first PE of the first cube of a SIP.
runtime::Device on(std::uint32_t sip) {
  return {sip, {0}, {0}};
}

TEST(LaunchFigures, CountStagesOfTheLaunchOnTheirPeInWhoseTimeTheyEnd) {
  topology::TopologySpec spec;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  const auto ns = [](double time) { return common::SimTime::from_ns(time); };
  const auto dma = graph.find("sip0.cube0.pe0.pe_dma").value();
  const auto other = graph.find("sip1.cube0.pe0.pe_dma").value();
  const auto beside = graph.find("sip0.cube1.pe0.pe_dma").value();
  data::OpLog log;
  log.add_stage({ns(10), ns(20), dma, StageKind::DmaRead, 0, 1000});
  log.add_stage({ns(20), ns(60), dma, StageKind::DmaRead, 0, 1000});
  log.add_stage({ns(60), ns(70), dma, StageKind::DmaWrite, 0, 30});
  log.add_stage({ns(60), ns(70), dma, StageKind::Gemm, 0, 7});
  log.add_stage({ns(60), ns(70), other, StageKind::Gemm, 0, 100});
  log.add_stage({ns(60), ns(70), beside, StageKind::Gemm, 0, 200});
  log.add_stage({ns(150), ns(160), dma, StageKind::DmaRead, 0, 5});
  log.add_stage({ns(250), ns(260), dma, StageKind::DmaRead, 0, 5});
  const auto figures = launch_figures(
      {{"a", on(0), 1, 1, ns(0), ns(100), {}}, {"b", on(0), 1, 1, ns(100), ns(200), {}}}, log,
      graph);
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].read.bytes, 2000U);
  EXPECT_DOUBLE_EQ(figures[0].read.gbs(), 40.0);
  EXPECT_DOUBLE_EQ(figures[0].written.gbs(), 3.0);
  EXPECT_EQ(figures[0].macs, 7U);
  EXPECT_EQ(figures[1].read.bytes, 5U);
  EXPECT_EQ(figures[1].written.bytes, 0U);
  EXPECT_EQ(figures[1].written.gbs(), 0.0);
}

TEST(UnevenKernels, AreNamedOnceWithTheWorstLaunchAboveTwiceTheMean) {
  const common::SimTime none;
  EXPECT_THAT(uneven_kernels({{"even", on(0), 1, 1, none, none, {1000, 2000}},
                              {"uneven", on(0), 1, 1, none, none, {1000, 2001}},
                              {"uneven", on(3), 1, 1, none, none, {1000, 7304}},
                              {"uneven", on(1), 1, 1, none, none, {1000, 4000}},
                              {"without streams", on(1), 1, 1, none, none, {}}}),
              testing::ElementsAre("kernel 'uneven' on SIP 3 loads the HBM channels unevenly: the "
                                   "fullest channel of an access has 7.30 times the mean"));
}

}  // namespace
}  // namespace kernbench::model::bench
