// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench run` with --reuse and --fidelity message as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class RunReuse : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"run", "transformer", "--set", "layers=3", "--set", "prompt=8", "--set",
                 "decode=1", "--set", "topology.system.sips.count=1", "--set",
                 "topology.sip.cube_mesh.w=2", "--set", "topology.sip.cube_mesh.h=1"});
    return cli_test::kernbench(more, folder_.path(), folder_.path());
  }
  [[nodiscard]] nlohmann::json data(const char* name) const {
    return nlohmann::json::parse(common::read_text_file(folder_.path() / name))["data"];
  }
  common::TempFolder folder_;
};

TEST_F(RunReuse, PrintsAndReportsWhatWasRepeatedAndTheError) {
  const Finished reused = run({"--reuse", "--json", "reused.json"});
  EXPECT_EQ(reused.exit_code, 0) << reused.err;
  EXPECT_THAT(reused.out,
              ContainsRegex("4 works simulated, 2 repeated; times are at most 0\\.[0-9]{4} % "
                            "from those of 2 drawn and simulated in full\n  layer of 2 x "));
  EXPECT_THAT(reused.out, HasSubstr("\n  and "));
  EXPECT_EQ(run({"--json", "full.json"}).exit_code, 0);
  const nlohmann::json full = data("full.json");
  const nlohmann::json report = data("reused.json");
  EXPECT_FALSE(full.contains("reuse"));
  EXPECT_EQ(report["reuse"]["simulated"], 4);
  EXPECT_EQ(report["reuse"]["repeated"], 2);
  EXPECT_EQ(report["reuse"]["samples"].size(), 2U);
  EXPECT_EQ(report["launches"].size(), full["launches"].size());
  for (std::size_t i = 0; i < full["launches"].size(); ++i) {
    EXPECT_EQ(report["launches"][i]["kernel"], full["launches"][i]["kernel"]);
    EXPECT_EQ(report["launches"][i]["read_bytes"], full["launches"][i]["read_bytes"]);
    EXPECT_EQ(report["launches"][i]["macs"], full["launches"][i]["macs"]);
  }
  EXPECT_LT(report["flit_hops"], full["flit_hops"]);
}

TEST_F(RunReuse, SaysWhenNothingWasDrawn) {
  const Finished whole = cli_test::kernbench({"run", "softmax", "--fidelity", "message"},
                                             folder_.path(), folder_.path());
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr(" us in all (within 1.0 %), "));
  EXPECT_THAT(whole.out, HasSubstr(" flit-hops\nwithin 1.0 %: messages move as wholes\n"
                                   "the bench repeats no work, so that none was drawn to be "
                                   "simulated in full\n"));
}

TEST_F(RunReuse, ExcludesWhatNeedsAllOperations) {
  const Finished both = run({"--reuse", "--verify"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("--verify and --reuse cannot be combined\n"));
  const Finished traced = run({"--fidelity", "message", "--trace", "trace.json"});
  EXPECT_EQ(traced.exit_code, 2);
  EXPECT_EQ(traced.err,
            "error: --fidelity message moves messages without the flits that --explain, --html and "
            "--trace follow\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "trace.json"));
}

TEST_F(RunReuse, PrintsAndReportsTheSpreadOfItsTimes) {
  const Finished spread = run({"--spread", "3", "--seed", "7", "--json", "spread.json"});
  EXPECT_EQ(spread.exit_code, 0) << spread.err;
  EXPECT_THAT(
      spread.out,
      ContainsRegex("\nspread over 3 runs whose programs start up to [0-9.]+ us later, each "
                    "by its own draw \\(seed 7\\)\nprefill +median [0-9.]+ us, [0-9.]+ to "
                    "[0-9.]+ us: differences below [0-9.]+ % mean nothing\ndecode 1 "));
  const nlohmann::json json = data("spread.json")["spread"];
  EXPECT_EQ(json["runs"], 3);
  EXPECT_EQ(json["seed"], 7);
  ASSERT_EQ(json["times"].size(), 2U);
  EXPECT_EQ(json["times"][0]["undisturbed_ps"], data("spread.json")["regions"][0]["time_ps"]);
  const Finished none = run({"--spread", "0"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--spread"));
}

}  // namespace
}  // namespace kernbench
