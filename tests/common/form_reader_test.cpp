// SPDX-License-Identifier: Apache-2.0
// Inputs that are read by their description: what is taken, each kind of error with its place, and
// the schema that says the same.
#include "common/form_reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/input_kind.hpp"
#include "tests/common/expect_bad_input.hpp"

namespace kernbench::common {
namespace {

using nlohmann::json;

enum class Shape { Square, Circle };
constexpr std::array<EnumName<Shape>, 2> kShapes = {
    {{"square", Shape::Square}, {"circle", Shape::Circle}}};

struct Span {
  double from = 0;
  double to = 0;
};

struct Piece {
  Shape shape = Shape::Square;
  unsigned side = 3;
  std::optional<double> radius;
  std::unique_ptr<Piece> inner;
};

struct Plan {
  std::string name;
  std::int64_t shift = -5;
  std::optional<unsigned> limit = 7;
  std::vector<ScalarText> words;
  std::vector<std::string> tags;
  std::map<std::string, std::variant<std::vector<unsigned>, Span>> values;
  std::map<std::string, std::string> commands;
  std::vector<bool> flags;
  std::array<unsigned, 2> place{};
  std::vector<Piece> parts;
  std::optional<unsigned> count;
  std::optional<unsigned> share;
};

bool is_small(std::string_view text) {
  return text.find_first_not_of("abc") == std::string_view::npos;
}
constexpr TextRule kSmall = {"^[abc]*$", "a word of a, b and c", is_small, "such as abba"};

}  // namespace

template <>
inline constexpr const char* kNameOfForm<Piece> = "piece";

template <>
const Description<Span>& description_of() {
  static const auto kAll = Description<Span>().add("from", &Span::from).add("to", &Span::to);
  return kAll;
}

template <>
const Description<Piece>& description_of() {
  static const auto kAll = Description<Piece>()
                               .add_named("shape", &Piece::shape, kShapes)
                               .optional()
                               .add("side", &Piece::side)
                               .within(1, 9)
                               .optional()
                               .only_if("shape", {"square"})
                               .add("radius", &Piece::radius)
                               .above(0)
                               .only_if("shape", {"circle"})
                               .add("inner", &Piece::inner)
                               .optional();
  return kAll;
}

template <>
const Description<Plan>& description_of() {
  static const auto kAll = Description<Plan>()
                               .add_constant("kind", std::string("plan"))
                               .add("name", &Plan::name)
                               .rule(kSmall)
                               .add("shift", &Plan::shift, "way to go")
                               .within(-9, 9)
                               .optional()
                               .add("limit", &Plan::limit)
                               .or_null("none")
                               .optional()
                               .add("words", &Plan::words)
                               .refine([](ValueForm& words) {
                                 ValueForm& first = words.parts.emplace_back();
                                 first.kind = ValueForm::Kind::Text;
                                 first.choices = {"go", "stay"};
                               })
                               .optional()
                               .add("tags", &Plan::tags)
                               .one_of({"red", "blue"})
                               .different()
                               .optional()
                               .add("values", &Plan::values)
                               .rule(kSmall)
                               .optional()
                               .add("commands", &Plan::commands)
                               .placeholders({"{x}"})
                               .lines()
                               .optional()
                               .add("place", &Plan::place)
                               .optional()
                               .add("flags", &Plan::flags)
                               .optional()
                               .add("parts", &Plan::parts)
                               .optional()
                               .add("count", &Plan::count)
                               .optional()
                               .add("share", &Plan::share)
                               .optional()
                               .either({"count", "share"});
  return kAll;
}

namespace {

constexpr const char* kWhole = R"(kind: plan
name: abba
shift: -9
limit: none
words: [go, 7, true]
tags: [blue, red]
values: {a: [1, 2], b: {from: 1, to: 2.5}}
commands:
  run: |
    one {x}
    two
flags: [true, false]
parts:
  - {shape: circle, radius: 2, inner: {side: 9}}
  - {}
share: 4
)";

Plan read(const std::string& text) {
  Diagnostics diagnostics;
  const YamlDocument document = YamlDocument::parse(text, "p", diagnostics);
  Input<Plan> plan(document.root(), diagnostics);
  diagnostics.throw_if_any();
  return std::move(*plan);
}

TEST(FormReader, ReadsEveryKindOfValue) {
  const Plan plan = read(kWhole);
  EXPECT_EQ(plan.name, "abba");
  EXPECT_EQ(plan.shift, -9);
  EXPECT_EQ(plan.limit, std::nullopt);
  ASSERT_EQ(plan.words.size(), 3U);
  EXPECT_EQ(plan.words[2].text, "true");
  EXPECT_EQ(plan.tags, (std::vector<std::string>{"blue", "red"}));
  EXPECT_EQ(std::get<std::vector<unsigned>>(plan.values.at("a")), (std::vector<unsigned>{1, 2}));
  EXPECT_EQ(std::get<Span>(plan.values.at("b")).to, 2.5);
  EXPECT_EQ(plan.commands.at("run"), "one {x}\ntwo\n");
  EXPECT_EQ(plan.flags, (std::vector<bool>{true, false}));
  ASSERT_EQ(plan.parts.size(), 2U);
  EXPECT_EQ(plan.parts[0].radius, 2.0);
  EXPECT_EQ(plan.parts[0].inner->side, 9U);
  EXPECT_EQ(plan.parts[1].shape, Shape::Square);
  EXPECT_EQ(plan.parts[1].side, 3U);
  EXPECT_EQ(plan.share, 4U);
}

TEST(FormReader, LeavesWhatIsNotGivenAsItIs) {
  const Plan plan = read("kind: plan\nname: a\ncount: 1\n");
  EXPECT_EQ(plan.shift, -5);
  EXPECT_EQ(plan.limit, 7U);
  EXPECT_TRUE(plan.parts.empty());
}

/// Returns the errors without the lines that they quote.
std::string errors_of(const std::string& text) {
  Diagnostics diagnostics;
  const YamlDocument document = YamlDocument::parse(text, "p", diagnostics);
  const Input<Plan> plan(document.root(), diagnostics);
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics.errors()) {
    all += fmt::format("{}:{}: {}", diagnostic.position.line, diagnostic.position.column,
                       diagnostic.message);
    all += diagnostic.hint.empty() ? "\n" : fmt::format(" ({})\n", diagnostic.hint);
  }
  return all;
}

