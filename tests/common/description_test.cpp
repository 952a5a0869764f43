// SPDX-License-Identifier: Apache-2.0
#include "common/description.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernbench::common {
namespace {

struct Part {
  std::string name;
  SimTime time;
  std::optional<double> rate{};
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

namespace {

using nlohmann::json;

TEST(Description, WritesNullAndLeavesOutWhatIsAbsent) {
  const Whole whole{{"a", SimTime::from_ps(7)}, {{"b", SimTime::from_ps(8), 1.5}}};
  EXPECT_EQ(json_of(whole), json::parse(R"({
    "name": "a", "time_ps": 7, "parts": [{"name": "b", "time_ps": 8, "rate_gbs": 1.5}],
    "number": null, "done": false, "place_mm": [0.0, 0.0], "grade": {"kind": "exact"}})"));
}

TEST(Description, WritesWhatIsThere) {
  Whole whole{{"a", SimTime::from_ps(7)}, {}};
  whole.number = 3;
  whole.extra = Part{"c", SimTime::from_ps(9)};
  whole.rest = {{"d", SimTime::from_ps(1)}};
  const json written = json_of(whole);
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
      json::parse(report_schema("whole", "A whole", description_of<Whole>().form(), true));
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
        "time_ps": {"type": "integer", "minimum": 1},
        "rate_gbs": {"type": "number", "description": "absent unless it was measured"}}}})"));
  EXPECT_EQ(data["properties"]["number"],
            json::parse(R"({"type": ["integer", "null"], "minimum": 0})"));
  EXPECT_EQ(data["properties"]["extra"]["description"], "one more; absent unless there is one");
  EXPECT_EQ(data["properties"]["place_mm"], json::parse(R"({
    "type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}})"));
  EXPECT_EQ(data["properties"]["grade"]["$ref"], "../envelope.schema.json#/properties/grade");
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
