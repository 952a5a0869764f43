// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_description.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"
#include "tests/places.hpp"

namespace kernbench::topology {
namespace {

using nlohmann::json;

const std::string kSchema = places::source("/configs/topology.schema.json");
const std::string kConfig = places::source("/configs/topology.yaml");

std::string topology_json_schema() {
  return common::schema_of(kTopologyFile);
}

/// Calls `visit(name, schema)` for each key except sections.
template <typename Visit>
void for_each_value(const json& object, const std::string& name, const Visit& visit) {
  for (const auto& [key, schema] : object["properties"].items()) {
    const std::string full = fmt::format("{}.{}", name, key);
    if (schema.value("type", "") == "object") {
      for_each_value(schema, full, visit);
    } else if (key == "io_chiplets") {
      for_each_value(schema["items"], full, visit);
    } else {
      visit(full, schema);
    }
  }
}

/// Collects the keys of `object` that `map` does not have.
void collect_absent(const json& object, const common::YamlNode& node,
                    std::vector<std::string>& absent) {
  common::YamlMap map(node);
  for (const auto& [key, schema] : object["properties"].items()) {
    const auto value = map.node(key);
    if (!value) {
      absent.push_back(key);
    } else if (schema.value("type", "") == "object") {
      collect_absent(schema, *value, absent);
    } else if (key == "io_chiplets") {
      for (const common::YamlNode& item : value->list()) {
        collect_absent(schema["items"], item, absent);
      }
    }
  }
}

TEST(TopologySchema, IsTheCommittedFile) {
  EXPECT_EQ(common::read_text_file(kSchema), topology_json_schema())
      << "the description of the spec has changed; regenerate the file with\n"
         "  kernbench schema inputs/topology > configs/topology.schema.json";
}

TEST(TopologySchema, NamesItsDraftAndRefusesUnknownKeys) {
  const json schema = json::parse(topology_json_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["properties"]["cube"]["properties"]["geometry"]["additionalProperties"], false);
  EXPECT_EQ(
      schema["properties"]["sip"]["properties"]["io_chiplets"]["items"]["additionalProperties"],
      false);
}

/// Returns true if `schema` allows its own default.
bool accepts_its_default(const json& schema) {
  const json& value = schema["default"];
  return (!schema.contains("minimum") || value >= schema["minimum"]) &&
         (!schema.contains("exclusiveMinimum") || value > schema["exclusiveMinimum"]) &&
         (!schema.contains("maximum") || value <= schema["maximum"]) &&
         (!schema.contains("enum") ||
          std::find(schema["enum"].begin(), schema["enum"].end(), value) != schema["enum"].end());
}

TEST(TopologySchema, GivesEveryKeyADefaultWithinItsRangeAndAMeaning) {
  std::size_t keys = 0;
  const auto check = [&](const std::string& key, const json& schema) {
    ++keys;
    EXPECT_FALSE(schema.value("description", "").empty()) << key;
    ASSERT_TRUE(schema.contains("default")) << key;
    EXPECT_TRUE(accepts_its_default(schema)) << key;
  };
  for_each_value(json::parse(topology_json_schema()), "", check);
  EXPECT_EQ(keys, 121U);
}

TEST(TopologySchema, SpellsEachKindOfValue) {
  const json keys = json::parse(topology_json_schema())["properties"];
  EXPECT_EQ(keys["system"]["properties"]["sips"]["properties"]["count"],
            json::parse(R"({"type": "integer", "minimum": 1, "maximum": 256, "default": 2,
            "description": "Number of SIPs; a physical address has 8 bits for it."})"));
  const json inter_cube = keys["sip"]["properties"]["inter_cube"]["anyOf"];
  EXPECT_EQ(inter_cube[0]["enum"], json::parse(R"(["ucie_mesh", "maze"])"));
  EXPECT_EQ(inter_cube[1]["required"], json::parse(R"(["noc"])"));
  const json cube = keys["cube"]["properties"];
  EXPECT_EQ(cube["geometry"]["properties"]["cube_mm"]["properties"]["w"]["exclusiveMinimum"], 0.0);
  EXPECT_EQ(cube["pe_layout"]["properties"]["corners"]["uniqueItems"], true);
  EXPECT_EQ(cube["pe_layout"]["properties"]["corners"]["minItems"], 1);
  EXPECT_EQ(cube["placement"]["properties"]["sram"]["properties"]["pos_mm"]["default"],
            json::parse("[1.5, 8.5]"));
  EXPECT_EQ(keys["sip"]["properties"]["io_chiplets"]["items"]["properties"]["id"]["pattern"],
            "^[a-z][a-z0-9_]*$");
}

TEST(ShippedTopology, HasEveryKeyThereIs) {
  common::Diagnostics diagnostics;
  const auto document = common::YamlDocument::load(kConfig, diagnostics);
  std::vector<std::string> absent;
  collect_absent(json::parse(topology_json_schema()), document.root(), absent);
  EXPECT_THAT(absent, testing::IsEmpty());
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.render();
}

}  // namespace
}  // namespace kernbench::topology
