// SPDX-License-Identifier: Apache-2.0
#include "common/yaml_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace kernbench::common {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

enum class Pattern { Uniform, Tornado };
constexpr std::array<EnumName<Pattern>, 2> kPatterns = {
    {{"uniform", Pattern::Uniform}, {"tornado", Pattern::Tornado}}};

/// Reads `text` with `read(map)` and returns "line:column message (hint)" of each error.
template <typename Read>
std::vector<std::string> errors_of(const std::string& text, Read read) {
  Diagnostics diagnostics;
  const auto document = YamlDocument::parse(text, "t.yaml", diagnostics);
  {
    YamlMap map(document.root());
    read(map);
  }
  std::vector<std::string> lines;
  for (const Diagnostic& d : diagnostics.errors()) {
    lines.push_back(std::to_string(d.position.line) + ":" + std::to_string(d.position.column) +
                    " " + d.message + (d.hint.empty() ? "" : " (" + d.hint + ")"));
  }
  return lines;
}

TEST(YamlMap, ReadsEveryTypeOfValue) {
  EXPECT_THAT(errors_of("u: 0x10\nn: 7\ni: -3\nd: 1.5\nb: true\ns: 1e5\nq: \"12\"\ne: tornado\n"
                        "l: [1, 2]\nm: {k: 1}\n",
                        [](YamlMap& map) {
                          EXPECT_EQ(map.u64("u"), 16U);
                          EXPECT_EQ(map.u32("n", {.min = 7, .max = 7}), 7U);
                          EXPECT_EQ(map.i64("i", {.min = -3, .max = -3}), -3);
                          EXPECT_EQ(map.number("d"), 1.5);
                          EXPECT_TRUE(map.boolean("b"));
                          EXPECT_EQ(map.string("s"), "1e5");
                          EXPECT_EQ(map.string("q"), "12");
                          EXPECT_EQ(map.enumeration("e", kPatterns), Pattern::Tornado);
                          std::uint64_t sum = 0;
                          for (const YamlNode& item : map.list("l")) sum += item.u64();
                          EXPECT_EQ(sum, 3U);
                          EXPECT_EQ(map.map("m").u64("k"), 1U);
                        }),
              IsEmpty());
}

TEST(YamlMap, ReadsSeveralLinesOnlyWhereTheyAreExpected) {
  const auto read = [](YamlMap& map) {
    EXPECT_EQ(map.lines("text"), "a\nb");
    (void)map.string("name");
  };
  EXPECT_THAT(errors_of("text: \"a\\nb\"\nname: c\n", read), IsEmpty());
  EXPECT_THAT(errors_of("text: \"a\\nb\"\nname: \"c\\nd\"\n", read),
              ElementsAre("2:7 'c\\nd' has a control character (write it on one line of printable "
                          "characters)"));
}

TEST(YamlMap, TakesFallbacksForAbsentKeys) {
  EXPECT_THAT(errors_of("x: 1\n",
                        [](YamlMap& map) {
                          EXPECT_TRUE(map.has("x"));
                          EXPECT_FALSE(map.has("u"));
                          EXPECT_EQ(map.u64("x"), 1U);
                          EXPECT_EQ(map.u64("u", {.min = 1, .max = 9}, 5), 5U);
                          EXPECT_EQ(map.u32("n", {}, 6), 6U);
                          EXPECT_EQ(map.i64("i", {}, -1), -1);
                          EXPECT_EQ(map.number("d", {}, 0.5), 0.5);
                          EXPECT_TRUE(map.boolean("b", true));
                          EXPECT_EQ(map.string("s", "none"), "none");
                          EXPECT_EQ(map.enumeration("e", kPatterns, Pattern::Tornado),
                                    Pattern::Tornado);
                          EXPECT_TRUE(map.optional_list("l", {.min = 1}).empty());
                          EXPECT_EQ(map.optional_map("m").u64("k", {}, 3), 3U);
                          EXPECT_FALSE(map.node("r"));
                        }),
              IsEmpty());
}

