// SPDX-License-Identifier: Apache-2.0
#include "sim/build/assertion_count.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(AssertionCount, CountsWordsOutsideStrings) {
  EXPECT_EQ(
      count_assertions("a: assert property (x); assume (y);\nunique case (z) priority if (q)\n"
                       "$display(\"assert \\\" unique\"); my_assert(assert_it);"),
      (AssertionCount{2, 2}));
  EXPECT_EQ(count_assertions(""), AssertionCount{});
}

TEST(RunTimeReaders, AreNamedWithTheirFileAndLine) {
  EXPECT_THAT(run_time_readers("`line 1 \"kb_src/0/a b.sv\" 1\nmodule m;\n"
                               "  initial $readmemh(\"x.hex\", memory);\n"
                               "`line 7 \"kb_inc/0/b.svh\" 1\n  f = $fopen(\"y\"); // \n"
                               "$display(\"$readmemb\");\n"),
              ElementsAre("kb_src/0/a b.sv:2: $readmemh", "kb_inc/0/b.svh:7: $fopen"));
  EXPECT_THAT(run_time_readers("module m; endmodule"), IsEmpty());
}

}  // namespace
}  // namespace kernbench::sim
