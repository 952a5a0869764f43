// SPDX-License-Identifier: Apache-2.0
// The title of the page of a failure, of a regression and of a replay.
#include "cli/rtl/sim_causes.hpp"

#include <gtest/gtest.h>

namespace kernbench::cli {
namespace {

TEST(SimCauses, NamesTheFailedNodeInTheTitle) {
  EXPECT_EQ(title_of("MAZE network 3x3", {3, 3, 8}, std::nullopt), "MAZE network 3x3");
  EXPECT_EQ(title_of("MAZE network 3x3", {3, 3, 8}, 7U), "MAZE network 3x3, node [2,1] failed");
}

}  // namespace
}  // namespace kernbench::cli
