// SPDX-License-Identifier: Apache-2.0
#include "tests/common/temp_folder.hpp"

#include <gtest/gtest.h>

namespace kernbench::common {
namespace {

TEST(TempFolder, OfTheSameTestAreTwoAndEndByThemselves) {
  const TempFolder first;
  {
    const TempFolder second;
    EXPECT_NE(first.path(), second.path());
    (void)second.write("a.txt", "a");
    EXPECT_EQ(first.files(), 0U);
    (void)first.write("b.txt", "b");
  }
  EXPECT_EQ(first.files(), 1U);
}

class TempFolderOf : public ::testing::TestWithParam<int> {};

TEST_P(TempFolderOf, TestsWithParametersLeaveNoFolderAroundThem) {
  const TempFolder folder;
  EXPECT_EQ(folder.path().parent_path(), std::filesystem::path(testing::TempDir()).parent_path());
}

INSTANTIATE_TEST_SUITE_P(All, TempFolderOf, ::testing::Values(1));

}  // namespace
}  // namespace kernbench::common
