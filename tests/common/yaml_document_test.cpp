#include <gtest/gtest.h>

#include <string>

#include "common/yaml_reader.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::common {
namespace {

/// The errors of a document in which only the keys a and b are known, with any values.
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
  const auto path = folder.write("a.yaml",
                                 "\xef\xbb\xbf"
                                 "a: 1\r\nb: 2\r\n");
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
            "      | ^");
  EXPECT_EQ(refusal_of("a: b: 1\n"),
            "t.yaml:1:5: error: illegal map value\n"
            "    1 | a: b: 1\n"
            "      |     ^");
  EXPECT_NE(refusal_of("a:\n\tb: 1\n").find("t.yaml:2:"), std::string::npos);
  EXPECT_EQ(refusal_of("a: 1\nb: \"open\n\n"),
            "t.yaml:2:9: error: illegal EOF in scalar\n"
            "    2 | b: \"open\n"
            "      |         ^\n"
            "  hint: a quote is not closed");
  EXPECT_NE(refusal_of("a: \"x\" y\n").find("t.yaml:1:"), std::string::npos);
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
            "  hint: it is given first in line 1\n"
            "t.yaml:3:11: error: duplicate key 'c'\n"
            "    3 | b: {c: 1, c: 1}\n"
            "      |           ^\n"
            "  hint: it is given first in line 3");
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
            "  hint: a file holds one document; remove '---' and what follows it");
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

TEST(YamlDocument, RefusesMergeKeysAsUnknown) {
  EXPECT_NE(refusal_of("a: 1\n<<: {b: 2}\n").find("t.yaml:2:1: error: unknown key '<<'"),
            std::string::npos);
}

TEST(YamlDocument, RefusesBinaryFiles) {
  EXPECT_EQ(refusal_of(std::string("a: 1\0\n", 6)),
            "t.yaml: error: not a text file: it holds zero bytes");
}

TEST(YamlDocument, RefusesNestingThatWouldExhaustTheStack) {
  EXPECT_NE(refusal_of("a: " + std::string(100000, '[')).find("t.yaml:1:"), std::string::npos);
}

}  // namespace
}  // namespace kernbench::common
