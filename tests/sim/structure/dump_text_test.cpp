// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/dump_text.hpp"

#include <gtest/gtest.h>

namespace kernbench::sim::structure {
namespace {

TEST(DumpText, CharactersThatAreNotAllowedBecomeQuestionMarks) {
  EXPECT_EQ(allowed_text("a\x1b[31m\x07 b\x7f\n\t?"), "a?[31m? b\x7f\n\t?");
  EXPECT_EQ(allowed_text("&#27;x&#0;&#65534;&#xd;&#10;&#65;&amp;&#;&#x1b"),
            "?x??&#xd;&#10;&#65;&amp;&#;&#x1b");
  EXPECT_EQ(allowed_text("t\xe9/topo.sv \xc3\xa9 \xef\xbf\xbe\xef\xbf\xbf"),
            "t?/topo.sv \xc3\xa9 ??");
  EXPECT_EQ(allowed_text(""), "");
}

}  // namespace
}  // namespace kernbench::sim::structure
