// SPDX-License-Identifier: Apache-2.0
// The language rule of CONTRIBUTING.md: its banned words are found wherever people read them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wording_check.hpp"

namespace kernbench::docs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kStart = "begin a comment with a verb or with the thing it describes";
constexpr const char* kIsNo = "write 'is not a', or 'is not a valid'";

/// All sources and pages. Left out are files of deliberately bad input, and those of this check.
std::vector<SourceFile> everything() {
  std::vector<SourceFile> files = repository_files(
      {".",    ".ci",     "benchmarks", "cli",   "common",    "configs",  "cosim",
       "docs", "farm",    "maze",       "model", "packaging", "plot",     "python",
       "rtl",  "scripts", "sim",        "tb",    "tests",     "topology", "viewer"},
      {".cpp", ".hpp", ".sv", ".vlt", ".py", ".sh", ".js", ".css", ".html", ".md", ".yaml",
       ".cmake", "CMakeLists.txt", "Makefile", "Makefile.verilator", "run"});
  std::erase_if(files, [](const SourceFile& file) {
    return file.path.starts_with("tests/docs/wording_") ||
           (file.path.starts_with("tests/bad_input/") && file.path.ends_with(".yaml")) ||
           file.path.find("corpus") != std::string::npos ||
           file.path.ends_with("cube_mesh.yaml");  // written by the program
  });
  return files;
}

TEST(Wording, FollowsTheLanguageRuleInTheWholeRepository) {
  EXPECT_THAT(everything(), testing::SizeIs(testing::Ge(800U)));
  EXPECT_EQ(fmt::format("{}", fmt::join(check_wording(everything()), "\n")), "");
}

TEST(WordingCheck, NoticesEveryBannedStartOfAComment) {
  EXPECT_THAT(check_wording({{"a.hpp",
                              "/// Of all links.\nint a();\n/// What it does.\nint b();\n"
                              "/// Whether it can.\nint c();\n// Those that can.\nint d();\n"
                              "/* Which can. */\n"}}),
              ElementsAre(std::string("a.hpp:1: 'Of': ") + kStart,
                          std::string("a.hpp:3: 'What': ") + kStart,
                          std::string("a.hpp:5: 'Whether': ") + kStart,
                          std::string("a.hpp:7: 'Those': ") + kStart,
                          std::string("a.hpp:9: 'Which': ") + kStart));
  EXPECT_THAT(check_wording({{"a.hpp",
                              "int a = 0;  ///< of the sender\nint b = 0;  ///< which it is\n"
                              "int c = 0;  ///< index\n             ///< of the sender\n"}}),
              ElementsAre("a.hpp:1: 'of': begin a field comment with a noun",
                          "a.hpp:2: 'which': begin a field comment with a noun",
                          "a.hpp:4: 'of': begin a field comment with a noun"));
}

TEST(WordingCheck, LetsACommentContinueWithAnyWord) {
  EXPECT_THAT(check_wording({{"a.hpp",
                              "/// Returns a bit for each link. It tells\n"
                              "/// Which links moved.\nint f();\n"
                              "int a;  ///< number\nint b;  // the sum\n        // of all\n"}}),
              IsEmpty());
}

TEST(WordingCheck, NoticesEveryBannedPhrase) {
  EXPECT_THAT(check_wording({{"docs/a.md",
                              "Nobody asks.\n\nIt starts anew.\n\nThe others likewise.\n\n"
                              "It hears of flits.\n\nAll are through.\n\nIt goes on at line 3.\n\n"
                              "Two links, one of which stalls.\n\nA tray is no cube.\n"}}),
              ElementsAre("docs/a.md:1: 'Nobody': name who does not, or use the passive",
                          "docs/a.md:3: 'anew': write 'again' or 'new'",
                          "docs/a.md:5: 'likewise': write 'also', or repeat the fact",
                          "docs/a.md:7: 'hears of': write 'is notified of' or 'receives'",
                          "docs/a.md:9: 'are through': write 'has completed' or 'has passed'",
                          "docs/a.md:11: 'goes on at': write 'resumes at' or 'continues at'",
                          "docs/a.md:13: 'of which': write 'whose', or make two sentences",
                          std::string("docs/a.md:15: 'is no cube': ") + kIsNo));
}

TEST(WordingCheck, LetsComparisonsAndThereIsNoPass) {
  EXPECT_THAT(check_wording({{"docs/a.md",
                              "It is no longer used and is no slower. There is no suite of that "
                              "name, and the answer is no. It goes on. It hears everything.\n"}}),
              IsEmpty());
  EXPECT_THAT(check_wording({{"a.cpp", "f(\"there is no {}\", \"{} is no {}\");\n"}}),
              ElementsAre(std::string("a.cpp:1: 'is no {': ") + kIsNo));
}

