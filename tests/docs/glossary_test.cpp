// SPDX-License-Identifier: Apache-2.0
// Every page links the terms of docs/glossary.md where it uses them first.
#include "glossary_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/text_file.hpp"
#include "tests/places.hpp"

namespace kernbench::docs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// Terms that are everyday words too; pages link them where they mean the term.
const std::set<std::string> kEverydayWords = {
    "link", "case",        "fault",        "bin",       "bench",         "kernel",
    "tile", "probe",       "replay",       "fabric",    "transfer",      "hop",
    "rank", "seam",        "cube",         "zoo",       "collective",    "suite",
    "skid", "calibration", "cosimulation", "zero-load", "base topology", "back-pressure"};

TEST(Glossary, IsLinkedAtTheFirstUseOfEveryTerm) {
  std::vector<std::string> terms =
      glossary_terms(common::read_text_file(places::source("/docs/glossary.md")));
  EXPECT_THAT(terms, SizeIs(testing::Ge(50U)));
  std::erase_if(terms, [](const std::string& term) { return kEverydayWords.count(term) != 0; });
  std::vector<SourceFile> pages = repository_files({"docs"}, {".md"});
  std::erase_if(pages, [](const SourceFile& page) { return page.path == "docs/glossary.md"; });
  pages.push_back({"README.md", common::read_text_file(places::source("/README.md"))});
  EXPECT_EQ(fmt::format("{}", fmt::join(unlinked_terms(pages, terms), "\n")), "");
}

TEST(GlossaryCheck, ReadsTheTerms) {
  EXPECT_THAT(glossary_terms("# Glossary\n\n## Part\n\n### HBM slice\n\nText.\n\n### PE\n"),
              ElementsAre("HBM slice", "PE"));
}

TEST(GlossaryCheck, NoticesAFirstUseThatIsNotLinked) {
  EXPECT_THAT(unlinked_terms({{"docs/a.md",
                               "# PEs\n\n`PEs` of UCIe-PEs.\n\n    PE\n\nAll PEs, `PE` and "
                               "[PE](glossary.md#pe).\n"}},
                             {"PE", "SIP"}),
              ElementsAre("docs/a.md:7: link the first 'PE' to the glossary"));
  EXPECT_THAT(unlinked_terms({{"docs/a.md", "A `TOPO`.\n"}}, {"TOPO"}),
              ElementsAre("docs/a.md:1: link the first 'TOPO' to the glossary"));
}

TEST(GlossaryCheck, AcceptsAnyLinkAroundTheFirstUse) {
  EXPECT_THAT(unlinked_terms({{"docs/a.md",
                               "All [PEs](glossary.md#pe) and [the SIP's part](b.md), a PE.\n"
                               "[`TOPO`](glossary.md#topo)\n"}},
                             {"PE", "SIP", "TOPO"}),
              IsEmpty());
}

}  // namespace
}  // namespace kernbench::docs
