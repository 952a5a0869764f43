// SPDX-License-Identifier: Apache-2.0
// The invariants between results of the probe, and the detection of violations.
#include "model/probe/invariants.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::probe {
namespace {

using common::SimTime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using topology::TopologyGraph;
using topology::TopologySpec;

/// The results of a probe at one size, which tests can falsify.
class Invariants : public ::testing::Test {
 protected:
  void probe(const TopologySpec& spec, std::uint64_t bytes) {
    graph_.emplace(topology::compile_topology(spec));
    cases_ = probe_cases(*graph_);
    results_ = run_probes(*graph_, cases_, {bytes}, 1);
  }
  [[nodiscard]] InvariantReport check() const {
    return check_invariants(*graph_, cases_, results_, 0);
  }
  [[nodiscard]] ProbeResult& result(Family family, const std::string& label) {
    for (std::size_t c = 0; c < cases_.size(); ++c) {
      if (cases_[c].family == family && cases_[c].label == label) return results_[c][0];
    }
    throw std::out_of_range(label);
  }
  /// Sets both the measured latency and the closed form.
  static void set(ProbeResult& result, std::int64_t ps) {
    result.actual = SimTime::from_ps(ps);
    result.analytic = {};
    result.analytic.travel = result.actual;
  }

  std::optional<TopologyGraph> graph_;
  std::vector<ProbeCase> cases_;
  std::vector<std::vector<ProbeResult>> results_;
};

TEST_F(Invariants, TheDefaultSystemComparesEveryFamilyAndHolds) {
  probe({}, 4096);
  const InvariantReport report = check();
  EXPECT_THAT(report.broken, IsEmpty());
  EXPECT_EQ(report.closed_forms, 18U);
  // Four reads with their writes, six pairs of four cubes for each host family, and the pairs of
  // the PE DMA.
  EXPECT_EQ(report.pairs, 4U + 6U + 6U + 35U);
}

TEST_F(Invariants, ALatencyThatIsNotItsClosedFormIsNamed) {
  probe({}, 256);
  result(Family::HostWrite, "cube 0").actual += SimTime::from_ps(1);
  EXPECT_THAT(check().broken,
              ::testing::Contains(
                  "h2d cube 0 at 256 bytes: 135934 ps measured, 135933 ps by the closed form"));
}

TEST_F(Invariants, AFartherCubeThatIsNoSlowerIsNamed) {
  probe({}, 256);
  set(result(Family::PeDma, "2 east"), result(Family::PeDma, "1 east").actual.ps());
  EXPECT_THAT(check().broken,
              ::testing::Contains("pe_dma 2 east at 256 bytes: not slower than 1 east, which has "
                                  "fewer hops"));
}

TEST_F(Invariants, AReadThatIsFasterThanItsWriteIsNamed) {
  probe({}, 256);
  set(result(Family::HostRead, "cube 0"), 135'932);
  EXPECT_THAT(check().broken,
              ElementsAre("d2h cube 0 at 256 bytes: 135932 ps, faster than the write over the same "
                          "way, 135933 ps"));
}

// Nine flits on eight hashed channels, each 16 ns a flit.
TEST_F(Invariants, AReadMayBeFasterByTheServiceOfAFlitWhereFlitsMayMeetOnAChannel) {
  probe({}, 9 * 256);
  const std::int64_t write = result(Family::HostWrite, "cube 0").actual.ps();
  set(result(Family::HostRead, "cube 0"), write - 16'000);
  EXPECT_THAT(check().broken, IsEmpty());
  set(result(Family::HostRead, "cube 0"), write - 16'001);
  EXPECT_EQ(check().broken.size(), 1U);
  TopologySpec spec;
  spec.cube.memory_map.hbm_interleave = topology::HbmInterleave::Modulo;
  probe(spec, 9 * 256);
  set(result(Family::HostRead, "cube 0"), result(Family::HostWrite, "cube 0").actual.ps() - 1);
  EXPECT_EQ(check().broken.size(), 1U);
}

TEST_F(Invariants, PairsAreNotComparedWhereTheRecurrenceItselfBreaksTheRule) {
  probe({}, 255);  // a short flit
  EXPECT_EQ(check().pairs, 0U);
  TopologySpec spec;
  spec.system.request_bytes = 512;
  probe(spec, 256);
  EXPECT_EQ(check().pairs, 0U);
}

TEST_F(Invariants, AMazeIsHeldAgainstItsClosedFormOnly) {
  TopologySpec spec;
  spec.sip.inter_cube = topology::InterCube::Maze;
  spec.sip.maze.clock_ns = 0.75;
  using topology::DimensionOrder;
  using topology::FabricModel;
  for (const auto& [order, fabric] : {std::pair(DimensionOrder::XY, FabricModel::Cycle),
                                      std::pair(DimensionOrder::XY, FabricModel::Analytic),
                                      std::pair(DimensionOrder::YX, FabricModel::Analytic)}) {
    spec.sip.maze.order = order;
    spec.sip.maze.fabric = fabric;
    for (const std::uint64_t bytes : {1U, 255U, 256U, 5000U}) {
      probe(spec, bytes);
      const InvariantReport report = check();
      EXPECT_THAT(report.broken, IsEmpty());
      EXPECT_EQ(report.closed_forms, cases_.size());
    }
  }
}

TEST(InvariantOutcome, WithoutComparisonsIsVacuous) {
  InvariantReport report;
  EXPECT_EQ(report.outcome(), common::Outcome::Vacuous);
  report.closed_forms = 1;
  EXPECT_EQ(report.outcome(), common::Outcome::Pass);
  report.broken.emplace_back("slower");
  EXPECT_EQ(report.outcome(), common::Outcome::Mismatch);
}

}  // namespace
}  // namespace kernbench::model::probe