TEST(WordingCheck, NoticesLettersOfAnotherScriptInAPage) {
  EXPECT_THAT(check_wording({{"docs/a.md", "5 µm – α ≤ ½ …\n\nzwei: два\n\n`문서`\n"},
                             {"a.cpp", "// 문서\n"}}),
              ElementsAre("docs/a.md:3: 'д': write English", "docs/a.md:3: 'в': write English",
                          "docs/a.md:3: 'а': write English", "docs/a.md:5: '문': write English",
                          "docs/a.md:5: '서': write English"));
}

TEST(WordingCheck, FindsPhrasesAcrossLinesAndAdjacentLiterals) {
  EXPECT_THAT(check_wording({{"a.cpp",
                              "// Two links, one of\n// which stalls.\n"
                              "f(\"one of \"\n  \"which stalls\");\n"}}),
              ElementsAre("a.cpp:1: 'of which': write 'whose', or make two sentences",
                          "a.cpp:3: 'of which': write 'whose', or make two sentences"));
  EXPECT_THAT(check_wording({{"a.cpp",
                              "// One of\nint a;\n// which\nf(\"one of\", \"which\");\n"
                              "// A sum of.\n//\n// which\n"},
                             {"docs/a.md", "one of\n\nwhich\n\none of. Which?\n"}}),
              IsEmpty());
}

TEST(WordingCheck, ReadsCommentsAndLiteralsButNoCode) {
  EXPECT_THAT(check_wording({{"a.cpp",
                              "int nobody = 1'000 + '\"';  // anew\n"
                              "auto a = R\"(\nlikewise \"anew\")\";\nint likewise;\n"
                              "auto b = \"say \\\"anew\\\"\\nlikewise\";\n"}}),
              ElementsAre("a.cpp:1: 'anew': write 'again' or 'new'",
                          "a.cpp:3: 'likewise': write 'also', or repeat the fact",
                          "a.cpp:3: 'anew': write 'again' or 'new'",
                          "a.cpp:5: 'anew': write 'again' or 'new'",
                          "a.cpp:5: 'likewise': write 'also', or repeat the fact"));
  EXPECT_THAT(check_wording({{"a.sv", "wire nobody = 4'hF; // anew\n/* one\n * anew */\n"}}),
              ElementsAre("a.sv:1: 'anew': write 'again' or 'new'",
                          "a.sv:3: 'anew': write 'again' or 'new'"));
  EXPECT_THAT(check_wording({{"a.js",
                              "const anew = /\"/g, b = 'likewise', c = `anew\n${x} anew`;\n"
                              "let d = a / b;  // anew / likewise\n"}}),
              ElementsAre("a.js:1: 'likewise': write 'also', or repeat the fact",
                          "a.js:1: 'anew': write 'again' or 'new'",
                          "a.js:2: 'anew': write 'again' or 'new'",
                          "a.js:3: 'anew': write 'again' or 'new'",
                          "a.js:3: 'likewise': write 'also', or repeat the fact"));
}

TEST(WordingCheck, ReadsScriptsCMakeAndYaml) {
  EXPECT_THAT(check_wording({{"a.py",
                              "\"\"\"Which\nanew\n\"\"\"\nanew = 'likewise'  # What for\n"
                              "url = \"a#anew\"\n"}}),
              ElementsAre(std::string("a.py:1: 'Which': ") + kStart,
                          "a.py:2: 'anew': write 'again' or 'new'",
                          "a.py:4: 'likewise': write 'also', or repeat the fact",
                          std::string("a.py:4: 'What': ") + kStart,
                          "a.py:5: 'anew': write 'again' or 'new'"));
  EXPECT_THAT(check_wording({{"a.sh", "echo \"anew\" $#\n# one of\n# which\necho it's # anew\n"}}),
              ElementsAre("a.sh:1: 'anew': write 'again' or 'new'",
                          "a.sh:2: 'of which': write 'whose', or make two sentences",
                          "a.sh:4: 'anew': write 'again' or 'new'"));
  EXPECT_THAT(check_wording({{"CMakeLists.txt", "set(anew \"x\")\n# Whether tests are built.\n"}}),
              ElementsAre(std::string("CMakeLists.txt:2: 'Whether': ") + kStart));
  EXPECT_THAT(check_wording({{"Makefile", "sim: ## Run anew\n"}}),
              ElementsAre("Makefile:1: 'anew': write 'again' or 'new'"));
  EXPECT_THAT(check_wording({{"a.yaml", "why: it is no\n  fault  # anew\nof: 1\nwhich: 2\n"}}),
              ElementsAre(std::string("a.yaml:1: 'is no fault': ") + kIsNo,
                          "a.yaml:2: 'anew': write 'again' or 'new'"));
}

TEST(WordingCheck, LetsAPageNameBannedWordsInCodeSpans) {
  EXPECT_THAT(check_wording({{"CONTRIBUTING.md", "Do not write `anew` or `of which`.\n"}}),
              IsEmpty());
  EXPECT_THAT(check_wording({{"docs/a.md", "```\nanew\n```\n"}}),
              ElementsAre("docs/a.md:2: 'anew': write 'again' or 'new'"));
}

}  // namespace
}  // namespace kernbench::docs
