// SPDX-License-Identifier: Apache-2.0
#include "farm/target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::farm {
namespace {

using Json = nlohmann::json;

const Json kReport = {
    {"outcome", "pass"},
    {"data", {{"end_ps", 7}, {"a.b", true}, {"rows", {{{"x", 1.5}}, {{"x", 2}}}}}}};

TEST(Target, FindsFieldsByDottedPathAndByPointer) {
  EXPECT_EQ(field_of(kReport, "outcome"), "pass");
  EXPECT_EQ(field_of(kReport, "data.end_ps"), 7);
  EXPECT_EQ(field_of(kReport, "data.rows[1].x"), 2);
  EXPECT_EQ(field_of(kReport, "/data/rows/0/x"), 1.5);
  EXPECT_EQ(field_of(kReport, "/data/a.b"), true);
}

TEST(Target, HasNoValueForAMissingFieldAListOrAnObject) {
  for (const char* const path :
       {"data", "data.rows", "data.rows[2].x", "data.rows[x]", "data.rows[", "data.end_ps.x",
        "data.end", "", "/data/rows/-", "/data/rows/01", "/data/~", "data.a.b"}) {
    EXPECT_EQ(field_of(kReport, path), Json()) << path;
  }
}

TEST(Target, ListsTheFieldsThatHaveOneValue) {
  EXPECT_THAT(fields_of(kReport), testing::ElementsAre("data.a.b", "data.end_ps", "data.rows[0].x",
                                                       "data.rows[1].x", "outcome"));
}

}  // namespace
}  // namespace kernbench::farm
