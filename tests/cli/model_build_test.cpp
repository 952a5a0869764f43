// SPDX-License-Identifier: Apache-2.0
// The model that runs is the RTL that is there, and its build touches nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

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

/// Somebody else's RTL, whose header can cross two wires.
class ModelBuild : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::copy(places::source("/tests/other_rtl"), at("rtl"), fs::copy_options::recursive);
    fs::create_directories(at("out"));
  }
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }
  [[nodiscard]] Finished run(std::vector<std::string> words) const {
    return cli_test::kernbench(std::move(words), folder_.path(), at("out"));
  }
  /// Checks the structure, which takes a twentieth of a model and is kept in the same way.
  [[nodiscard]] Finished check(const std::string& rtl = "rtl",
                               std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"structure",     "--fabric", "3x2",   "--filelist",
                                      rtl + "/topo.f", "--models", "models"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  void replace(const std::string& file, const std::string& old_text, const std::string& text) {
    std::string content = common::read_text_file(at(file));
    const auto found = content.find(old_text);
    ASSERT_NE(found, std::string::npos) << file << " changed: adapt this test";
    std::ofstream(at(file)) << content.replace(found, old_text.size(), text);
  }
  /// Includes the header by another name, and expects that an edit of it is noticed.
  void expect_noticed(const std::string& header, const std::string& included) {
    fs::create_directories(at(header).parent_path());
    fs::rename(at("rtl/include/packet.svh"), at(header));
    replace("rtl/topo.sv", "\"packet.svh\"", "\"" + included + "\"");
    const Finished good = check();
    EXPECT_EQ(good.exit_code, 0) << good.err;
    std::ofstream(at(header), std::ios::app) << "`define BUG_CROSSED_WIRES\n";
    const Finished bad = check();
    EXPECT_EQ(bad.exit_code, 1) << included;
    EXPECT_THAT(bad.err, HasSubstr("link node 1 x[1]: valid_o drives node 2 xi_vld[0], expected "
                                   "node 0 xi_vld[1]"));
  }

  common::TempFolder folder_;
};

TEST_F(ModelBuild, NoticesAnEditOfAHeaderInASubfolder) {
  expect_noticed("rtl/include/cfg/packet.svh", "cfg/packet.svh");
}
TEST_F(ModelBuild, NoticesAnEditOfAHeaderWithAnySuffix) {
  expect_noticed("rtl/include/packet.h", "packet.h");
}
TEST_F(ModelBuild, NoticesAnEditOfAHeaderBesideTheIncludeFolder) {
  expect_noticed("rtl/headers/packet.svh", "../headers/packet.svh");
}
TEST_F(ModelBuild, NoticesAnEditOfAHeaderWithAnAbsolutePath) {
  expect_noticed("far/packet.svh", at("far/packet.svh").string());
}

TEST_F(ModelBuild, NoticesAHeaderThatIsFoundEarlier) {
  fs::create_directories(at("rtl/first"));
  replace("rtl/topo.f", "+incdir+include", "+incdir+first\n+incdir+include");
  EXPECT_EQ(check().exit_code, 0);
  std::ofstream(at("rtl/first/packet.svh"))
      << common::read_text_file(at("rtl/include/packet.svh")) << "`define BUG_CROSSED_WIRES\n";
  EXPECT_EQ(check().exit_code, 1);
  fs::remove(at("rtl/first/packet.svh"));
  EXPECT_EQ(check().exit_code, 0);
}

TEST_F(ModelBuild, NoticesADeletedHeader) {
  EXPECT_EQ(check().exit_code, 0);
  fs::remove(at("rtl/include/packet.svh"));
  const Finished finished = check();
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("  %Error: " + at("rtl/topo.sv").string() + ":4:10: "));
}

TEST_F(ModelBuild, NoticesAChangedMacro) {
  EXPECT_EQ(check().exit_code, 0);
  EXPECT_EQ(check("rtl", {"-D", "BUG_CROSSED_WIRES"}).exit_code, 1);
  EXPECT_EQ(check().exit_code, 0);
}

TEST_F(ModelBuild, NoticesAnEditOfALibraryModule) {
  // delay.v: whatever the suffix of a -y folder is.
  fs::create_directories(at("rtl/library"));
  fs::rename(at("rtl/topo.sv"), at("rtl/library/TOPO.rtl"));
  replace("rtl/topo.f", "topo.sv", "-y library\n+libext+.rtl");
  EXPECT_EQ(check().exit_code, 0);
  replace("rtl/library/TOPO.rtl", "`include \"packet.svh\"",
          "`include \"packet.svh\"\n`define BUG_CROSSED_WIRES");
  EXPECT_EQ(check().exit_code, 1);
}

