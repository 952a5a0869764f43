// SPDX-License-Identifier: Apache-2.0
#include "common/markup.hpp"

#include <gtest/gtest.h>

namespace kernbench::common {
namespace {

TEST(Markup, EscapesWhatHtmlAndXmlReserve) {
  EXPECT_EQ(escape_markup("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(escape_markup("caf\xC3\xA9\n"), "caf\xC3\xA9&#10;");
  EXPECT_EQ(escape_markup(std::string_view("\0", 1)), "\xEF\xBF\xBD");
}

TEST(Markup, LeavesLineBreaksAndTabsOfContentAlone) {
  EXPECT_EQ(escape_content("a\n\tb\r<\x01\xff"), "a\n\tb&#13;&lt;\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Markup, ReplacesWhatIsNoUtf8AndWhatXmlCannotHold) {
  EXPECT_EQ(escape_markup("a\xff<\xc3"), "a\xEF\xBF\xBD&lt;\xEF\xBF\xBD");
  EXPECT_EQ(escape_markup("\x1b[31m\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD"),
            "\xEF\xBF\xBD[31m\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace kernbench::common
