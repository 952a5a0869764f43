// SPDX-License-Identifier: Apache-2.0
// Command lines that do not parse: the whole message of each, and the exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class UsageErrorTest : public ::testing::Test {
 protected:
  cli_test::Finished run(const std::vector<std::string>& arguments) {
    return cli_test::kernbench(arguments, places::kSource, folder_.path());
  }
  /// Returns what a bad command line prints.
  std::string error_of(const std::vector<std::string>& arguments) {
    const cli_test::Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.out, "");
    return finished.err;
  }

  common::TempFolder folder_;
};

TEST_F(UsageErrorTest, SuggestsTheOptionThatWasMeant) {
  EXPECT_EQ(error_of({"sim", "--sed", "3"}),
            "error: kernbench sim has no option '--sed'; did you mean '--seed'?\n"
            "Run 'kernbench sim --help' for its options.\n");
  EXPECT_EQ(error_of({"topology", "show", "--nod=x"}),
            "error: kernbench topology show has no option '--nod'; did you mean '--node'?\n"
            "Run 'kernbench topology show --help' for its options.\n");
}

TEST_F(UsageErrorTest, ReportsAllUnknownWordsInTheirOrder) {
  EXPECT_EQ(error_of({"sim", "--sute", "x", "--waevs", "off", "more"}),
            "error: kernbench sim has no option '--sute'; did you mean '--suite'?\n"
            "error: kernbench sim has no option '--waevs'; did you mean '--waves'?\n"
            "error: kernbench sim does not expect the argument 'more'\n"
            "Run 'kernbench sim --help' for its options.\n");
}

TEST_F(UsageErrorTest, SuggestsTheCommandThatWasMeant) {
  EXPECT_EQ(error_of({"cosmi"}),
            "error: kernbench has no command 'cosmi'; did you mean 'cosim'?\n"
            "Run 'kernbench --help' for its commands.\n");
  EXPECT_EQ(error_of({"topology", "rout", "--from", "x"}),
            "error: kernbench topology has no command 'rout'; did you mean 'route'?\n"
            "Run 'kernbench topology --help' for its commands.\n");
}

TEST_F(UsageErrorTest, ASweepNeedsAPlanOrACommandWithItsDatabase) {
  EXPECT_EQ(error_of({"sweep"}), "error: kernbench sweep needs a plan or a command\n");
  EXPECT_EQ(error_of({"sweep", "show"}),
            "error: kernbench sweep show needs the argument database\n"
            "Run 'kernbench sweep show --help' for its options.\n");
  EXPECT_EQ(error_of({"sweep", "a.yaml", "--jobs", "0"}),
            "error: --jobs: must be an integer from 1 to 1024, not '0'\n"
            "Run 'kernbench sweep --help' for its commands.\n");
  EXPECT_EQ(error_of({"sweep", "a.yaml", "--yess"}),
            "error: kernbench sweep has no option '--yess'; did you mean '--yes'?\n"
            "Run 'kernbench sweep --help' for its commands.\n");
  EXPECT_EQ(error_of({"job", "rn"}),
            "error: kernbench job has no command 'rn'; did you mean 'run'?\n"
            "Run 'kernbench job --help' for its commands.\n");
}

TEST_F(UsageErrorTest, AKeyOfATopologyIsSetByItsNameAndValue) {
  EXPECT_EQ(error_of({"probe", "--set", "bytes=1"}),
            "error: --set: 'bytes=1' is not topology.KEY=VALUE\n"
            "Run 'kernbench probe --help' for its options.\n");
  EXPECT_EQ(error_of({"probe", "--set", "topology.pe"}),
            "error: --set takes NAME=VALUE, not 'topology.pe'\n");
  EXPECT_EQ(error_of({"run", "gemm", "--set", "topology.a=1", "--set", "topology.a=2"}),
            "error: --set gives 'topology.a' twice\n");
}

TEST_F(UsageErrorTest, AMisspelledOptionIsNamedBeforeTheOneThatIsMissing) {
  EXPECT_EQ(error_of({"run", "--devcie", "0"}),
            "error: kernbench run has no option '--devcie'; did you mean '--device'?\n"
            "Run 'kernbench run --help' for its options.\n");
  EXPECT_EQ(error_of({"run"}),
            "error: kernbench run needs the argument bench\n"
            "Run 'kernbench run --help' for its options.\n");
}

TEST_F(UsageErrorTest, SaysWhatIsWrongWithTheValues) {
  const std::string advice = "Run 'kernbench sim --help' for its options.\n";
  EXPECT_EQ(error_of({"sim", "--seed"}),
            "error: kernbench sim: option --seed needs a value\n" + advice);
  EXPECT_EQ(error_of({"sim", "--seed", "1", "--seed", "2"}),
            "error: kernbench sim: option --seed takes 1 value, but 2 are given\n" + advice);
  EXPECT_EQ(error_of({"sim", "--code-coverage", "folder"}),
            "error: kernbench sim: --code-coverage needs --model\n" + advice);
  EXPECT_EQ(error_of({"sim", "--list=5"}),
            "error: kernbench sim: option --list takes no value\n" + advice);
  EXPECT_EQ(error_of({"sim", "--jobs", "0"}),
            "error: --jobs: must be an integer from 1 to 1024, not '0'\n" + advice);
  EXPECT_EQ(error_of({"sim", "--packets", "9", "--suite", "b"}),
            "error: kernbench sim: --suite and --packets cannot be combined\n" + advice);
  EXPECT_EQ(error_of({"evaluate", "gemm", "--seed", "3"}),
            "error: kernbench evaluate: --seed needs --spread\n"
            "Run 'kernbench evaluate --help' for its options.\n");
  EXPECT_EQ(error_of({"evaluate", "gemm", "--fail-fast"}),
            "error: evaluate gemm has no --fail-fast\n");
  EXPECT_EQ(error_of({"evaluate", "collectives", "--plots", "p"}),
            "error: evaluate collectives has no --plots\n");
  EXPECT_EQ(error_of({"evaluate", "gemm"}),
            "error: kernbench evaluate gemm needs --json, to run the sweep, or --figures\n");
  EXPECT_EQ(error_of({"topology", "export", "--format", "jsno"}),
            "error: --format: 'jsno' is not one of dot, graphml, json; did you mean 'json'?\n"
            "Run 'kernbench topology export --help' for its options.\n");
}

