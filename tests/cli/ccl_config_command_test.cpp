// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench run --ccl FILE` with invalid files and checks the messages.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;

/// Runs a bench on two SIPs with a given process-group file.
class CclFile : public ::testing::Test {
 protected:
  [[nodiscard]] Finished all_reduce(const std::string& ccl) const {
    (void)folder_.write("topology.yaml",
                        "system: {sips: {count: 2}}\n"
                        "sip: {cube_mesh: {w: 2, h: 1}}\n"
                        "cube: {pe_layout: {pe_per_corner: 1}, "
                        "memory_map: {slices_per_cube: 4}}\n");
    (void)folder_.write("ccl.yaml", ccl);
    std::filesystem::create_directories(folder_.path() / "scratch");
    return cli_test::kernbench({"run", "--topology", "topology.yaml", "all-reduce", "--set",
                                "bytes=1024", "--ccl", "ccl.yaml", "--verify"},
                               folder_.path(), folder_.path() / "scratch");
  }
  void expect_refused(const std::string& ccl, const std::string& message) const {
    const Finished finished = all_reduce(ccl);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.err, message);
    EXPECT_EQ(finished.out, "");
  }
  common::TempFolder folder_;
};

TEST_F(CclFile, OneThatFitsRuns) {
  const Finished finished = all_reduce("backend: ahbm\nworld_size: 2\n");
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
}

TEST_F(CclFile, AnUnknownAlgorithmIsRefusedWithItsPlaceAndTheKnownOnes) {
  expect_refused(
      "backend: ahbm\n"
      "algorithms:\n"
      "  all_reduce: rign\n",
      "ccl.yaml:3:15: error: 'all_reduce' must be one of auto, double-tree, halving-doubling, "
      "hierarchical, in-cube, intercube-center, intercube-corner, recursive-doubling, ring, tree, "
      "not "
      "'rign'\n"
      "    3 |   all_reduce: rign\n"
      "      |               ^\n"
      "  hint: did you mean 'ring'?\n");
}

TEST_F(CclFile, AWorldLargerThanTheSystemIsRefusedWithItsPlace) {
  expect_refused("backend: ahbm\nworld_size: 3\n",
                 "ccl.yaml:2:13: error: 'world_size' must be an integer from 1 to 2, not '3'\n"
                 "    2 | world_size: 3\n"
                 "      |             ^\n");
  expect_refused("backend: ahbm\ndefaults:\n  world_size: 3\n",
                 "ccl.yaml:3:15: error: 'world_size' must be an integer from 1 to 2, not '3'\n"
                 "    3 |   world_size: 3\n"
                 "      |               ^\n");
}

TEST_F(CclFile, AGridOfAnotherSizeThanTheWorldIsRefusedWithItsPlace) {
  expect_refused("backend: ahbm\ndefaults:\n  sip_grid: {w: 2, h: 2}\n",
                 "ccl.yaml:3:13: error: a grid of 2 x 2 does not match a world of 2 ranks\n"
                 "    3 |   sip_grid: {w: 2, h: 2}\n"
                 "      |             ^\n");
}

TEST_F(CclFile, AWorldThatTheAlgorithmCannotUseIsRefusedWithItsPlace) {
  expect_refused(
      "backend: ahbm\nrank: cube\nworld_size: 3\nalgorithms:\n"
      "  reduce_scatter: recursive-halving\n",
      "ccl.yaml:5:19: error: 'recursive-halving' needs a number of members that is a "
      "power of two, not 3\n"
      "    5 |   reduce_scatter: recursive-halving\n"
      "      |                   ^\n");
}

TEST_F(CclFile, AllErrorsAreReportedAtOnce) {
  expect_refused("backend: ahbm\nworld_size: 3\nalgorithms: {barrier: tree}\n",
                 "ccl.yaml:2:13: error: 'world_size' must be an integer from 1 to 2, not '3'\n"
                 "    2 | world_size: 3\n"
                 "      |             ^\n"
                 "ccl.yaml:3:23: error: 'barrier' must be one of auto, dissemination-barrier, "
                 "ring-barrier, not 'tree'\n"
                 "    3 | algorithms: {barrier: tree}\n"
                 "      |                       ^\n");
}

}  // namespace
}  // namespace kernbench
