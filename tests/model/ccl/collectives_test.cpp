// SPDX-License-Identifier: Apache-2.0
// Compares the numbers of every collective algorithm, on several SIPs of small meshes, with sums
// made in a plain loop.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/diagnostics.hpp"
#include "model/bench/random_data.hpp"
#include "model/ccl/ccl_config.hpp"
#include "model/ccl/process_group.hpp"
#include "tests/model/ccl/group_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::ccl {
namespace {

using bench::RunResult;
using data::Array;
using data::DataType;
using runtime::Placement;
using ::testing::HasSubstr;

void expect_right(const RunResult& result, std::size_t checks) {
  ASSERT_EQ(result.checks.size(), checks);
  for (const runtime::CheckReport& check : result.checks) {
    EXPECT_EQ(check.wrong, 0U) << check.name << " " << check.first_wrong;
    EXPECT_GT(check.elements, 0U);
  }
}

constexpr std::uint64_t kRows = 11;  // over 8 PEs: two each, and two PEs with fewer
constexpr std::uint64_t kColumns = 37;

runtime::HostData rank_data(std::uint32_t rank) {
  return bench::uniform(DataType::I32, kRows, kColumns, rank + 1);
}

/// Checks the sums over all cubes of all ranks at every rank.
void all_reduce_integers(runtime::Context& kb) {
  ProcessGroup group(kb.session(), "ahbm");
  spawn(kb, group, [](Worker& worker) {
    const runtime::Tensor x =
        worker.kb().tensor(kRows, kColumns, DataType::I32,
                           {Placement::Replicate, Placement::RowWise}, rank_data(worker.rank()));
    worker.all_reduce(x);
    const std::uint32_t ranks = worker.world_size();
    const auto cubes = static_cast<std::int32_t>(worker.kb().cubes());
    worker.kb().expect("sum", worker.kb().read(x), [=] {
      data::MatrixI sum = data::MatrixI::Zero(kRows, kColumns);
      for (std::uint32_t r = 0; r < ranks; ++r) sum += cubes * rank_data(r)().to_integers();
      return Array::from(DataType::I32, sum);
    });
  });
}

struct Case {
  std::string algorithm;
  std::string topology;
  std::uint32_t sips;
  std::uint32_t w;
  std::uint32_t h;
};

class AllReduceTest : public ::testing::TestWithParam<Case> {};

TEST_P(AllReduceTest, GivesEveryCubeOfEveryRankTheSumOfAll) {
  const Case& c = GetParam();
  const auto graph = system_of(c.sips, c.w, c.h);
  const RunResult result =
      run(graph, all_reduce_integers,
          fmt::format("backend: ahbm\ndefaults: {{sip_topology: {}}}\nalgorithms: {{all_reduce: "
                      "{}}}\n",
                      c.topology, c.algorithm));
  expect_right(result, c.sips);
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, AllReduceTest,
    ::testing::Values(
        Case{"intercube-center", "ring", 1, 2, 2}, Case{"intercube-center", "ring", 3, 3, 2},
        Case{"intercube-center", "torus", 4, 2, 1}, Case{"intercube-center", "mesh", 6, 1, 2},
        Case{"intercube-corner", "ring", 2, 3, 3}, Case{"ring", "ring", 2, 2, 3},
        Case{"ring", "ring", 3, 1, 1}, Case{"ring", "ring", 1, 3, 2},
        Case{"halving-doubling", "hypercube", 4, 2, 2},
        Case{"halving-doubling", "hypercube", 8, 1, 1},
        Case{"halving-doubling", "hypercube", 5, 1, 2},
        Case{"halving-doubling", "hypercube", 1, 2, 1},
        Case{"recursive-doubling", "hypercube", 4, 2, 2},
        Case{"recursive-doubling", "hypercube", 8, 1, 1},
        Case{"recursive-doubling", "hypercube", 3, 2, 1},
        Case{"recursive-doubling", "hypercube", 1, 2, 1}, Case{"tree", "tree", 5, 2, 1},
        Case{"double-tree", "two-trees", 5, 2, 1}, Case{"double-tree", "two-trees", 8, 1, 2},
        Case{"hierarchical", "leaders", 3, 2, 2}),
    [](const auto& tested) {
      std::string name =
          fmt::format("{}_{}_{}sips_{}x{}", tested.param.algorithm, tested.param.topology,
                      tested.param.sips, tested.param.w, tested.param.h);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(CollectivesTest, GatherScatterBroadcastAndBarrierMoveWhatTheyShould) {
  const auto graph = system_of(3, 2, 1);
  const RunResult result = run(
      graph,
      [](runtime::Context& kb) {
        ProcessGroup group(kb.session(), "ahbm");
        spawn(kb, group, [](Worker& worker) {
          runtime::Context& device = worker.kb();
          const runtime::DpPolicy policy{Placement::Replicate, Placement::ColumnWise};
          const std::uint32_t ranks = worker.world_size();
          const std::uint32_t rank = worker.rank();
          const auto all_rows = [=] {
            data::MatrixI all(kRows * ranks, kColumns);
            for (std::uint32_t r = 0; r < ranks; ++r) {
              all.middleRows(r * kRows, kRows) = rank_data(r)().to_integers();
            }
            return all;
          };

          const runtime::Tensor part =
              device.tensor(kRows, kColumns, DataType::I32, policy, rank_data(rank));
          const runtime::Tensor whole =
              device.tensor(kRows * ranks, kColumns, DataType::I32, policy);
          worker.all_gather(whole, part);
          device.expect("gathered", device.read(whole),
                        [=] { return Array::from(DataType::I32, all_rows()); });

          // The gathered tensor of every rank is its input, in both cubes.
          const runtime::Tensor mine = device.tensor(kRows, kColumns, DataType::I32, policy);
          worker.reduce_scatter(mine, whole);
          device.expect("scattered", device.read(mine), [=] {
            const auto factor = static_cast<std::int32_t>(2 * ranks);
            return Array::from(DataType::I32,
                               data::MatrixI(factor * rank_data(rank)().to_integers()));
          });

          worker.barrier();
          const runtime::Tensor token =
              device.tensor(kRows, kColumns, DataType::I32, policy, rank_data(rank));
          worker.broadcast(token, 1);
          device.expect("broadcast", device.read(token), [] { return rank_data(1)(); });
        });
      },
      "backend: ahbm\n");
  expect_right(result, 9);
}

TEST(CollectivesTest, ABarrierHoldsARankUntilTheLastHasCome) {
  const auto graph = system_of(2, 1, 1);
  static common::SimTime early;
  static common::SimTime late_came;
  (void)run(
      graph,
      [](runtime::Context& kb) {
        ProcessGroup group(kb.session(), "ahbm");
        spawn(kb, group, [](Worker& worker) {
          if (worker.rank() == 1) {
            (void)worker.kb().tensor(1024, 1024, DataType::F32, {},
                                     bench::uniform(DataType::F32, 1024, 1024, 1));
            worker.kb().synchronize();
            late_came = worker.kb().now();
          }
          worker.barrier();
          if (worker.rank() == 0) early = worker.kb().now();
        });
      },
      "backend: ahbm\n");
  EXPECT_GT(late_came.ps(), 0);
  EXPECT_GT(early, late_came);
}

TEST(CollectivesTest, CenterRootedIsFasterThanCornerRooted) {
  const auto graph = system_of(1, 4, 4);
  const auto took = [&graph](const std::string& algorithm) {
    const RunResult result =
        run(graph, all_reduce_integers,
            fmt::format("backend: ahbm\nalgorithms: {{all_reduce: {}}}\n", algorithm));
    return result.launches.back().end - result.launches.back().start;
  };
  EXPECT_LT(took("intercube-center"), took("intercube-corner"));
}

TEST(CollectivesTest, ATensorThatIsNotReplicatedOverCubesIsRefused) {
  const auto graph = system_of(1, 2, 1);
  try {
    (void)run(
        graph,
        [](runtime::Context& kb) {
          ProcessGroup group(kb.session(), "ahbm");
          spawn(kb, group, [](Worker& worker) {
            worker.all_reduce(worker.kb().tensor(8, 8, DataType::I32,
                                                 {Placement::RowWise, Placement::RowWise},
                                                 bench::uniform(DataType::I32, 8, 8, 1)));
          });
        },
        "backend: ahbm\n");
    FAIL() << "the tensor was accepted";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("a tensor of all_reduce has to be replicated over all "
                                        "cubes of the rank"));
  }
}

std::string errors_of(const std::string& text, std::uint32_t sips) {
  topology::TopologySpec spec;
  spec.system.sips = sips;
  try {
    (void)parse_ccl_config(text, "ccl.yaml", spec);
  } catch (const common::BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(CclConfigTest, TheWorldSizeIsTheFilesThenTheDefaultsThenTheNumberOfSips) {
  topology::TopologySpec spec;
  spec.system.sips = 6;
  const auto size = [&spec](const std::string& text) {
    return parse_ccl_config(text, "ccl.yaml", spec).world_size;
  };
  EXPECT_EQ(size("backend: ahbm\n"), 6U);
  EXPECT_EQ(size("backend: ahbm\ndefaults: {world_size: 4}\n"), 4U);
  EXPECT_EQ(size("backend: ahbm\nworld_size: 2\ndefaults: {world_size: 4}\n"), 2U);
}

TEST(CclConfigTest, NamesTheKnownAlgorithmsAndThePlaceOfAnUnknownOne) {
  const std::string errors = errors_of("backend: ahbm\nalgorithms:\n  all_reduce: rign\n", 2);
  EXPECT_THAT(errors, HasSubstr("ccl.yaml:3:15"));
  EXPECT_THAT(errors, HasSubstr("rign"));
  EXPECT_THAT(errors, HasSubstr("halving-doubling"));
}

TEST(CclConfigTest, RefusesAWorldLargerThanTheSystemAndAGridOfAnotherSize) {
  EXPECT_THAT(errors_of("backend: ahbm\nworld_size: 3\n", 2), HasSubstr("ccl.yaml:2:13"));
  EXPECT_THAT(errors_of("backend: ahbm\ndefaults:\n  sip_grid: {w: 3, h: 1}\n", 2),
              HasSubstr("a grid of 3 x 1 does not match a world of 2 ranks"));
}

TEST(CclConfigTest, RefusesRecursiveHalvingForThreeRanks) {
  EXPECT_THAT(errors_of("backend: ahbm\nalgorithms: {reduce_scatter: recursive-halving}\n", 3),
              HasSubstr("'recursive-halving' needs a number of members that is a power of two, not "
                        "3"));
}

}  // namespace
}  // namespace kernbench::model::ccl
