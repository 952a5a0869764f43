// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench sim` of a network of any topology, up to the build of its model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::cli_test {
namespace {

using ::testing::HasSubstr;

class NocCommand : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"sim", places::source("/configs/regressions/noc.yaml")});
    return kernbench(arguments, folder_.path(), folder_.path());
  }
  common::TempFolder folder_;
};

TEST_F(NocCommand, ListsTheCasesOfAnyTopology) {
  const Finished listed = run({"--noc", "Mesh2D(2,2)", "--list", "--suite", "permutations"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("permutations-bit_complement      bit_complement       4000 "
                                    "cycles, seed 1\n"));
}

TEST_F(NocCommand, NamesTheKindsOfTrafficThatATopologyLeavesOut) {
  (void)folder_.write("one.yaml",
                      "name: one\ndut: noc\nsuites:\n"
                      "  - {name: tornado, pattern: booksim.tornado}\n"
                      "  - {name: uniform}\n");
  const Finished listed = kernbench({"sim", "one.yaml", "--noc", "UnidirectionalLine(1)", "--list"},
                                    folder_.path(), folder_.path());
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.err,
              HasSubstr("left out of UnidirectionalLine(1): tornado: booksim.tornado "));
}

TEST_F(NocCommand, RefusesWhatItCannotRun) {
  const auto error = [&](const std::vector<std::string>& arguments) {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 2) << finished.out;
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "build"));
    return finished.err;
  };
  EXPECT_THAT(error({"--suite", "overlaod"}),
              HasSubstr("--suite: the regression has no suite 'overlaod'; did you mean "
                        "'overload'?"));
  EXPECT_THAT(error({"--fabric", "4x4"}),
              HasSubstr("--fabric: is of a MAZE; --noc names a topology"));
  EXPECT_THAT(error({"--noc", "Mash2D(2,2)"}), HasSubstr("Mesh2D"));
  EXPECT_THAT(error({"--noc", "Mesh2D(17,16)"}), HasSubstr("272 nodes; the RTL has at most 256"));
  EXPECT_THAT(error({"--noc", "Mesh2D(257,1)"}),
              HasSubstr("error: Mesh2D(257,1): 257 nodes; the RTL has at most 256\n"));
  EXPECT_THAT(error({"--fault", "dorp"}),
              HasSubstr("--fault: there is no fault 'dorp'; did you mean 'drop'?"));
  EXPECT_THAT(error({"--fault", "drop"}), HasSubstr("noc.yaml injects the fault 'drop'\n"));
  const Finished other = kernbench({"sim", "--noc", "Mesh2D(2,2)"}, folder_.path(), folder_.path());
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("is not a regression of a network of any topology, with 'dut: "
                                   "noc'"));
}

TEST_F(NocCommand, LeavesOutPacketsToANodeThatDoesNotExist) {
  (void)folder_.write("hot.yaml",
                      "name: hot\ndut: noc\nsuites:\n"
                      "  - {name: hot, pattern: hotspot, hotspot_node: 4}\n");
  const Finished finished =
      kernbench({"sim", "hot.yaml", "--noc", "Mesh2D(2,2)"}, folder_.path(), folder_.path());
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "left out of Mesh2D(2,2): hot: hotspot goes to node 4, the last node is 3\n"
            "error: no suite of hot.yaml is left to run on Mesh2D(2,2)\n");
}

TEST_F(NocCommand, ChecksTheStructureOfRoutersOfTheGivenSizes) {
  const auto error = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "structure");
    const Finished finished = kernbench(arguments, folder_.path(), folder_.path());
    EXPECT_EQ(finished.exit_code, 2) << finished.out;
    return finished.err;
  };
  EXPECT_THAT(error({"--noc", "Mesh2D(2,2)", "--flit-bits", "6"}),
              HasSubstr("flits have 6 bits; the bench needs 8 to 64 to tell the packets of 4 nodes "
                        "apart"));
  EXPECT_THAT(error({"--noc", "BidirectionalTorus1D(4)", "--lanes", "64"}),
              HasSubstr("virtual channels"));
  EXPECT_THAT(error({"--noc", "Mesh2D(2,2)", "--stages", "16"}), HasSubstr("--stages"));
  EXPECT_THAT(error({"--slots", "4"}), HasSubstr("--slots"));
}

TEST_F(NocCommand, ListsTheFaultsThatARegressionInjects) {
  const Finished listed = kernbench(
      {"sim", places::source("/configs/regressions/noc-faults.yaml"), "--list", "--fault", "drop"},
      folder_.path(), folder_.path());
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(listed.out,
            "all_checkers-drop                uniform_random       6000 cycles, seed 1\n"
            "all_checkers-drop                uniform_random       6000 cycles, seed 2\n"
            "deliveries-drop-5                uniform_random       4000 cycles, seed 1\n");
}

TEST_F(NocCommand, NamesAllErrorsOfAFile) {
  (void)folder_.write("bad.yaml",
                      "name: bad\ndut: noc\nnetwork: {lanes: 0, stages: 16}\nsuites:\n"
                      "  - {name: a, shortest: 4, longest: 2}\n"
                      "  - {name: a, resets: 5000, cycles: 100}\n"
                      "  - {name: b, lod: 1}\n");
  const Finished finished = kernbench({"sim", "bad.yaml"}, folder_.path(), folder_.path());
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("bad.yaml:3:18: error: "));
  EXPECT_THAT(finished.err, HasSubstr("bad.yaml:3:29: error: "));
  EXPECT_THAT(finished.err, HasSubstr("is above longest, 2"));
  EXPECT_THAT(finished.err, HasSubstr("a second suite 'a'"));
  EXPECT_THAT(finished.err, HasSubstr("bad.yaml:7:15: error: unknown key 'lod'"));
}

}  // namespace
}  // namespace kernbench::cli_test
