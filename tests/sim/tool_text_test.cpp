// SPDX-License-Identifier: Apache-2.0
#include "sim/build/tool_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ToolText, QuotesArgumentsForAFile) {
  EXPECT_EQ(argument_file({"-DA=\"b c\"", "x\\y"}), "\"-DA=\\\"b c\\\"\"\n\"x\\\\y\"\n");
}

TEST(ToolText, ErrorsAreThoseOfTheToolsBeforeThoseOfMake) {
  EXPECT_EQ(errors_in("g++ ...\na.cpp:1:2: error: no such thing\nmake: *** [x] Error 1\n"),
            "\n  a.cpp:1:2: error: no such thing");
  EXPECT_EQ(errors_in("as: /tmp/x.s: No space left on device\nmake: *** [x] Error 1\n"),
            "\n  as: /tmp/x.s: No space left on device");
  EXPECT_EQ(errors_in("make: *** [x] Error 1\n"), "\n  make: *** [x] Error 1");
  EXPECT_EQ(errors_in(""), "");
}

TEST(ToolText, MissingModulesAreNamedOnce) {
  EXPECT_EQ(missing_in("%Error: topo.sv:3:9: Cannot find file containing module: 'IRS_N'\n"
                       "%Error: topo.sv:4:9: Cannot find file containing module: 'IRS_N'\n"
                       "%Error: topo.sv:5:9: Cannot find file containing interface: 'pkt'\n"),
            "module 'IRS_N' (used at topo.sv:3:9), no interface 'pkt' (used at topo.sv:5:9)");
  EXPECT_EQ(missing_in("%Error: topo.sv:3:9: syntax error\n"), "");
}

TEST(ToolText, HeadersAreThoseOfNamedFolders) {
  EXPECT_THAT(
      headers_in("a.o: ../kb_root/sim/a.cpp ../kb_root/maze/b.hpp \\\n ../kb_dpi/0/c\\ d$$.h "
                 "/usr/include/stdio.h Vtop.h\n"),
      ElementsAre("kb_root/sim/a.cpp", "kb_root/maze/b.hpp", "kb_dpi/0/c d$.h"));
  EXPECT_THAT(headers_in(""), IsEmpty());
}

}  // namespace
}  // namespace kernbench::sim
