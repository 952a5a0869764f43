// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/yaml_reader.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::common {
namespace {

using testing::HasSubstr;

/// Returns the errors of a document in which only the keys a and b are valid, with any values.
std::string refusal_of(const std::string& text) {
  return bad_input_of([&] {
    Diagnostics diagnostics;
    const auto document = YamlDocument::parse(text, "t.yaml", diagnostics);
    {
      YamlMap map(document.root());
      (void)map.node("a");
      (void)map.node("b");
    }
    diagnostics.throw_if_any();
  });
}

TEST(YamlDocument, RefusesAMissingFileAndAFolder) {
  const TempFolder folder;
  Diagnostics diagnostics;
  const auto missing = folder.path() / "none.yaml";
  EXPECT_EQ(bad_input_of([&] { (void)YamlDocument::load(missing, diagnostics); }),
            "error: cannot read '" + missing.string() + "': No such file or directory");
  EXPECT_EQ(bad_input_of([&] { (void)YamlDocument::load(folder.path(), diagnostics); }),
            "error: cannot read '" + folder.path().string() + "': it is a folder");
}

TEST(YamlDocument, LoadsAFileUnderItsPath) {
  const TempFolder folder;
  const auto path = folder.write("a.yaml", "a: 1\r\nb: 2\r\n");
  Diagnostics diagnostics;
  const auto document = YamlDocument::load(path, diagnostics);
  YamlMap map(document.root());
  EXPECT_EQ(map.u64("a"), 1U);
  EXPECT_EQ(map.u64("b"), 2U);
  EXPECT_EQ(map.position("b"), (SourcePosition{path.string(), 2, 4}));
  EXPECT_EQ(map.position("absent"), (SourcePosition{path.string(), 1, 1}));
}

TEST(YamlDocument, PointsAtASyntaxError) {
  EXPECT_EQ(refusal_of("a: 1\nb: [1, 2\n"),
            "t.yaml:2:1: error: end of sequence flow not found\n"
            "    2 | b: [1, 2\n"
            "      | ^\n"
            "  hint: a '[' is not closed, or a text in it that has '[' or ']' needs quotes");
  EXPECT_THAT(refusal_of("a: {k: 1\n"),
              HasSubstr("\n  hint: a '{' is not closed, or a text in it that has '[' or ']' "
                        "needs quotes"));
  EXPECT_EQ(refusal_of("a: b: 1\n"),
            "t.yaml:1:5: error: illegal map value\n"
            "    1 | a: b: 1\n"
            "      |     ^\n"
            "  hint: one ':' too many here, or a missing ':' in the line before");
  EXPECT_THAT(refusal_of("a:\n    b: 1\n  c: 2\n"),
              HasSubstr("hint: the line is not indented like its neighbours"));
  EXPECT_EQ(refusal_of("a: 1\nb: \"open\n\n"),
            "t.yaml:2:9: error: illegal EOF in scalar\n"
            "    2 | b: \"open\n"
            "      |         ^\n"
            "  hint: a quote is not closed");
  EXPECT_NE(refusal_of("a: \"x\" y\n").find("t.yaml:1:"), std::string::npos);
}

TEST(YamlDocument, PointsAtATabInTheIndentation) {
  EXPECT_EQ(refusal_of("a:\n \tb: 1\n"),
            "t.yaml:2:2: error: a tab in the indentation\n"
            "    2 |  \tb: 1\n"
            "      |  ^\n"
            "  hint: indent with spaces");
}

TEST(YamlDocument, RefusesAnEmptyDocument) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "~\n", "null\n"}) {
    EXPECT_EQ(refusal_of(text),
              "t.yaml: error: the document is empty\n  hint: write keys and values, 'key: value'")
        << text;
  }
}

TEST(YamlDocument, RefusesARootThatIsNoMap) {
  EXPECT_EQ(refusal_of("- 1\n"),
            "t.yaml:1:1: error: the document must be a map, not a list\n"
            "    1 | - 1\n"
            "      | ^\n"
            "  hint: write keys and values, 'key: value'");
  EXPECT_NE(refusal_of("a\n").find("error: the document must be a map, not 'a'\n"),
            std::string::npos);
}

