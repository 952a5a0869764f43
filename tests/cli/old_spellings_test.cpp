// SPDX-License-Identifier: Apache-2.0
#include "cli/line/old_spellings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(OldSpellings, ABenchIsAnArgumentNow) {
  const Respelled run = with_new_spellings({"--plugin", "p.so", "run", "--bench", "gemm", "-q"});
  EXPECT_THAT(run.words, ElementsAre("--plugin", "p.so", "run", "gemm", "-q"));
  EXPECT_THAT(run.notes, ElementsAre("'run --bench gemm' is 'run gemm' now; the old spelling works "
                                     "until 0.4"));
  const Respelled record = with_new_spellings({"kernel", "record", "--bench=softmax"});
  EXPECT_THAT(record.words, ElementsAre("kernel", "record", "softmax"));
  EXPECT_THAT(record.notes,
              ElementsAre("'kernel record --bench softmax' is 'kernel record softmax' "
                          "now; the old spelling works until 0.4"));
}

TEST(OldSpellings, WhatIsNewIsLeftAlone) {
  for (const Words& words : {Words{"run", "gemm", "--set", "m=8"}, Words{"run", "--bench"},
                             Words{"probe", "--bench", "x"}, Words{"--bench", "run"}, Words{}}) {
    const Respelled out = with_new_spellings(words);
    EXPECT_EQ(out.words, words);
    EXPECT_THAT(out.notes, IsEmpty());
  }
}

TEST(OldSpellings, RunWithANoteAndTheReportHasTheNewOne) {
  const common::TempFolder folder;
  const cli_test::Finished old =
      cli_test::kernbench({"run", "--bench", "vector-add", "--set", "rows=64", "--json", "r.json"},
                          folder.path(), folder.path());
  EXPECT_EQ(old.exit_code, 0);
  EXPECT_EQ(
      old.err,
      "warning: 'run --bench vector-add' is 'run vector-add' now; the old spelling works until "
      "0.4\n");
  const std::string report = common::read_text_file(folder.path() / "r.json");
  EXPECT_THAT(report,
              ::testing::HasSubstr("\"kernbench run vector-add --set rows=64 --json r.json\""));
}

}  // namespace
}  // namespace kernbench::cli
