// SPDX-License-Identifier: Apache-2.0
#include "common/declared_outputs.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::common {
namespace {

class DeclaredOutputs : public ::testing::Test {
 protected:
  ~DeclaredOutputs() override { declare_outputs({}); }

  TempFolder folder_;
};

TEST_F(DeclaredOutputs, RefuseAnInputThatLeadsToThem) {
  const std::string output = folder_.write("report.json", "{}");
  const std::filesystem::path other = folder_.path() / "input.json";
  std::filesystem::create_hard_link(output, other);
  declare_outputs({{"--json", output}});
  EXPECT_EQ(
      bad_input_of([&] { require_not_output(other); }),
      "error: --json: '" + output + "' is also an input of this command, which it would overwrite");
}

/// The number of a deleted file is soon that of another one.
TEST_F(DeclaredOutputs, LetAFileBeReadThatHasTheNumberOfADeletedOutput) {
  const std::string output = folder_.write("report.json", "{}");
  const std::filesystem::path other = folder_.path() / "part";
  std::filesystem::create_hard_link(output, other);
  declare_outputs({{"--json", output}});
  std::filesystem::remove(output);
  EXPECT_NO_THROW(require_not_output(other));
  (void)folder_.write("report.json", "{}");
  EXPECT_NO_THROW(require_not_output(other));
}

}  // namespace
}  // namespace kernbench::common