TEST_F(ModelBuild, OfEqualSourcesElsewhereIsTakenOver) {
  const auto simulate = [&](const std::string& rtl) {
    return run({"sim", "--fabric", "2x2", "--suite", "connectivity", "--filelist", rtl + "/topo.f",
                "--models", "models", "--waves", "off"});
  };
  const auto count = [&](const char* file) {
    const auto files = cli_test::files_under(at("models"));
    return std::count_if(files.begin(), files.end(),
                         [&](const std::string& path) { return path.ends_with(file); });
  };
  ASSERT_EQ(simulate("rtl").exit_code, 0);
  fs::copy(at("rtl"), at("copy"), fs::copy_options::recursive);
  EXPECT_EQ(simulate("copy").exit_code, 0);
  EXPECT_EQ(count("libmaze_model.so"), 2);
  EXPECT_EQ(count("build.log"), 1);  // only the first was built
  fs::copy(at("rtl"), at("changed"), fs::copy_options::recursive);
  std::ofstream(at("changed/topo.sv"), std::ios::app) << "// changed\n";
  EXPECT_EQ(simulate("changed").exit_code, 0);
  EXPECT_EQ(count("build.log"), 2);
}

/// Returns the content of all files below a folder but those below `except`.
std::map<std::string, std::string> contents(const fs::path& folder, const std::string& except) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (name.starts_with(except) || name.starts_with("out")) continue;
    files[name] = entry.is_regular_file() ? common::read_text_file(entry.path()) : "folder";
  }
  return files;
}

// Every character that a shell, make, Verilator or an XML file treats in a way of its own.
constexpr const char* kOddName = "my mo'd\"els$(touch hacked)`touch hacked`;#%:&*!(x)\t\n\xe4\xff";

TEST_F(ModelBuild, WorksInAFolderOfAnyNameAndTouchesNothingElse) {
  fs::create_directories(at("my"));
  std::ofstream(at("my/precious")) << "x";
  fs::rename(at("rtl"), at(std::string("rtl ") + kOddName));
  const auto before = contents(folder_.path(), kOddName);
  const Finished finished = run({"sim", "--fabric", "2x2", "--suite", "connectivity", "--filelist",
                                 std::string("rtl ") + kOddName + "/topo.f", "--models", kOddName,
                                 "--waves", "off", "--report", std::string(kOddName) + "/report"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(contents(folder_.path(), kOddName), before);
  // The private folder of the build is gone.
  for (const auto& entry : fs::recursive_directory_iterator(at(kOddName))) {
    EXPECT_THAT(entry.path().filename().string(), ::testing::Not(StartsWith("build.tmp-")));
  }
}

TEST_F(ModelBuild, ThatFailsLeavesTheFormerModelAndSaysWhyInTheUsersNames) {
  const std::vector<std::string> build = {"model",           "NX=2",     "NY=2", "CHECKERS=0",
                                          "RTL_DIR=rtl dir", "--output", "built"};
  fs::copy(places::source("/rtl"), at("rtl dir"));
  ASSERT_EQ(run(build).exit_code, 0);
  const auto before = contents(at("built"), "build.log");
  const std::string topo = common::read_text_file(at("rtl dir/topo.sv"));
  std::ofstream(at("rtl dir/topo.sv"), std::ios::app) << "module broken(\n";
  const Finished finished = run(build);
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, StartsWith("error: cannot build the model in built (" +
                                       at("built/build.log").string() +
                                       "):\n  %Error: " + at("rtl dir/topo.sv").string() + ":"));
  EXPECT_THAT(finished.err, ::testing::Not(HasSubstr("***")));
  EXPECT_EQ(contents(at("built"), "build.log"), before);
  // The former model is that of the former sources.
  std::ofstream(at("rtl dir/topo.sv")) << topo;
  const auto time = fs::last_write_time(at("built/libmaze_model.so"));
  EXPECT_EQ(run(build).exit_code, 0);
  EXPECT_EQ(fs::last_write_time(at("built/libmaze_model.so")), time);
}

TEST_F(ModelBuild, CleansUpAfterAKilledBuild) {
  // The second time the design is complete, as if the build was killed after its last move.
  for (const char* left : {"built/build.tmp-1-0", "built/build.tmp-1-1"}) {
    fs::create_directories(at(left) / "gen");
    ASSERT_EQ(run({"model", "--design", "NX=2", "NY=2", "--output", "built"}).exit_code, 0);
    EXPECT_FALSE(fs::exists(at(left)));
  }
}

TEST_F(ModelBuild, WithoutVerilatorNamesIt) {
  const Finished finished =
      run({"model", "NX=2", "NY=2", "VERILATOR=no-such-verilator", "--output", "built"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "error: cannot build the model in built: cannot run 'no-such-verilator': cannot start "
            "it: No such file or directory; a model needs Verilator, make and a C++ compiler\n");
}

}  // namespace
}  // namespace kernbench
