// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_schema.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "topology/spec/spec_description.hpp"

namespace kernbench::topology {
namespace {

using Json = nlohmann::ordered_json;

Json number_schema(const common::NumberRange& range) {
  Json schema = {{"type", "number"}};
  schema[range.exclude_min ? "exclusiveMinimum" : "minimum"] = range.min;
  schema["maximum"] = range.max;
  return schema;
}

Json object_schema() {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
}

/// Builds the schema from the description of the spec.
class SchemaWriter : public SpecVisitor {
 public:
  explicit SchemaWriter(Json root) { open_.push_back({"", std::move(root)}); }

  [[nodiscard]] Json take() { return std::move(open_.back().schema); }

  void begin_section(std::string_view key, std::string_view meaning) override {
    Json schema = object_schema();
    schema["description"] = meaning;
    open_.push_back({std::string(key), std::move(schema)});
  }

  void end_section() override {
    Open closed = std::move(open_.back());
    open_.pop_back();
    open_.back().schema["properties"][closed.key] = std::move(closed.schema);
  }

  void integer(std::string_view key, std::uint32_t& value, common::Range<std::uint32_t> range,
               std::string_view meaning) override {
    add(key, {{"type", "integer"}, {"minimum", range.min}, {"maximum", range.max}}, value, meaning);
  }

  void optional_integer(std::string_view key, std::optional<std::uint32_t>& value,
                        common::Range<std::uint32_t> range, std::string_view meaning) override {
    const Json number = {{"type", "integer"}, {"minimum", range.min}, {"maximum", range.max}};
    add(key, {{"anyOf", {number, {{"const", "none"}}}}}, value ? Json(*value) : Json("none"),
        meaning);
  }

  void number(std::string_view key, double& value, common::NumberRange range,
              std::string_view meaning) override {
    add(key, number_schema(range), value, meaning);
  }

  void identifier(std::string_view key, std::string& value, std::string_view meaning) override {
    add(key, {{"type", "string"}, {"pattern", "^[a-z][a-z0-9_]*$"}}, value, meaning);
  }

  void position(std::string_view key, PositionMm& value, common::NumberRange range,
                std::string_view meaning) override {
    add(key, {{"type", "array"}, {"items", number_schema(range)}, {"minItems", 2}, {"maxItems", 2}},
        Json::array({value.x, value.y}), meaning);
  }

  void name(std::string_view key, std::size_t& value, std::span<const std::string_view> names,
            std::string_view meaning) override {
    add(key, {{"enum", names}}, names[value], meaning);
  }

  void names(std::string_view key, std::vector<std::size_t>& values,
             std::span<const std::string_view> names, std::size_t min_length,
             std::string_view meaning) override {
    Json defaults = Json::array();
    for (const std::size_t index : values) defaults.push_back(names[index]);
    add(key,
        {{"type", "array"},
         {"items", {{"enum", names}}},
         {"minItems", min_length},
         {"uniqueItems", true}},
        std::move(defaults), meaning);
  }

  void io_chiplets(std::string_view key, std::vector<IoChipletSpec>& /*chiplets*/,
                   common::Range<std::size_t> length, std::string_view meaning) override {
    SchemaWriter item(object_schema());
    IoChipletSpec chiplet;
    describe(item, chiplet);
    open_.back().schema["properties"][std::string(key)] = {{"type", "array"},
                                                           {"items", item.take()},
                                                           {"minItems", length.min},
                                                           {"maxItems", length.max},
                                                           {"description", meaning}};
  }

 private:
  struct Open {
    std::string key;
    Json schema;
  };

  void add(std::string_view key, Json schema, Json fallback, std::string_view meaning) {
    schema["default"] = std::move(fallback);
    schema["description"] = meaning;
    open_.back().schema["properties"][std::string(key)] = std::move(schema);
  }

  std::vector<Open> open_;
};

}  // namespace

std::string topology_json_schema() {
  Json root = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
               {"title", "topology.yaml of KernBench"}};
  root.update(object_schema());
  SchemaWriter writer(std::move(root));
  TopologySpec defaults;
  describe(writer, defaults);
  return writer.take().dump(2) + "\n";
}

}  // namespace kernbench::topology
