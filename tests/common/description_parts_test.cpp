// SPDX-License-Identifier: Apache-2.0
// Forms of descriptions that are not those of their types: sections, defaults of objects, lists
// item by item, objects that differ in their members.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/description.hpp"
#include "common/form_reader.hpp"
#include "common/input_kind.hpp"
#include "tests/common/expect_bad_input.hpp"

namespace kernbench::common {
namespace {

using nlohmann::json;

struct Wire {
  double length_mm = 0;
  double bw_gbs = 0;
};
struct Board {
  unsigned slots = 4;
  std::vector<Wire> wires{{1, 2}};
  Wire bus{3, 8};
};
struct Loop {
  std::string name;
};
struct Line {
  std::string from;
  std::string to;
};
struct Drawing {
  std::vector<std::variant<Loop, Line, double, std::string>> parts;
  std::vector<Couple<std::string, unsigned>> sizes;
};
struct Count {
  unsigned items = 0;
  bool is_named = true;
};

}  // namespace

template <>
const Description<Wire>& description_of() {
  static const auto kAll = Description<Wire>()
                               .add("length_mm", &Wire::length_mm)
                               .at_least(0)
                               .add("bw_gbs", &Wire::bw_gbs)
                               .at_least(0)
                               .all_optional();
  return kAll;
}

template <>
const Description<Board>& description_of() {
  static const auto kAll =
      Description<Board>()
          .add_section("rack",
                       Description<Board>().add_section(
                           "attrs", Description<Board>().add("slots", &Board::slots).within(1, 8)),
                       "where it is")
          .add("wires", &Board::wires)
          .add("bus", &Board::bus)
          .all_optional();
  return kAll;
}

template <>
const Description<Loop>& description_of() {
  static const auto kAll = Description<Loop>().add("name", &Loop::name);
  return kAll;
}

template <>
const Description<Line>& description_of() {
  static const auto kAll = Description<Line>().add("from", &Line::from).add("to", &Line::to);
  return kAll;
}

template <>
const Description<Drawing>& description_of() {
  static const auto kAll =
      Description<Drawing>().add("parts", &Drawing::parts).add("sizes", [](const auto& drawing) {
        return drawing.sizes;
      });
  return kAll;
}

template <>
const Description<Count>& description_of() {
  static const auto kAll =
      Description<Count>()
          .add("name", [](const Count&) { return "a\xff"; })
          .absent_unless("it is named", [](const Count& count) { return count.is_named; })
          .add("items", [](const Count& count) -> LongList<unsigned> {
            return {[items = count.items](const auto& take) {
              for (unsigned i = 0; i < items; ++i) take(i);
            }};
          });
  return kAll;
}

namespace {

/// Returns what a text sets in a board.
Board board(const std::string& text) {
  Diagnostics diagnostics;
  const YamlDocument document = YamlDocument::parse(text, "f", diagnostics);
  Input<Board> input(document.root(), diagnostics);
  diagnostics.throw_if_any();
  return std::move(*input);
}

TEST(DescriptionSection, IsAnObjectThatTheTypeDoesNotHave) {
  EXPECT_EQ(to_json(Board{})["rack"], json::parse(R"({"attrs": {"slots": 4}})"));
  EXPECT_EQ(board("rack: {attrs: {slots: 7}}").slots, 7U);
  EXPECT_EQ(board("bus: {}").slots, 4U);
  EXPECT_EQ(bad_input_of([] { (void)board("rack: {attrs: {slots: 9, slot: 1}}"); }),
            "f:1:23: error: 'slots' must be an integer from 1 to 8, not '9'\n"
            "    1 | rack: {attrs: {slots: 9, slot: 1}}\n"
            "      |                       ^\n"
            "f:1:26: error: unknown key 'slot'\n"
            "    1 | rack: {attrs: {slots: 9, slot: 1}}\n"
            "      |                          ^\n"
            "  hint: valid keys: slots");
}

TEST(DescriptionDefaults, OfAnObjectAreThoseOfItsMembers) {
  const json schema = json::parse(
      schema_of(InputKind{.name = "board", .title = "A board", .form = form_of<Board>}));
  EXPECT_EQ(schema["properties"]["bus"]["properties"]["bw_gbs"]["default"], 8.0);
  EXPECT_EQ(schema["properties"]["wires"]["items"]["properties"]["bw_gbs"]["default"], 0.0);
  EXPECT_EQ(schema["properties"]["rack"]["properties"]["attrs"]["properties"]["slots"]["default"],
            4);
  EXPECT_EQ(board("bus: {length_mm: 9}").bus.bw_gbs, 8.0);
}

struct Converted {
  double length_mm = 5;
};
TEST(DescriptionDefaults, OfAConvertedObjectAreItsOwn) {
  const auto all = Description<Converted>()
                       .add_converted(
                           "wire",
                           [](const Converted& of) {
                             return Wire{of.length_mm, 0};
                           },
                           [](Converted& of, const Wire& wire) { of.length_mm = wire.length_mm; })
                       .optional();
  EXPECT_EQ(all.form().member("wire").fallback["length_mm"], 5.0);
  EXPECT_EQ(all.form().member("wire").member("length_mm").fallback, 0.0);
  EXPECT_TRUE(all.form().member("wire").converted);
  Converted read;
  all.read(json::parse(R"({"wire": {}})"), read);
  EXPECT_EQ(read.length_mm, 0.0);
}

TEST(DescriptionDefaults, OfAnItemAreThoseOfANewOne) {
  const Board read = board("wires: [{length_mm: 9}, {}]");
  ASSERT_EQ(read.wires.size(), 2U);
  EXPECT_EQ(read.wires[0].bw_gbs, 0.0);  // not that of the default list
}

TEST(LongListTest, IsWrittenAnItemALine) {
  std::ostringstream out;
  description_of<Count>().write({3}, out);
  EXPECT_EQ(out.str(),
            "{\n  \"name\": \"a\xEF\xBF\xBD\",\n  \"items\": [\n   0,\n   1,\n   2\n  ]\n }");
  EXPECT_EQ(to_json(Count{2})["items"], json::parse("[0, 1]"));
  std::ostringstream empty;
  description_of<Count>().write({0, false}, empty);
  EXPECT_EQ(empty.str(), "{\n  \"items\": []\n }");
  EXPECT_EQ(form_of<Count>().member("name").absent, "it is named");
}

TEST(EitherForm, IsTheObjectWithTheFewestDifferences) {
  const auto problem = [](const json& parts) {
    try {
      require_form(form_of<Drawing>(), {{"parts", parts}, {"sizes", json::array()}}, "f");
      return std::string();
    } catch (const BadInput& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(problem(json::parse(R"([{"name": "a"}, {"from": "a", "to": "b"}, 1.5, "inf"])")), "");
  EXPECT_EQ(problem(json::parse(R"([{"from": "a"}])")),
            "f: error: missing key 'data.parts[0].to'\n  hint: it must be text");
  EXPECT_EQ(problem(json::parse(R"([{"name": "a", "from": "b"}])")),
            "f: error: unknown key 'data.parts[0].from'\n  hint: valid keys: name");
  EXPECT_EQ(problem(json::parse("[[]]")),
            "f: error: 'data.parts[0]' must be a map or a map or a number or text, not a list");
}

TEST(CoupleForm, IsAListOfTwo) {
  EXPECT_EQ(to_json(Drawing{{}, {{"a", 3}}})["sizes"], json::parse(R"([["a", 3]])"));
  const auto check = [](const json& sizes) {
    require_form(form_of<Drawing>(), {{"parts", json::array()}, {"sizes", sizes}}, "f");
  };
  check(json::parse(R"([["a", 3]])"));
  EXPECT_EQ(bad_input_of([&] { check(json::parse(R"([[3, "a"]])")); }),
            "f: error: 'data.sizes[0][0]' must be text, not '3'\n"
            "  hint: put it in quotes\n"
            "f: error: 'data.sizes[0][1]' must be an integer from 0 to 4294967295, not 'a'");
}

TEST(ValueFormTest, VisitsEachValueByItsFullName) {
  json data = to_json(Board{});
  std::vector<std::string> names;
  for_each_value(form_of<Board>(), data,
                 [&](const std::string& name, const ValueForm&, json& value) {
                   names.push_back(name);
                   if (value.is_number()) value = 5;
                 });
  EXPECT_EQ(names, (std::vector<std::string>{"rack.attrs.slots", "wires", "wires[0].length_mm",
                                             "wires[0].bw_gbs", "bus.length_mm", "bus.bw_gbs"}));
  Board changed;
  description_of<Board>().read(data, changed);
  EXPECT_EQ(changed.slots, 5U);
  EXPECT_EQ(changed.wires[0].bw_gbs, 5.0);
}

}  // namespace
}  // namespace kernbench::common