TEST(YamlMap, ReportsEveryMissingKeyWithWhatItTakes) {
  EXPECT_THAT(errors_of("x: 1\n",
                        [](YamlMap& map) {
                          EXPECT_EQ(map.u64("x"), 1U);
                          EXPECT_EQ(map.u64("u", {.min = 2, .max = 9}), 2U);
                          EXPECT_EQ(map.i64("i", {.min = -2, .max = 9}), 0);
                          EXPECT_EQ(map.number("d", {.min = 0, .exclude_min = true}), 0.0);
                          EXPECT_FALSE(map.boolean("b"));
                          EXPECT_EQ(map.string("s"), "");
                          EXPECT_EQ(map.enumeration("e", kPatterns), Pattern::Uniform);
                          EXPECT_TRUE(map.list("l", {.min = 1}).empty());
                          EXPECT_EQ(map.map("m").u64("k", {.min = 1}), 1U);
                        }),
              ElementsAre("1:1 missing key 'u' (it must be an integer from 2 to 9)",
                          "1:1 missing key 'i' (it must be an integer from -2 to 9)",
                          "1:1 missing key 'd' (it must be a number above 0)",
                          "1:1 missing key 'b' (it must be true or false)",
                          "1:1 missing key 's' (it must be text)",
                          "1:1 missing key 'e' (it must be one of uniform, tornado)",
                          "1:1 missing key 'l' (it must be a list of at least 1 item)",
                          "1:1 missing key 'm' (it must be a map)"));
}

TEST(YamlMap, ReportsEveryKeyThatNobodyAskedFor) {
  EXPECT_THAT(errors_of("seed: 1\ncycels: 2\npayload: 3\nm: {k: 1}\n",
                        [](YamlMap& map) {
                          EXPECT_EQ(map.u64("seed"), 1U);
                          EXPECT_EQ(map.u64("cycles", {}, 20000), 20000U);
                          const YamlMap child = map.map("m");
                        }),
              ElementsAre("4:5 unknown key 'k' (no keys are allowed here)",
                          "2:1 unknown key 'cycels' (did you mean 'cycles'?)",
                          "3:1 unknown key 'payload' (valid keys: seed, cycles, m)"));
}

TEST(YamlMap, SuggestsNoKeyThatIsAlreadyThere) {
  EXPECT_THAT(errors_of("nx: 1\nny: 2\n", [](YamlMap& map) { EXPECT_EQ(map.u64("nx"), 1U); }),
              ElementsAre("2:1 unknown key 'ny' (valid keys: nx)"));
}

TEST(YamlMap, HasAloneReadsNothing) {
  EXPECT_THAT(errors_of("trace: x\n", [](YamlMap& map) { EXPECT_TRUE(map.has("trace")); }),
              ElementsAre("1:1 unknown key 'trace' (no keys are allowed here)"));
}

TEST(YamlMap, RefusesIntegersThatOtherReadersMisread) {
  for (const std::string text : {"12abc", "0x1g",  "1.0",    "1e3",     "012",
                                 "0o17",  "1_000", "+1",     "-1",      "true",
                                 "ten",   "'12'",  "\"12\"", "101",     "99999999999999999999",
                                 "1 2",   "12,",   "[12]",   "{a: 12}", "",
                                 "~"}) {
    const auto errors = errors_of("u: " + text + "\n", [](YamlMap& map) {
      EXPECT_EQ(map.u64("u", {.min = 0, .max = 100}, 50), 50U);
    });
    ASSERT_EQ(errors.size(), 1U) << text;
    EXPECT_THAT(errors.front(), testing::HasSubstr("'u' must be an integer from 0 to 100, not "))
        << text;
  }
}

TEST(YamlMap, NamesWhatItFoundInstead) {
  EXPECT_THAT(errors_of("a: 12abc\nb: \"12\"\nc: [1]\nd: {k: 1}\ne:\nf: " + std::string(50, '9'),
                        [](YamlMap& map) {
                          for (const char* key : {"a", "b", "c", "d", "e", "f"}) {
                            EXPECT_EQ(map.u64(key, {.min = 3, .max = 20}), 3U);
                          }
                        }),
              ElementsAre("1:4 'a' must be an integer from 3 to 20, not '12abc'",
                          "2:4 'b' must be an integer from 3 to 20, not '12' (remove the quotes)",
                          "3:4 'c' must be an integer from 3 to 20, not a list",
                          "4:4 'd' must be an integer from 3 to 20, not a map",
                          "5:1 'e' must be an integer from 3 to 20, not nothing",
                          "6:4 'f' must be an integer from 3 to 20, not "
                          "'9999999999999999999999999999999999999999...'"));
}

