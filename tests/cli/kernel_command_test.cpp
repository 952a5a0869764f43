// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench kernel record` and `kernbench run --data live` as processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class KernelCommand : public ::testing::Test {
 protected:
  [[nodiscard]] Finished kernbench(const std::vector<std::string>& words) const {
    std::filesystem::create_directories(folder_.path() / "scratch");
    return cli_test::kernbench(words, folder_.path(), folder_.path() / "scratch");
  }
  common::TempFolder folder_;
};

// `kernbench run` uses 8 of the 128 PEs for so few numbers.
TEST_F(KernelCommand, ListsTheOperationsOfOneProgram) {
  const Finished finished = kernbench({"kernel", "record", "vector-add", "--set", "rows=256",
                                       "--set", "columns=8", "--json", "record.json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out,
              StartsWith("kernel 'vector-add' on sip0, cube 0, PE 0: 4 operations\n"
                         "    0  load        dma_read 32 x 8 of f32 -> 32 x 8 of f32"));
  EXPECT_THAT(finished.out, HasSubstr("\n       after 0,1\n"));
  const nlohmann::json data =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "record.json"))["data"];
  const nlohmann::json& operations = data["launches"][0]["operations"];
  ASSERT_EQ(operations.size(), 4U);
  EXPECT_EQ(operations[2]["name"], "add");
  EXPECT_EQ(operations[2]["dependencies"], nlohmann::json({0, 1}));
  EXPECT_EQ(operations[3]["effect"], "dma_write 32 x 8 of f32 -> 32 x 8 of f32");
}

TEST_F(KernelCommand, RefusesAProgramThatNoLaunchHas) {
  const Finished finished =
      kernbench({"kernel", "record", "softmax", "--cube", "16", "--json", "record.json"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err, "error: bench 'softmax': no kernel has a program at cube 16, PE 0\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "record.json"));
}

TEST_F(KernelCommand, LiveDataVerifyTheSameNumbersAtTheSameTime) {
  std::string outputs[2];
  for (const char* const data : {"after", "live"}) {
    const Finished finished =
        kernbench({"run", "softmax", "--set", "rows=64", "--verify", "--data", data});
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    outputs[data == std::string_view("live") ? 1 : 0] = finished.out;
  }
  EXPECT_THAT(outputs[0], HasSubstr("\nPASS  y: 32,768 elements, 0 wrong, "));
  EXPECT_EQ(outputs[0], outputs[1]);
}

}  // namespace
}  // namespace kernbench
