// SPDX-License-Identifier: Apache-2.0
#include "common/description.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernbench::common {
namespace {

enum class Colour : std::uint8_t { Red, Blue };
constexpr std::array<EnumName<Colour>, 2> kColours = {
    {{"red", Colour::Red}, {"blue", Colour::Blue}}};
constexpr const auto& name_table(Colour /*any*/) {
  return kColours;
}

struct Part {
  std::string name;
  SimTime time;
  std::optional<double> rate{};

  friend bool operator==(const Part&, const Part&) = default;
};
/// A value with members of all kinds that can be read.
struct Stored {
  Part part;
  Colour colour = Colour::Red;
  std::string memory = "hbm";
  std::uint32_t number = 0;
  std::uint64_t left = 0;
  std::vector<std::uint32_t> right{};
  std::optional<double> share{};
  std::vector<Part> parts{};
  std::array<double, 2> place{};
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::map<std::string, std::string> names{};
  std::map<std::string, std::optional<SimTime>> times{};
  std::string hash = "0123456789abcdef";
  bool done = false;

  friend bool operator==(const Stored&, const Stored&) = default;
};
struct Whole {
  Part part;
  std::vector<Part> parts;
  std::optional<std::uint32_t> number{};
  std::optional<Part> extra{};
  bool done = false;
  std::array<double, 2> place{};
  std::vector<Part> rest{};
};

}  // namespace

template <>
const Description<Part>& description_of() {
  static const auto kAll = Description<Part>()
                               .add("name", &Part::name, "as given")
                               .not_empty()
                               .add("time_ps", &Part::time)
                               .at_least(1)
                               .add("rate_gbs", &Part::rate)
                               .absent_unless("it was measured");
  return kAll;
}

template <>
const Description<Whole>& description_of() {
  static const auto kAll = Description<Whole>()
                               .add_members(&Whole::part)
                               .add("parts", &Whole::parts, "in order")
                               .add("number", &Whole::number)
                               .or_null()
                               .add("extra", &Whole::extra, "one more")
                               .absent_unless("there is one")
                               .add("done", &Whole::done)
                               .add("place_mm", &Whole::place)
                               .add("grade", [](const Whole&) { return Grade(); })
                               .add("rest", &Whole::rest)
                               .absent_unless("there are any");
  return kAll;
}

template <>
const Description<Stored>& description_of() {
  static const auto kAll = Description<Stored>()
                               .add_members(&Stored::part)
                               .add("colour", &Stored::colour)
                               .add("memory", &Stored::memory)
                               .one_of({"hbm", "tcm"})
                               .add("number", &Stored::number)
                               .add("left", &Stored::left)
                               .at_least(1)
                               .at_most(9)
                               .absent_unless("it is on the left")
                               .add("right", &Stored::right)
                               .items_at_least(1)
                               .absent_unless("it is on the right")
                               .either({"left", "right"})
                               .add("share", &Stored::share)
                               .above(0)
                               .at_most(1)
                               .or_null()
                               .add("parts", &Stored::parts)
                               .not_empty()
                               .add("place_mm", &Stored::place)
                               .add("low", &Stored::low)
                               .add("high", &Stored::high)
                               .ascending({"low", "high"})
                               .add("sum", [](const Stored& all) { return all.low + all.high; })
                               .computed()
                               .add("names", &Stored::names)
                               .add("times_ps", &Stored::times)
                               .add("hash", &Stored::hash)
                               .hash()
                               .add("done", &Stored::done);
  return kAll;
}

namespace {

using nlohmann::json;

TEST(Description, WritesNullAndLeavesOutWhatIsAbsent) {
  const Whole whole{{"a", SimTime::from_ps(7)}, {{"b", SimTime::from_ps(8), 1.5}}};
  EXPECT_EQ(to_json(whole), json::parse(R"({
    "name": "a", "time_ps": 7, "parts": [{"name": "b", "time_ps": 8, "rate_gbs": 1.5}],
    "number": null, "done": false, "place_mm": [0.0, 0.0], "grade": {"kind": "exact"}})"));
}

TEST(Description, WritesWhatIsThere) {
  Whole whole{{"a", SimTime::from_ps(7)}, {}};
  whole.number = 3;
  whole.extra = Part{"c", SimTime::from_ps(9)};
  whole.rest = {{"d", SimTime::from_ps(1)}};
  const json written = to_json(whole);
  EXPECT_EQ(written["number"], 3);
  EXPECT_EQ(written["parts"], json::array());
  EXPECT_EQ(written["extra"], json::parse(R"({"name": "c", "time_ps": 9})"));
  EXPECT_EQ(written["rest"], json::parse(R"([{"name": "d", "time_ps": 1}])"));
}

struct Gap {
  std::optional<int> number{};
};

TEST(Description, RefusesAValueThatMayNotBeMissing) {
  const auto description = Description<Gap>().add("number", &Gap::number);
  EXPECT_EQ(description.to_json({3}), json::parse(R"({"number": 3})"));
  try {
    (void)description.to_json({});
    FAIL() << "wrote a report that its schema refuses";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "no value for the member number");
  }
}