TEST_F(UsageErrorTest, AnEmptyValueIsNotTheNextWord) {
  EXPECT_EQ(error_of({"run", "vector-add", "--json=", "--plugin=x"}),
            "error: --json: the path is empty\nRun 'kernbench run --help' for its options.\n");
  EXPECT_EQ(error_of({"traffic", "Mesh2D(2,2)", "--json=", "report.json"}).substr(0, 32),
            "error: --json: the path is empty");
  EXPECT_EQ(error_of({"run", "vector-add", "--spread="}).substr(0, 35),
            "error: --spread: the value is empty");
  EXPECT_EQ(error_of({"sim", "--suite=", "--list"}).substr(0, 15), "error: --suite:");
}

TEST_F(UsageErrorTest, WithoutACommandListsTheCommands) {
  EXPECT_THAT(error_of({}),
              StartsWith("error: kernbench needs a command\nCommands:\n  sim         Run "
                         "a regression on the verilated TOPO\n"));
  EXPECT_EQ(error_of({"coverage"}),
            "error: kernbench coverage needs a command\n"
            "Commands:\n"
            "  merge   Merge coverage files into one\n"
            "  report  Report the coverage and list the missed bins\n"
            "Run 'kernbench coverage COMMAND --help' for one of them.\n");
}

TEST_F(UsageErrorTest, HelpOfAnUnknownCommandIsAnError) {
  EXPECT_EQ(error_of({"topology", "chek", "--help"}),
            "error: kernbench topology has no command 'chek'; did you mean 'check'?\n");
  EXPECT_EQ(error_of({"help", "topology", "chek"}),
            "error: kernbench topology has no command 'chek'; did you mean 'check'?\n");
  EXPECT_EQ(error_of({"help", "list", "x"}), "error: kernbench list has no subcommands\n");
}

TEST_F(UsageErrorTest, HelpPrintsTheSameAsTheOption) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"topology"}, {"topology", "route"}}) {
    std::vector<std::string> by_command = {"help"};
    by_command.insert(by_command.end(), words.begin(), words.end());
    std::vector<std::string> by_option = words;
    by_option.emplace_back("--help");
    const cli_test::Finished finished = run(by_command);
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_EQ(finished.out, run(by_option).out);
    EXPECT_THAT(finished.out, HasSubstr("\nUsage: kernbench"));
  }
}

TEST_F(UsageErrorTest, QuietAndVerboseExcludeEachOther) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"-q", "list", "-v"}, {"list", "--verbose", "--quiet"}}) {
    EXPECT_EQ(error_of(words), "error: --quiet and --verbose cannot be combined\n");
  }
}

TEST_F(UsageErrorTest, SuggestsNamesOfFaultsNodesParametersAndPatterns) {
  EXPECT_EQ(error_of({"sim", "--fault", "dorp"}),
            "error: --fault: there is no fault 'dorp'; did you mean 'drop'?\n");
  EXPECT_THAT(error_of({"cosim", "--fabric", "cycel"}),
              ::testing::EndsWith("; did you mean 'cycle'?\n"));
  EXPECT_THAT(error_of({"cosim", "--nodes", "ideal", "--fabric", "cycle", "--fault", "dorp"}),
              ::testing::EndsWith("; did you mean 'drop'?\n"));
  EXPECT_THAT(error_of({"traffic", "Mesh2D(4,4)", "--pattern", "transpos"}),
              ::testing::EndsWith("; did you mean 'transpose'?\n"));
  EXPECT_THAT(error_of({"run", "gemm", "--set", "tilem=8"}),
              ::testing::EndsWith("; did you mean 'tile_m'?\n"));
  EXPECT_EQ(error_of({"cosim", "--workload", "bench:all-reduce", "--set", "byts=8"}),
            "error: --set: no bench among the workloads has a parameter 'byts'; did you mean "
            "'bytes'?\n");
  EXPECT_EQ(error_of({"topology", "show", "--node", "sip0.cube0.srma"}),
            "error: node sip0.cube0.srma not found in topology; did you mean 'sip0.cube0.sram'?\n");
  EXPECT_EQ(error_of({"topology", "route", "--from", "sip0.cube0.ep0", "--to", "sip0.cub5.mcpu"}),
            "error: node sip0.cub5.mcpu not found in topology; did you mean 'sip0.cube0.pe0' and "
            "'sip0.cube5.m_cpu'?\n");
}

}  // namespace
}  // namespace kernbench
