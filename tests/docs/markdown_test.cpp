// SPDX-License-Identifier: Apache-2.0
// Links and commands in the documentation work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text_file.hpp"
#include "markdown_check.hpp"
#include "tests/places.hpp"

namespace kernbench::docs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<SourceFile> pages() {
  return repository_files({".", "docs", "rtl", "tb", "tests", "benchmarks", "configs"}, {".md"});
}

TEST(Markdown, EveryRelativeLinkLeadsSomewhere) {
  EXPECT_THAT(pages(), SizeIs(testing::Ge(5U)));
  EXPECT_THAT(broken_links(pages()), IsEmpty());
}

TEST(Markdown, EveryMakeCommandIsATarget) {
  const auto targets = make_targets(common::read_text_file(places::source("/Makefile")));
  EXPECT_THAT(unknown_targets(pages(), targets), IsEmpty());
}

TEST(MarkdownCheck, NoticesALinkToAFileOrAHeadingThatDoesNotExist) {
  EXPECT_THAT(broken_links({{"docs/a.md", "[x](nowhere.md) [y](../README.md) [z](https://a.b/c)"}}),
              ElementsAre("docs/a.md: there is no nowhere.md"));
  EXPECT_THAT(
      broken_links({{"docs/a.md", "# Some heading: here\n[x](#some-heading-here) [y](#other)"}}),
      ElementsAre("docs/a.md: there is no #other"));
}

TEST(MarkdownCheck, NoticesATargetThatDoesNotExist) {
  EXPECT_THAT(
      unknown_targets({{"a.md", "Run `make sin SEED=1` or\n\n    make sim  # all\n"}}, {"sim"}),
      ElementsAre("a.md: there is no make sin"));
  EXPECT_THAT(
      unknown_targets({{"a.md", "These make sense; so does `make -f Other.mk all`.\n"}}, {}),
      IsEmpty());
}

TEST(MarkdownCheck, ReadsTheTargetsOfAMakefile) {
  EXPECT_THAT(
      make_targets("A := b\nsim: build ## Run\n\tdo\nall-of:\n.PHONY: deps-a\ndeps-a: deps-%:\n"),
      ElementsAre("all-of", "deps-a", "sim"));
}

}  // namespace
}  // namespace kernbench::docs