TEST(Description, GivesTheSchema) {
  const json schema =
      json::parse(report_schema("whole", "A whole", description_of<Whole>().form(), {}));
  EXPECT_EQ(schema["required"], json::array({"grade"}));
  EXPECT_EQ(schema["properties"]["kind"], json::parse(R"({"const": "whole"})"));
  const json& data = schema["properties"]["data"];
  EXPECT_EQ(data["additionalProperties"], false);
  EXPECT_EQ(data["required"],
            json::array({"name", "time_ps", "parts", "number", "done", "place_mm", "grade"}));
  EXPECT_EQ(data["properties"]["parts"], json::parse(R"({
    "type": "array", "description": "in order", "items": {
      "type": "object", "additionalProperties": false, "required": ["name", "time_ps"],
      "properties": {
        "name": {"type": "string", "minLength": 1, "description": "as given"},
        "time_ps": {"type": "integer", "minimum": 1, "maximum": 9223372036854775807},
        "rate_gbs": {"type": "number", "description": "absent unless it was measured"}}}})"));
  EXPECT_EQ(data["properties"]["number"],
            json::parse(R"({"type": ["integer", "null"], "minimum": 0, "maximum": 4294967295})"));
  EXPECT_EQ(data["properties"]["extra"]["description"], "one more; absent unless there is one");
  EXPECT_EQ(data["properties"]["place_mm"], json::parse(R"({
    "type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}})"));
  EXPECT_EQ(data["properties"]["grade"]["$ref"], "../envelope.schema.json#/properties/grade");
}

