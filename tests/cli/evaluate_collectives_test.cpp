// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench evaluate collectives` as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using ::testing::HasSubstr;

class EvaluateCollectives : public ::testing::Test {
 protected:
  [[nodiscard]] cli_test::Finished run(const std::string& system) const {
    (void)folder_.write("topology.yaml", system);
    std::filesystem::create_directories(folder_.path() / "scratch");
    return cli_test::kernbench({"evaluate", "collectives", "--quick", "--topology", "topology.yaml",
                                "--json", "points.json", "--plot", "plot.svg"},
                               folder_.path(), folder_.path() / "scratch");
  }
  common::TempFolder folder_;
};

TEST_F(EvaluateCollectives, EveryPointFollowsItsFormulaAndAutoIsNearTheBest) {
  const cli_test::Finished swept = run("system: {sips: {count: 2}}\n");
  EXPECT_EQ(swept.exit_code, 0) << swept.out << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("\nPASS  102 points: contracts checked, latencies compared with "
                                   "formulas and bounds; 0 wrong\n"));
  const nlohmann::json report =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "points.json"));
  EXPECT_EQ(report["kind"], "collectives-evaluation");
  EXPECT_EQ(report["data"]["points"].size(), 102U);
  for (const nlohmann::json& point : report["data"]["points"]) {
    EXPECT_EQ(point["wrong"], 0);
    EXPECT_GE(point["latency_ps"].get<std::int64_t>(), point["bound_ps"].get<std::int64_t>());
  }
  EXPECT_THAT(common::read_text_file(folder_.path() / "plot.svg"), HasSubstr("</svg>"));
}

// With one slot, a further message waits for the credit of the one before.
TEST_F(EvaluateCollectives, APointOffItsFormulaEndsWith1) {
  const cli_test::Finished swept = run("pe: {pe_ipcq: {attrs: {slots: 1}}}\n");
  EXPECT_EQ(swept.exit_code, 1) << swept.err;
  EXPECT_THAT(swept.out, HasSubstr("OFF ITS FORMULA"));
  EXPECT_THAT(swept.out, HasSubstr("\nFAIL  102 points"));
}

}  // namespace
}  // namespace kernbench