TEST(YamlMap, AcceptsBothEndsOfARangeAndNothingBeyond) {
  const auto count = [](const std::string& value) {
    return errors_of("v: " + value + "\n",
                     [](YamlMap& map) { (void)map.u32("v", {.min = 2, .max = 16}); })
        .size();
  };
  EXPECT_EQ(count("1"), 1U);
  EXPECT_EQ(count("2"), 0U);
  EXPECT_EQ(count("16"), 0U);
  EXPECT_EQ(count("17"), 1U);
  EXPECT_EQ(count("4294967298"), 1U) << "2^32 + 2 must not wrap to 2";
}

TEST(YamlMap, RefusesNumbersThatAreNotFiniteOrOutOfRange) {
  for (const std::string text : {"1.5x", ".inf", ".nan", "nan", "1e999", "0x1p3", "'0.5'", "1,5",
                                 "-0.1", "1.1", "yes", "[0.5]", ""}) {
    EXPECT_EQ(errors_of("v: " + text + "\n",
                        [](YamlMap& map) {
                          EXPECT_EQ(map.number("v", {.min = 0, .max = 1}, 0.25), 0.25);
                        })
                  .size(),
              1U)
        << text;
  }
}

TEST(YamlMap, DescribesTheRangeOfANumber) {
  EXPECT_THAT(errors_of("a: x\nb: x\nc: x\nd: x\ne: 0\n",
                        [](YamlMap& map) {
                          (void)map.number("a");
                          (void)map.number("b", {.min = 0.5});
                          (void)map.number("c", {.max = 2});
                          (void)map.number("d", {.min = 0, .max = 1});
                          (void)map.number("e", {.min = 0, .max = 9.5, .exclude_min = true});
                        }),
              ElementsAre("1:4 'a' must be a number, not 'x'",
                          "2:4 'b' must be a number of at least 0.5, not 'x'",
                          "3:4 'c' must be a number of at most 2, not 'x'",
                          "4:4 'd' must be a number from 0 to 1, not 'x'",
                          "5:4 'e' must be a number above 0 and at most 9.5, not '0'"));
}

TEST(YamlMap, TakesOnlyTrueAndFalseForBooleans) {
  EXPECT_THAT(errors_of("b: false\n", [](YamlMap& map) { EXPECT_FALSE(map.boolean("b", true)); }),
              IsEmpty());
  for (const std::string text :
       {"yes", "no", "on", "off", "True", "FALSE", "1", "0", "y", "'true'"}) {
    EXPECT_EQ(
        errors_of("b: " + text + "\n", [](YamlMap& map) { EXPECT_TRUE(map.boolean("b", true)); })
            .size(),
        1U)
        << text;
  }
}

TEST(YamlMap, RefusesTextThatIsNoneOrEmpty) {
  for (const std::string text : {"", "~", "null", "\"\"", "[a]", "{a: b}"}) {
    EXPECT_EQ(errors_of("s: " + text + "\n",
                        [](YamlMap& map) { EXPECT_EQ(map.string("s", "other"), "other"); })
                  .size(),
              1U)
        << text;
  }
}

TEST(YamlMap, AnswersAWrongNameWithTheNearest) {
  EXPECT_THAT(errors_of("a: tornadoo\nb: Uniform\nc: zzz\nd: [uniform]\n",
                        [](YamlMap& map) {
                          for (const char* key : {"a", "b", "c", "d"}) {
                            EXPECT_EQ(map.enumeration(key, kPatterns, Pattern::Tornado),
                                      Pattern::Tornado);
                          }
                        }),
              ElementsAre("1:4 'a' must be one of uniform, tornado, not 'tornadoo' "
                          "(did you mean 'tornado'?)",
                          "2:4 'b' must be one of uniform, tornado, not 'Uniform' "
                          "(did you mean 'uniform'?)",
                          "3:4 'c' must be one of uniform, tornado, not 'zzz'",
                          "4:4 'd' must be one of uniform, tornado, not a list"));
}

