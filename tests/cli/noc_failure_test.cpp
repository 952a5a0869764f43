// SPDX-License-Identifier: Apache-2.0
// A failure of a network of any topology from its message on: its page, kernbench shrink and
// kernbench bisect. The reference, broken by a plusarg, stands in for the RTL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::cli_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class NocFailure : public ::testing::Test {
 protected:
  void SetUp() override {
    (void)folder_.write("line.yaml",
                        "name: line\ndut: noc\n"
                        "network: {topology: BidirectionalLine(3), slots: 4}\nsuites:\n"
                        "  - {name: busy, load: 0.5, cycles: 500}\n");
  }
  [[nodiscard]] Finished run(std::vector<std::string> words) const {
    return kernbench(words, folder_.path(), scratch_.path());
  }
  /// Runs the regression on the reference that `plusarg` breaks.
  [[nodiscard]] Finished sim(const std::string& plusarg, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"sim",       "line.yaml", "--model",  places::kReferenceNoc,
                                      "--plusarg", plusarg,     "--report", "out"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  [[nodiscard]] std::string text(const std::string& file) const {
    return common::read_text_file((folder_.path() / file).string());
  }
  [[nodiscard]] bool exists(const std::string& file) const {
    return fs::exists(folder_.path() / file);
  }

  const std::string failure_ = "out/failures/busy-seed1/";
  common::TempFolder folder_;
  common::TempFolder scratch_;
};

TEST_F(NocFailure, HasAPageWithWavesAndASuite) {
  const Finished finished = sim("third_head");
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("first wrong: BidirectionalLine(3) 1->2 flit in cycle "));
  EXPECT_THAT(finished.out, HasSubstr("shrunk to 3 packets, 0 stalls, 0 resets and "));
  EXPECT_THAT(finished.out, HasSubstr("page:      failures/busy-seed1/failure.html\n"));
  EXPECT_THAT(finished.out, HasSubstr("wave:      failures/busy-seed1/window.vcd\n"));
  const std::string page = text(failure_ + "failure.html");
  EXPECT_THAT(page, HasSubstr("<h1>BidirectionalLine(3), busy seed 1</h1>"));
  EXPECT_THAT(page, HasSubstr("class=\"way\""));
  EXPECT_THAT(text(failure_ + "window.vcd"), HasSubstr(" expected_1__2_flit [35:0] $end\n"));
  EXPECT_THAT(text(failure_ + "window.gtkw"), HasSubstr("failure.expected_1__2_flit[35:0]\n"));
  // These exist for links alone.
  EXPECT_FALSE(exists(failure_ + "bench.sv"));
  EXPECT_FALSE(exists(failure_ + "pins.json"));
  const auto data = nlohmann::json::parse(text(failure_ + "failure.json")).at("data");
  EXPECT_EQ(data.at("design"), "NOC");
  EXPECT_EQ(data.at("shrunk").at("packets"), 3);
  // The suite fails in the same way, and a sound network passes it.
  const Finished suite = run({"sim", failure_ + "suite.yaml", "--model", places::kReferenceNoc,
                              "--plusarg", "third_head", "--report", "suite", "--shrink", "0"});
  EXPECT_EQ(suite.exit_code, 1) << suite.err;
  EXPECT_THAT(suite.out, HasSubstr("1->2: vc 0, "));
  const Finished sound =
      run({"sim", failure_ + "suite.yaml", "--model", places::kReferenceNoc, "--report", "sound"});
  EXPECT_EQ(sound.exit_code, 0) << sound.err << sound.out;
  EXPECT_THAT(sound.out, HasSubstr("3 packets"));
}