TEST(YamlDocument, RefusesDuplicateKeysAtEveryDepth) {
  EXPECT_EQ(refusal_of("a: 1\n\"a\": 2\nb: {c: 1, c: 1}\n"),
            "t.yaml:2:1: error: duplicate key 'a'\n"
            "    2 | \"a\": 2\n"
            "      | ^\n"
            "  hint: first given in line 1\n"
            "t.yaml:3:11: error: duplicate key 'c'\n"
            "    3 | b: {c: 1, c: 1}\n"
            "      |           ^\n"
            "  hint: first given in line 3");
}

TEST(YamlDocument, RefusesAnchorsAndAliases) {
  EXPECT_EQ(refusal_of("a: &x 1\nb: *x\n"),
            "t.yaml:1:4: error: anchors and aliases are not supported\n"
            "    1 | a: &x 1\n"
            "      |    ^\n"
            "  hint: write the value out at each place\n"
            "t.yaml:2:4: error: anchors and aliases are not supported\n"
            "    2 | b: *x\n"
            "      |    ^\n"
            "  hint: write the value out at each place");
}

TEST(YamlDocument, RefusesASecondDocument) {
  EXPECT_EQ(refusal_of("a: 1\n---\nb: 2\n"),
            "t.yaml:2:1: error: a second document\n"
            "    2 | ---\n"
            "      | ^\n"
            "  hint: a file holds one document; remove '---' and everything after it");
}

TEST(YamlDocument, AcceptsTheMarkersOfASingleDocument) {
  Diagnostics diagnostics;
  const auto document = YamlDocument::parse("---\na: 1\n...\n", "t.yaml", diagnostics);
  YamlMap map(document.root());
  EXPECT_EQ(map.u64("a"), 1U);
  map.finish();
  EXPECT_NO_THROW(diagnostics.throw_if_any());
}

TEST(YamlDocument, RefusesTags) {
  EXPECT_EQ(refusal_of("a: !!int 1\n"),
            "t.yaml:1:4: error: tags are not supported: 'tag:yaml.org,2002:int'\n"
            "    1 | a: !!int 1\n"
            "      |    ^\n"
            "  hint: remove the tag");
}

TEST(YamlDocument, RefusesKeysThatAreNoText) {
  EXPECT_EQ(refusal_of("a: 1\n? [x]\n: 2\n~: 3\n"),
            "t.yaml:2:3: error: a key must be text\n"
            "    2 | ? [x]\n"
            "      |   ^\n"
            "  hint: write 'key: value'\n"
            "t.yaml:4:1: error: a key must be text\n"
            "    4 | ~: 3\n"
            "      | ^\n"
            "  hint: write 'key: value'");
}

TEST(YamlDocument, RefusesMergeKeys) {
  EXPECT_EQ(refusal_of("a: 1\n<<: {b: 2}\n"),
            "t.yaml:2:1: error: merge keys are not supported\n"
            "    2 | <<: {b: 2}\n"
            "      | ^\n"
            "  hint: write the value out at each place");
  EXPECT_THAT(refusal_of("\"<<\": 2\n"), HasSubstr("unknown key '<<'"));
}

TEST(YamlDocument, RefusesBinaryFiles) {
  EXPECT_EQ(refusal_of(std::string("a: 1\nb: \0\n", 10)),
            "t.yaml:2:4: error: not a text file: it contains zero bytes\n"
            "    2 | b: ?\n"
            "      |    ^");
}

TEST(YamlDocument, RefusesWhatIsNoUtf8) {
  EXPECT_EQ(refusal_of("a: 1\nb: gr\xfc\xdf\n"),
            "t.yaml:2:6: error: not UTF-8: byte \\xfc\n"
            "    2 | b: gr?\?\n"
            "      |      ^\n"
            "  hint: save the file as UTF-8 without a byte order mark");
  for (const char* text : {"\xff\xfe"
                           "a",
                           "\xfe\xff"
                           "a"}) {
    EXPECT_EQ(refusal_of(text),
              "t.yaml:1:1: error: the file is UTF-16\n"
              "  hint: save the file as UTF-8 without a byte order mark");
  }
}