TEST(FormReader, ReportsAllErrorsWithTheirPlaces) {
  EXPECT_EQ(errors_of("kind: plans\nname: abd\nshift: -10\nlimit: no\nwords: [run, 7]\n"
                      "tags: [red, green, red]\nvalues: {ad: [1], b: 7, c: {from: 1}}\n"
                      "commands: {run: one}\nflags: [yes]\n"),
            "1:7: 'kind' must be one of plan, not 'plans' (did you mean 'plan'?)\n"
            "2:7: 'name' must be a word of a, b and c, not 'abd'\n"
            "3:8: 'shift' must be an integer from -9 to 9, not '-10'\n"
            "4:8: 'limit' must be an integer from 0 to 4294967295, not 'no'\n"
            "5:9: item 1 of 'words' must be one of go, stay, not 'run'\n"
            "6:13: item 2 of 'tags' must be one of red, blue, not 'green'\n"
            "6:20: 'red' is in the list twice (remove one of them)\n"
            "7:14: 'ad' is not a word of a, b and c (such as abba)\n"
            "7:22: 'b' must be a list or a map, not '7'\n"
            "7:28: missing key 'to' (it must be a number)\n"
            "8:17: 'run' needs the placeholder {x}\n"
            "9:9: item 1 of 'flags' must be true or false, not 'yes'\n"
            "1:1: missing key 'count' or 'share' (it must be an integer from 0 to 4294967295)\n");
}

TEST(FormReader, KnowsWhichMembersExist) {
  const std::string head = "kind: plan\nname: a\n";
  EXPECT_EQ(errors_of(head + "count: 1\nshare: 2\n"),
            "4:8: 'count' and 'share' exclude each other\n");
  EXPECT_EQ(errors_of(head + "count: 1\nparts: [{shape: circle, side: 1}]\n"),
            "4:9: missing key 'radius' (it must be a number above 0)\n"
            "4:25: unknown key 'side' (valid keys: shape, radius, inner)\n");
  EXPECT_EQ(errors_of(head + "count: 1\nparts: [{shape: cube, side: 10}]\n"),
            "4:17: 'shape' must be one of square, circle, not 'cube'\n"
            "4:29: 'side' must be an integer from 1 to 9, not '10'\n");
  EXPECT_EQ(errors_of(head + "count: 1\nparts: [{inner: {inner: {side: 0}}}]\n"),
            "4:32: 'side' must be an integer from 1 to 9, not '0'\n");
}

TEST(FormReader, GoesOnAfterAListOfAnotherLength) {
  const std::string head = "kind: plan\nname: a\ncount: 1\n";
  EXPECT_EQ(errors_of(head + "place: [1]\n"), "4:8: 'place' must be a list of 2 items, not of 1\n");
  EXPECT_EQ(errors_of(head + "place: 7\n"), "4:8: 'place' must be a list of 2 items, not '7'\n");
  EXPECT_EQ(errors_of(head + "tags: &t [red]\nplace: *t\n"),
            "4:7: anchors and aliases are not supported (write the value out at each place)\n"
            "5:8: anchors and aliases are not supported (write the value out at each place)\n");
}

