// SPDX-License-Identifier: Apache-2.0
// The files that commands use by default and by name, from whatever folder they are started.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class DataFolderOfACommand : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run_in(const fs::path& where, std::vector<std::string> words) const {
    return cli_test::kernbench(std::move(words), where, scratch_.path());
  }
  [[nodiscard]] Finished run(std::vector<std::string> words) const {
    return run_in(folder_.path(), std::move(words));
  }
  /// Writes a topology of one SIP in the current folder, under the name of a shipped one.
  void write_own_topology() const {
    fs::create_directories(folder_.path() / "configs");
    (void)folder_.write("configs/topology.yaml", "system: {sips: {count: 1}}\n");
  }

  common::TempFolder folder_;
  common::TempFolder scratch_;
};

TEST_F(DataFolderOfACommand, HasTheDefaultsOfEveryCommandAlsoFromAnotherFolder) {
  const std::vector<std::vector<std::string>> commands = {{"sim", "--list"},
                                                          {"topology", "show"},
                                                          {"probe", "--bytes", "256"},
                                                          {"run", "vector-add"},
                                                          {"topology", "check"}};
  for (const auto& words : commands) {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 0) << words[0] << ": " << finished.err;
  }
  EXPECT_EQ(folder_.files(), 0U);
}

TEST_F(DataFolderOfACommand, DoesNotYieldItsDefaultsToTheCurrentFolder) {
  write_own_topology();
  EXPECT_THAT(run({"topology", "show"}).out, StartsWith("2 SIPs of 4 x 4 cubes"));
}

TEST_F(DataFolderOfACommand, HasANamedFileThatTheCurrentFolderDoesNotHave) {
  EXPECT_THAT(run({"topology", "show", "--topology", "configs/topology-maze-8x8.yaml"}).out,
              StartsWith("1 SIP of 8 x 8 cubes"));
  EXPECT_THAT(run({"sim", "--list", "configs/regressions/faults.yaml"}).out,
              HasSubstr("\nall_checkers "));
  EXPECT_EQ(run({"topology", "zoo", "--spec", "configs/zoo/mesh_2d.yaml"}).exit_code, 0);
}

TEST_F(DataFolderOfACommand, ComesAfterTheCurrentFolderForANamedFile) {
  write_own_topology();
  EXPECT_THAT(run({"topology", "show", "--topology", "configs/topology.yaml"}).out,
              StartsWith("1 SIP of 4 x 4 cubes"));
}

TEST_F(DataFolderOfACommand, IsNotSearchedForAPathThatLeavesIt) {
  const Finished finished = run({"topology", "show", "--topology", "../configs/topology.yaml"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("cannot read '../configs/topology.yaml'"));
}

TEST_F(DataFolderOfACommand, IsNotSearchedForRtl) {
  const Finished finished = run({"sim", "--rtl-dir", "rtl"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("rtl"));
}

TEST_F(DataFolderOfACommand, DoesNotEnterTheHashOfARun) {
  const auto hash_in = [&](const fs::path& where) {
    const fs::path report = folder_.path() / "report";
    const Finished finished = run_in(
        where, {"sim", "--fabric", "4x3", "--suite", "uniform", "--cycles", "50", "--seeds", "1",
                "--model", places::kReferenceModel, "--no-structure", "--report", report.string()});
    EXPECT_EQ(finished.exit_code, 0) << finished.err << finished.out;
    return nlohmann::json::parse(common::read_text_file(report / "report.json"))
        .at("config_hash")
        .get<std::string>();
  };
  EXPECT_EQ(hash_in(places::kSource), hash_in(folder_.path()));
}

}  // namespace
}  // namespace kernbench