TEST(YamlDocument, RefusesAByteOrderMarkAndReadsOn) {
  EXPECT_EQ(refusal_of("\xef\xbb\xbf"
                       "c: 1\n"),
            "t.yaml:1:1: error: a byte order mark\n"
            "    1 | c: 1\n"
            "      | ^\n"
            "  hint: save the file as UTF-8 without a byte order mark\n"
            "t.yaml:1:1: error: unknown key 'c'\n"
            "    1 | c: 1\n"
            "      | ^\n"
            "  hint: valid keys: a, b");
}

TEST(YamlDocument, RefusesControlCharacters) {
  EXPECT_EQ(refusal_of("a: \x1b[31m\n"),
            "t.yaml:1:4: error: a control character, \\x1b\n"
            "    1 | a: ?[31m\n"
            "      |    ^\n"
            "  hint: remove it");
  EXPECT_THAT(refusal_of("a: 1\rb: 2\r"), HasSubstr("a control character, \\r"));
  EXPECT_THAT(refusal_of("a: \xc2\x9b\n"), HasSubstr("a control character, \\xc2\\x9b"));
}

TEST(YamlDocument, RefusesEscapesThatMakeControlCharacters) {
  EXPECT_EQ(refusal_of("\"\\e[31m\\n\\0\": 1\na: \"x\\tb\"\n"),
            "t.yaml:1:1: error: '\\x1b[31m\\n\\x00' has a control character\n"
            "    1 | \"\\e[31m\\n\\0\": 1\n"
            "      | ^\n"
            "  hint: write it on one line of printable characters\n"
            "t.yaml:2:4: error: 'x\\tb' has a control character\n"
            "    2 | a: \"x\\tb\"\n"
            "      |    ^\n"
            "  hint: write it on one line of printable characters");
}

TEST(YamlDocument, RefusesATextBeyondTheLimit) {
  const std::string fits = "a: " + std::string(kMaxYamlBytes - 3, 'x');
  Diagnostics diagnostics;
  EXPECT_TRUE(YamlDocument::parse(fits, "t.yaml", diagnostics).root().is_map());
  EXPECT_EQ(refusal_of(fits + "x"),
            "t.yaml: error: the file has more than 1048576 bytes\n"
            "  hint: check that it is a YAML file");
}

TEST(YamlDocument, RefusesAFileBeyondTheLimitAndOneWithoutEnd) {
  const TempFolder folder;
  const auto path = folder.write("a.yaml", std::string(kMaxYamlBytes + 1, '#'));
  Diagnostics diagnostics;
  EXPECT_EQ(bad_input_of([&] { (void)YamlDocument::load(path, diagnostics); }),
            "error: cannot read '" + path.string() + "': it has more than 1048576 bytes");
  EXPECT_EQ(bad_input_of([&] { (void)YamlDocument::load("/dev/zero", diagnostics); }),
            "error: cannot read '/dev/zero': it has more than 1048576 bytes");
}

TEST(YamlDocument, RefusesDeepNesting) {
  const std::string deepest = "a: " + std::string(63, '[') + std::string(63, ']');
  Diagnostics diagnostics;
  EXPECT_TRUE(YamlDocument::parse(deepest, "t.yaml", diagnostics).root().is_map());
  const std::string too_deep = "a: " + std::string(64, '[') + std::string(64, ']');
  EXPECT_EQ(refusal_of(too_deep),
            "t.yaml:1:67: error: nested deeper than 64 levels\n"
            "    1 | " +
                too_deep +
                "\n"
                "      | " +
                std::string(66, ' ') +
                "^\n"
                "  hint: check for an unclosed bracket or a wrong indentation");
  EXPECT_THAT(refusal_of("a: " + std::string(100000, '[')), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(refusal_of("a: 1\n---\n" + std::string(100000, '[')),
              HasSubstr("t.yaml:3:33: error: nested deeper than 64"));
}

TEST(YamlDocument, CopesWithAHundredThousandErrorsInALine) {
  std::string text = "{";
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + ": 1,";
  text += "}";
  const std::string refusal = refusal_of(text);
  EXPECT_LT(refusal.size(), 50'000U);
  EXPECT_THAT(refusal, testing::EndsWith("error: and 99900 more errors"));
}

}  // namespace
}  // namespace kernbench::common
