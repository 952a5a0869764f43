// SPDX-License-Identifier: Apache-2.0
// N, E, S and W between the PEs of a cube, where ranks are PEs.
#include "model/ccl/pe_grid.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/ccl/process_group.hpp"
#include "tests/model/ccl/group_fixture.hpp"

namespace kernbench::model::ccl {
namespace {

using bench::RunResult;
using data::Array;
using data::DataType;
using runtime::Placement;
using runtime::Tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using topology::Corner;

std::vector<std::string> texts_of(const topology::CubeSpec& cube) {
  std::vector<std::string> texts;
  for (const Join& join : pe_joins(cube)) {
    texts.push_back(fmt::format("{} {} {} {}", join.a, join.a_direction, join.b, join.b_direction));
  }
  return texts;
}

TEST(PeGrid, FollowsTheLayoutOfTheCube) {
  // North: PEs 0 and 1 of NW, 2 and 3 of NE; south: 4 and 5 of SW, 6 and 7 of SE.
  EXPECT_THAT(texts_of({}), ElementsAre("0 E 1 W", "1 E 2 W", "2 E 3 W", "4 E 5 W", "5 E 6 W",
                                        "6 E 7 W", "0 S 4 N", "1 S 5 N", "2 S 6 N", "3 S 7 N"));
  topology::CubeSpec turned;
  turned.corners = {Corner::SE, Corner::NE};
  EXPECT_THAT(texts_of(turned), ElementsAre("2 E 3 W", "0 E 1 W", "2 S 0 N", "3 S 1 N"));
  EXPECT_THAT(pe_grid(turned)->places, ElementsAre(2, 3, 0, 1));
  topology::CubeSpec across;
  across.corners = {Corner::NW, Corner::SE};
  EXPECT_THAT(texts_of(across), ElementsAre("0 E 1 W", "2 E 3 W"));
  EXPECT_EQ(pe_grid(across), std::nullopt);
}

TEST(PeGrid, AKernelSendsToTheNextPe) {
  const RunResult result = run(
      small_system_of(1, 1, 1),
      [](runtime::Context& kb) {
        ProcessGroup world(kb.session(), "ahbm");
        spawn(kb, world, [&](Worker& worker) {
          const auto rank = worker.rank();
          const Tensor x = worker.kb().tensor(1, 4, DataType::I32, {});
          worker.kb().launch("turn", [rank, x = x->view()](kernel::Tl& tl) {
            // PEs 0 and 1 are north, 2 and 3 south: the value goes round by E, S, W, N.
            const char* const to[] = {"E", "S", "N", "W"};
            const char* const from[] = {"S", "W", "E", "N"};
            tl.send(to[rank], tl.full(1, 4, static_cast<double>(rank), DataType::I32));
            tl.store(x.local(tl), tl.recv(from[rank], 1, 4, DataType::I32));
          });
          worker.kb().expect(fmt::format("x of {}", rank), worker.kb().read(x), [rank] {
            constexpr std::int32_t kBefore[] = {2, 0, 3, 1};
            return Array::from(DataType::I32,
                               data::MatrixI(data::MatrixI::Constant(1, 4, kBefore[rank])));
          });
        });
      },
      "backend: ahbm\nrank: pe\n");
  ASSERT_EQ(result.checks.size(), 4U);
  for (const auto& check : result.checks) EXPECT_EQ(check.wrong, 0U) << check.first_wrong;
}

/// An all-reduce of 1 KiB over the PEs of a cube. Returns the time of its launches.
std::int64_t all_reduce_in_a_cube(const char* algorithm) {
  const RunResult result = run(
      small_system_of(1, 1, 1),
      [](runtime::Context& kb) {
        ProcessGroup world(kb.session(), "ahbm");
        spawn(kb, world, [&](Worker& worker) {
          const auto value = static_cast<std::int32_t>(1U << worker.rank());
          const Tensor x = worker.kb().tensor(4, 64, DataType::I32, {}, [value] {
            return Array::from(DataType::I32, data::MatrixI(data::MatrixI::Constant(4, 64, value)));
          });
          worker.all_reduce(x);
          worker.kb().expect("sum", worker.kb().read(x), [] {
            return Array::from(DataType::I32, data::MatrixI(data::MatrixI::Constant(4, 64, 15)));
          });
        });
      },
      fmt::format("backend: ahbm\nrank: pe\nalgorithms: {{all_reduce: {}}}\n", algorithm).c_str());
  EXPECT_EQ(result.checks.size(), 4U);
  for (const auto& check : result.checks) EXPECT_EQ(check.wrong, 0U) << check.first_wrong;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = 0;
  for (const runtime::LaunchRecord& launch : result.launches) {
    first = std::min(first, launch.start.ps());
    last = std::max(last, launch.end.ps());
  }
  return last - first;
}

TEST(PeGrid, AnAllReduceRunsInsideACube) {
  EXPECT_EQ(all_reduce_in_a_cube("in-cube"), 771'359);
  EXPECT_EQ(all_reduce_in_a_cube("recursive-doubling"), 688'494);
}

TEST(PeGrid, TheAlgorithmNeedsAllPesOfOneCube) {
  const topology::TopologySpec spec = topology::parse_topology_spec(
      "sip: {cube_mesh: {w: 2, h: 1}}\nsystem: {sips: {count: 1}}\n", "");
  const auto of_two_cubes = [&] {
    (void)parse_ccl_config("rank: pe\nalgorithms: {all_reduce: in-cube}\n", "ccl.yaml", spec);
  };
  EXPECT_THAT(of_two_cubes,
              ::testing::ThrowsMessage<std::exception>(HasSubstr(
                  "ccl.yaml:2:26: error: 'in-cube' needs the PEs of one cube, in a grid without "
                  "gaps, not 16")));
}

}  // namespace
}  // namespace kernbench::model::ccl