TEST_F(NocFailure, IsShrunkFurtherByItsFile) {
  ASSERT_EQ(sim("third_head", {"--shrink", "300"}).exit_code, 1);
  const Finished finished = run({"shrink", failure_ + "failure.json"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("shrunk to 3 packets, 0 stalls, 0 resets and "));
  EXPECT_THAT(finished.err,
              HasSubstr("a network of any topology keeps its size, and has neither pins.json nor "
                        "bench.sv: suite.yaml is its shrunk case\n"));
  EXPECT_TRUE(exists("out/again/failures/busy-seed1/suite.yaml"));
}

TEST_F(NocFailure, IsNotShrunkIfItPassesOrIsOfAnotherModel) {
  ASSERT_EQ(sim("third_head").exit_code, 1);
  nlohmann::json report = nlohmann::json::parse(text(failure_ + "failure.json"));
  auto& words = report.at("data").at("words");
  for (auto& word : words) {
    if (word == "third_head") word = "nothing";
  }
  (void)folder_.write("passes.json", report.dump());
  const Finished passes = run({"shrink", "passes.json"});
  EXPECT_EQ(passes.exit_code, 0) << passes.err;
  EXPECT_THAT(passes.out, HasSubstr("passes.json does not fail: there is nothing to shrink\n"));
  report.at("data").at("model_hash") = "another";
  (void)folder_.write("other.json", report.dump());
  const Finished other = run({"shrink", "other.json"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("the failure is of the model another, and this is reference"));
}

TEST_F(NocFailure, IsBisectedOverSeedsAndCycles) {
  ASSERT_EQ(sim("third_head").exit_code, 1);
  const std::string file = failure_ + "failure.json";
  const Finished seeds = run({"bisect", "--over", "seed=1..3", "--failure", file});
  EXPECT_EQ(seeds.exit_code, 0) << seeds.err;
  EXPECT_THAT(seeds.out, HasSubstr("fails with 3 of 3 values: --seed 1, 2, 3\n"));
  const Finished cycles = run({"bisect", "--over", "cycles=1..500", "--failure", file});
  EXPECT_EQ(cycles.exit_code, 0) << cycles.err;
  EXPECT_THAT(cycles.out, testing::MatchesRegex("(.|\n)*fails from --cycles [0-9]+ on\n"));
}

TEST_F(NocFailure, OfLostFlitsShowsTheLinkThatIsSilent) {
  const Finished finished = sim("no_flit");
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("first wrong: BidirectionalLine(3) 1->2 valid in cycle "));
  EXPECT_THAT(finished.out, HasSubstr("shrunk to 1 packet, 0 stalls, 0 resets and 1 cycle\n"));
}

TEST_F(NocFailure, IsNotShrunkWithoutCycles) {
  const Finished finished = sim("third_head", {"--shrink", "0"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("not shrunk: it was not asked for"));
  EXPECT_FALSE(exists(failure_ + "suite.yaml"));
  EXPECT_THAT(text(failure_ + "failure.html"), Not(HasSubstr("The shrunk case")));
}

/// A soak of the same network.
class NocSoak : public NocFailure {
 protected:
  [[nodiscard]] Finished soak(std::vector<std::string> more) const {
    more.insert(more.begin(), {"sim", "line.yaml", "--model", places::kReferenceNoc, "--report",
                               "s", "--packets"});
    return run(more);
  }
  [[nodiscard]] nlohmann::json state() const {
    return nlohmann::json::parse(text("s/soak.json")).at("data");
  }
};

TEST_F(NocSoak, RunsSeedAfterSeedAndContinues) {
  const Finished first = soak({"400"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, testing::StartsWith("seed 1: pass, "));
  EXPECT_THAT(first.out, testing::ContainsRegex("each link: [0-9]+ to [0-9]+ flits\n"));
  const nlohmann::json before = state();
  EXPECT_EQ(before.at("topology"), "BidirectionalLine(3)");
  EXPECT_FALSE(before.contains("shape"));
  EXPECT_EQ(before.at("channels"), nlohmann::json({"0->1", "1->0", "1->2", "2->1"}));
  EXPECT_EQ(before.at("link_packets").size(), 4U);
  for (const std::uint64_t flits : before.at("link_packets")) EXPECT_GT(flits, 50U);
  EXPECT_TRUE(before.at("link_longest_stalls").empty());
  const std::string links = text("s/links.txt");
  EXPECT_EQ(std::count(links.begin(), links.end(), '\n'), 5);
  EXPECT_THAT(text("s/soak.html"), HasSubstr("Channels with the fewest flits"));
  const Finished refused = soak({"800"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("s/soak.json: a soak is there; --resume continues it"));
  const Finished more = soak({"800", "--resume"});
  EXPECT_EQ(more.exit_code, 0) << more.err;
  EXPECT_GE(state().at("packets"), 800U);
  EXPECT_GT(state().at("chunks"), before.at("chunks"));
  const Finished other = soak({"900", "--resume", "--noc", "Mesh2D(3,1)"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("a soak with another regression"));
}

TEST_F(NocSoak, NamesTheCommandOfACaseThatFails) {
  const Finished finished = soak({"100", "--plusarg", "third_head", "--fail-fast"});
  EXPECT_EQ(finished.exit_code, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("failed: busy seed 1: "));
  EXPECT_THAT(finished.out, HasSubstr(" --suite busy --seed 1 --seeds 1 "));
}

TEST_F(NocSoak, RefusesSuitesWithSeveralSeeds) {
  (void)folder_.write("line.yaml",
                      "name: line\ndut: noc\nnetwork: {topology: BidirectionalLine(3)}\nsuites:\n"
                      "  - {name: busy, seeds: 2}\n");
  const Finished finished = soak({"100"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("line.yaml: suite 'busy' has several seeds; each suite of a "
                                      "soak runs once with the seed of the chunk"));
  EXPECT_FALSE(exists("s"));
}

}  // namespace
}  // namespace kernbench::cli_test
