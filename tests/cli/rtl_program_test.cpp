// SPDX-License-Identifier: Apache-2.0
// The program that `make sim` builds. That it links shows that it needs no model of accelerators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Words = std::vector<std::string>;

class RtlProgram : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(Words words) const {
    words.insert(words.begin(), places::kRtlProgram);
    return cli_test::Process(words, folder_.path(), folder_.path()).wait();
  }
  void expect_missing(const Words& words, const std::string& what) const {
    const Finished finished = run(words);
    EXPECT_EQ(finished.exit_code, 2) << what;
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(finished.err, "error: '" + what + "' is not in this build: make build\n");
  }

  common::TempFolder folder_;
};

TEST_F(RtlProgram, VerifiesRtl) {
  const Finished finished = run({"sim", "--list"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("connectivity"));
}

TEST_F(RtlProgram, SaysWhichCommandsItDoesNotHave) {
  for (const std::string name : {"topology", "probe", "run", "list", "kernel", "serve", "evaluate",
                                 "traffic", "cosim", "sweep", "web", "schema"}) {
    expect_missing({name}, name);
    expect_missing({name, "--help"}, name);
    expect_missing({name, "word", "--option", "value"}, name);
  }
  EXPECT_THAT(run({"--help"}).out,
              HasSubstr("  run                         not in this build: make build\n"));
  EXPECT_THAT(run({"help", "run"}).out, StartsWith("not in this build: make build\n"));
}

TEST_F(RtlProgram, RefusesAPluginAndTheFailureOfACosimulation) {
  (void)folder_.write("plugin.so", "");
  expect_missing({"--plugin", "plugin.so", "sim", "--list"}, "--plugin");
  (void)folder_.write(
      "failure.json",
      R"({"schema": 1, "kind": "cosim-reproduction", "outcome": "mismatch", "config_hash": "0",)"
      R"( "revision": "x", "command": "kernbench cosim", "seed": 1, "data": {}})");
  expect_missing({"replay", "failure.json"}, "replay of a co-simulation");
}

}  // namespace
}  // namespace kernbench