TEST(YamlMap, ChecksTheLengthOfAList) {
  EXPECT_THAT(errors_of("a: []\nb: [1, 2, 3]\nc: [1]\nd: 1\n",
                        [](YamlMap& map) {
                          (void)map.list("a", {.min = 1});
                          (void)map.list("b", {.min = 1, .max = 2});
                          (void)map.list("c", {.min = 4, .max = 4});
                          (void)map.optional_list("d");
                        }),
              ElementsAre("1:4 'a' must be a list of at least 1 item, not of 0",
                          "2:4 'b' must be a list of 1 to 2 items, not of 3",
                          "3:4 'c' must be a list of 4 items, not of 1",
                          "4:4 'd' must be a list, not '1'"));
}

TEST(YamlMap, NamesItemsOfListsByNumber) {
  EXPECT_THAT(errors_of("seeds: [1, x]\nsuites:\n  - name: a\n  - 7\n  - nam: b\n",
                        [](YamlMap& map) {
                          for (const YamlNode& item : map.list("seeds")) (void)item.u64();
                          for (const YamlNode& item : map.list("suites")) {
                            YamlMap suite(item);
                            (void)suite.string("name");
                          }
                        }),
              ElementsAre("1:12 item 2 of 'seeds' must be an integer from 0 to "
                          "18446744073709551615, not 'x'",
                          "4:5 item 2 of 'suites' must be a map, not '7'",
                          "5:5 missing key 'name' (it must be text)",
                          "5:5 unknown key 'nam' (did you mean 'name'?)"));
}

TEST(YamlMap, ReadsKeysThatAreNamesOfTheUsers) {
  EXPECT_THAT(errors_of("b: 1\na: 2\n",
                        [](YamlMap& map) {
                          const auto entries = map.entries();
                          ASSERT_EQ(entries.size(), 2U);
                          EXPECT_EQ(entries[0].first, "b");
                          EXPECT_EQ(entries[1].second.u64(), 2U);
                        }),
              IsEmpty());
}

TEST(YamlMap, LeavesAWrongMapWithOneErrorOnly) {
  EXPECT_THAT(errors_of("m: 3\n",
                        [](YamlMap& map) {
                          YamlMap child = map.optional_map("m");
                          EXPECT_EQ(child.u64("k"), 0U);
                          (void)child.map("n").string("s");
                        }),
              ElementsAre("1:4 'm' must be a map, not '3'"));
}

TEST(YamlMap, PutsSemanticErrorsWhereTheValueStands) {
  EXPECT_THAT(errors_of("a: 4\nb: [5]\n",
                        [](YamlMap& map) {
                          (void)map.u64("a");
                          map.error("a", "'a' must be odd", "add one");
                          map.list("b").front().error("too large");
                          map.error("absent", "'absent' is needed with a");
                        }),
              ElementsAre("1:4 'a' must be odd (add one)", "2:5 too large",
                          "1:1 'absent' is needed with a"));
}

TEST(YamlMap, ReadsOnWithADefaultAfterARefusedAlias) {
  EXPECT_THAT(errors_of("a: &x 1\nb: *x\n",
                        [](YamlMap& map) {
                          EXPECT_EQ(map.u64("a"), 1U);
                          EXPECT_EQ(map.u64("b", {}, 9), 9U);
                        }),
              ElementsAre(testing::StartsWith("1:4 anchors"), testing::StartsWith("2:4 anchors")));
}

TEST(YamlMap, MustBeFinishedBeforeTheErrorsAreThrown) {
  Diagnostics diagnostics;
  const auto document = YamlDocument::parse("sede: 1\n", "t.yaml", diagnostics);
  YamlMap map(document.root());
  EXPECT_THROW(diagnostics.throw_if_any(), std::logic_error);
  map.finish();
  EXPECT_THROW(diagnostics.throw_if_any(), BadInput);
  EXPECT_THROW((void)map.u64("seed"), std::logic_error);
}

TEST(YamlMap, AddsNothingWhileAnExceptionPassesThrough) {
  Diagnostics diagnostics;
  const auto document = YamlDocument::parse("sede: 1\n", "t.yaml", diagnostics);
  try {
    const YamlMap map(document.root());
    throw std::runtime_error("stop");
  } catch (const std::runtime_error&) {
    EXPECT_TRUE(diagnostics.empty());
    EXPECT_NO_THROW(diagnostics.throw_if_any());
  }
}

}  // namespace
}  // namespace kernbench::common