TEST(FormReader, TakesNoNumberForAText) {
  EXPECT_EQ(errors_of("kind: plan\nname: 7\ncount: 1\n"),
            "2:7: 'name' must be a word of a, b and c, not '7' (put it in quotes)\n");
  EXPECT_EQ(errors_of("kind: plan\nname: true\ncount: 1\n"),
            "2:7: 'name' must be a word of a, b and c, not 'true' (put it in quotes)\n");
}

TEST(FormReader, NamesThePathsOfJson) {
  Diagnostics diagnostics;
  const json value = {{"kind", "plan"}, {"name", "a"}, {"parts", {{{"side", 10}}, {{"edge", 1}}}}};
  const auto document = YamlDocument::of_json(value, "f.json", "data", diagnostics);
  const Input<Plan> plan(document.root(), diagnostics);
  EXPECT_EQ(diagnostics.render(),
            "f.json: error: 'data.parts[0].side' must be an integer from 1 to 9, not '10'\n"
            "f.json: error: unknown key 'data.parts[1].edge'\n"
            "  hint: valid keys: shape, side, inner\n"
            "f.json: error: missing key 'data.count' or 'share'\n"
            "  hint: it must be an integer from 0 to 4294967295");
}

TEST(FormReader, TellsPlacesInTheOrderOfTheFile) {
  Diagnostics diagnostics;
  const auto document = YamlDocument::parse(
      "kind: plan\nname: a\ncount: 1\nvalues: {c: [1], a: [2], b: [3]}\n", "p", diagnostics);
  Input<Plan> plan(document.root(), diagnostics);
  EXPECT_EQ(plan.in_file_order("values", plan->values), (std::vector<std::string>{"c", "a", "b"}));
  EXPECT_TRUE(plan.has("values.a"));
  EXPECT_FALSE(plan.has("shift"));
  EXPECT_EQ(plan.places().position("values.a[0]").column, 22U);
  EXPECT_EQ(plan.places().position("parts[3].side").line, 1U);  // of the document
}

TEST(InputSchema, SaysTheSame) {
  const json schema =
      json::parse(schema_of(InputKind{.name = "plan", .title = "A plan", .form = form_of<Plan>}));
  EXPECT_EQ(schema["required"], json::parse(R"(["kind", "name"])"));
  const json& all = schema["properties"];
  EXPECT_EQ(all["kind"], json::parse(R"({"enum": ["plan"]})"));
  EXPECT_EQ(all["name"], json::parse(R"({"type": "string", "minLength": 1,
                                         "pattern": "^[abc]*$"})"));
  EXPECT_EQ(all["shift"], json::parse(R"({"type": "integer", "minimum": -9, "maximum": 9,
                                          "default": -5, "description": "way to go"})"));
  EXPECT_EQ(all["limit"], json::parse(R"({"anyOf": [
      {"type": "integer", "minimum": 0, "maximum": 4294967295}, {"const": "none"}],
      "default": 7})"));
  EXPECT_EQ(all["words"], json::parse(R"({"type": "array",
      "prefixItems": [{"enum": ["go", "stay"]}],
      "items": {"type": ["string", "number", "boolean"], "minLength": 1}})"));
  EXPECT_EQ(all["tags"], json::parse(R"({"type": "array", "uniqueItems": true,
      "items": {"enum": ["red", "blue"]}})"));
  EXPECT_EQ(all["values"]["propertyNames"], json::parse(R"({"pattern": "^[abc]*$"})"));
  EXPECT_EQ(all["values"]["additionalProperties"]["anyOf"].size(), 2U);
  EXPECT_EQ(all["commands"]["additionalProperties"],
            json::parse(R"({"type": "string", "minLength": 1,
                            "allOf": [{"pattern": "\\{x\\}"}]})"));
  EXPECT_EQ(schema["allOf"], json::parse(R"([{"oneOf": [{"required": ["count"]},
                                                        {"required": ["share"]}]}])"));
  const json& part = all["parts"]["items"];
  EXPECT_EQ(part["unevaluatedProperties"], false);
  EXPECT_EQ(part["allOf"], json::parse(R"([
      {"if": {"properties": {"shape": {"enum": ["square"]}}},
       "then": {"properties": {"side": {"type": "integer", "minimum": 1, "maximum": 9,
                                        "default": 3}}}},
      {"if": {"properties": {"shape": {"enum": ["circle"]}}, "required": ["shape"]},
       "then": {"properties": {"radius": {"type": "number", "exclusiveMinimum": 0}},
                "required": ["radius"]}}])"));
  EXPECT_EQ(part["properties"]["inner"], json::parse(R"({"$ref": "#/$defs/piece"})"));
  EXPECT_EQ(schema["$defs"]["piece"]["properties"]["inner"], part["properties"]["inner"]);
}

}  // namespace
}  // namespace kernbench::common