Stored stored() {
  Stored value{{"a", SimTime::from_ps(7), 0.1}, Colour::Blue, "tcm", 4'294'967'295U};
  value.left = 3;
  value.parts = {{"b", SimTime::from_ps(1)}};
  value.place = {1.5, 1.0 / 3.0};
  value.names = {{"x", "y"}};
  value.times = {{"cycle", SimTime::from_ps(4)}, {"rtl", std::nullopt}};
  value.done = true;
  return value;
}

TEST(Description, IsReadAsItWasWritten) {
  Stored value = stored();
  EXPECT_EQ(value_of<Stored>(json::parse(to_json(value).dump()), "file"), value);
  value.left = 0;
  value.right = {1, 2};
  value.share = 0.25;
  EXPECT_EQ(value_of<Stored>(json::parse(to_json(value).dump()), "file"), value);
}

/// Returns the errors of reading a value that `damage` has changed.
std::string refusal(const std::function<void(json&)>& damage) {
  json data = to_json(stored());
  damage(data);
  try {
    (void)value_of<Stored>(data, "f");
    return "accepted";
  } catch (const BadInput& error) {
    return error.what();
  }
}

TEST(Description, RefusesWhatHasNotItsForm) {
  EXPECT_EQ(refusal([](json& data) { data = 7; }), "f: error: 'data' must be a map, not '7'");
  EXPECT_EQ(refusal([](json& data) {
              data.erase("number");
              data["numbers"] = 1;
            }),
            "f: error: missing key 'data.number'\n"
            "  hint: it must be an integer from 0 to 4294967295\n"
            "f: error: unknown key 'data.numbers'\n"
            "  hint: did you mean 'number'?");
  EXPECT_EQ(refusal([](json& data) { data["number"] = 4'294'967'296; }),
            "f: error: 'data.number' must be an integer from 0 to 4294967295, not '4294967296'");
  EXPECT_EQ(refusal([](json& data) { data["time_ps"] = ~std::uint64_t{0}; }),
            "f: error: 'data.time_ps' must be an integer from 1 to 9223372036854775807, not "
            "'18446744073709551615'");
  EXPECT_EQ(refusal([](json& data) { data["left"] = 10; }),
            "f: error: 'data.left' must be an integer from 1 to 9, not '10'");
  EXPECT_EQ(refusal([](json& data) { data["right"] = {1}; }),
            "f: error: 'data.left' and 'data.right' exclude each other");
  EXPECT_EQ(refusal([](json& data) { data.erase("left"); }),
            "f: error: missing key 'data.left' or 'right'\n"
            "  hint: it must be an integer from 1 to 9");
  EXPECT_EQ(refusal([](json& data) {
              data.erase("left");
              data["right"] = {3, 0, 1.5};
            }),
            "f: error: 'data.right[1]' must be an integer from 1 to 4294967295, not '0'\n"
            "f: error: 'data.right[2]' must be an integer from 1 to 4294967295, not '1.5'");
  EXPECT_EQ(refusal([](json& data) { data["colour"] = "green"; }),
            "f: error: 'data.colour' must be one of red, blue, not 'green'");
  EXPECT_EQ(refusal([](json& data) { data["memory"] = 3; }),
            "f: error: 'data.memory' must be one of hbm, tcm, not '3'");
  EXPECT_EQ(refusal([](json& data) { data["name"] = ""; }),
            "f: error: 'data.name' must be text, not ''");
  EXPECT_EQ(refusal([](json& data) { data["name"] = nullptr; }),
            "f: error: 'data.name' must be text, not nothing");
  EXPECT_EQ(refusal([](json& data) { data["share"] = 0; }),
            "f: error: 'data.share' must be a number above 0 and at most 1, not '0'");
  EXPECT_EQ(refusal([](json& data) { data["share"] = "all"; }),
            "f: error: 'data.share' must be a number above 0 and at most 1, not 'all'");
  EXPECT_EQ(refusal([](json& data) { data["parts"] = json::array(); }),
            "f: error: 'data.parts' must be a list of at least 1 item, not of 0");
  EXPECT_EQ(refusal([](json& data) { data["parts"][0]["time_ps"] = 0; }),
            "f: error: 'data.parts[0].time_ps' must be an integer from 1 to 9223372036854775807, "
            "not '0'");
  EXPECT_EQ(refusal([](json& data) { data["parts"] = "b"; }),
            "f: error: 'data.parts' must be a list of at least 1 item, not 'b'");
  EXPECT_EQ(refusal([](json& data) { data["place_mm"] = {1.0}; }),
            "f: error: 'data.place_mm' must be a list of 2 items, not of 1");
  EXPECT_EQ(refusal([](json& data) {
              data["names"] = {{"x", 1}};
            }),
            "f: error: 'data.names.x' must be text, not '1'\n"
            "  hint: put it in quotes");
  EXPECT_EQ(
      refusal([](json& data) { data["times_ps"]["rtl"] = -1; }),
      "f: error: 'data.times_ps.rtl' must be an integer from 0 to 9223372036854775807, not '-1'");
  EXPECT_EQ(refusal([](json& data) { data["hash"] = "0123456789ABCDEF"; }),
            "f: error: 'data.hash' must be 16 hexadecimal digits, not '0123456789ABCDEF'");
  EXPECT_EQ(refusal([](json& data) { data["done"] = 1; }),
            "f: error: 'data.done' must be true or false, not '1'");
}

TEST(Description, SchemaRefusesTheSame) {
  const json data = json::parse(
      report_schema("stored", "A", description_of<Stored>().form(), {}))["properties"]["data"];
  EXPECT_EQ(data["allOf"],
            json::parse(R"([{"oneOf": [{"required": ["left"]}, {"required": ["right"]}]}])"));
  EXPECT_EQ(data["properties"]["times_ps"], json::parse(R"({
    "type": "object",
    "additionalProperties": {"type": ["integer", "null"], "minimum": 0,
                             "maximum": 9223372036854775807}})"));
  EXPECT_EQ(data["properties"]["hash"],
            json::parse(R"({"type": "string", "pattern": "^[0-9a-f]{16}$"})"));
  EXPECT_EQ(data["properties"]["colour"], json::parse(R"({"enum": ["red", "blue"]})"));
  EXPECT_EQ(data["properties"]["memory"], json::parse(R"({"enum": ["hbm", "tcm"]})"));
  EXPECT_EQ(data["properties"]["right"]["items"],
            json::parse(R"({"type": "integer", "minimum": 1, "maximum": 4294967295})"));
}

TEST(Description, WithAFunctionIsReadOnlyWhereItIsComputed) {
  const auto get = [](const Gap& gap) { return gap.number.value_or(0); };
  Gap gap;
  Description<Gap>().add("sum", get).computed().read(json::parse(R"({"sum": 3})"), gap);
  EXPECT_EQ(gap.number, std::nullopt);
  EXPECT_THROW(Description<Gap>().add("sum", get).read(json::parse(R"({"sum": 3})"), gap),
               std::logic_error);
}

TEST(Description, NamesAndScalesMembersForReaders) {
  EXPECT_EQ(heading_of_member("longest_queue_ps"), "longest queue us");
  EXPECT_EQ(heading_of_member("read_gbs"), "read GB/s");
  EXPECT_EQ(heading_of_member("read_bytes"), "read bytes");
  EXPECT_EQ(title_of_member("attention_ps"), "attention");
  EXPECT_EQ(inner_name("first_token_ps", "p50"), "first_token_p50_ps");
  EXPECT_EQ(inner_name("hbm", "bytes"), "hbm_bytes");
  EXPECT_EQ(inner_name("spread_ps", "rate_gbs"), "spread_rate_gbs");
  EXPECT_EQ(text_of_member("time_ps", 1'234'567), "1.235");
  EXPECT_EQ(text_of_member("predicted_ns", 1500.0), "1.500");
  EXPECT_EQ(text_of_member("bytes", 4096), "4096");
  EXPECT_EQ(text_of_member("worst", 0.25), "0.250");
  EXPECT_EQ(text_of_member("no_difference", true), "yes");
  EXPECT_EQ(text_of_member("region", nullptr), "");
}

TEST(Description, HasMembersByName) {
  EXPECT_EQ(description_of<Whole>().form().member("parts").meaning, "in order");
  EXPECT_THROW((void)description_of<Whole>().form().member("part"), std::out_of_range);
}

}  // namespace
}  // namespace kernbench::common
