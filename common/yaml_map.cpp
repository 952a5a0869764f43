// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "common/text_distance.hpp"
#include "common/text_file.hpp"
#include "common/utf8.hpp"
#include "common/yaml_describe.hpp"
#include "common/yaml_reader.hpp"
#include "common/yaml_tree.hpp"

namespace kernbench::common {
namespace {

using Kind = YamlTree::Kind;

/// The map that stands in for an absent optional map.
const YamlTree& empty_map() {
  static const YamlTree kEmpty = [] {
    YamlTree tree;
    tree.kind = Kind::Map;
    return tree;
  }();
  return kEmpty;
}

/// The map that stands in for an absent required map. Its absence has been reported, so reading it
/// reports nothing.
const YamlTree& refused_map() {
  static const YamlTree kRefused = [] {
    YamlTree tree;
    tree.kind = Kind::Refused;
    return tree;
  }();
  return kRefused;
}

}  // namespace

YamlDocument YamlDocument::load(const std::filesystem::path& path, Diagnostics& diagnostics) {
  return parse(read_text_file(path, kMaxYamlBytes), path.string(), diagnostics);
}

YamlDocument YamlDocument::parse(std::string_view text, const std::string& name,
                                 Diagnostics& diagnostics) {
  return {std::make_shared<const YamlTree>(parse_yaml_tree(text, name, diagnostics)), diagnostics};
}

YamlDocument YamlDocument::of_json(const nlohmann::json& value, const std::string& file,
                                   const std::string& place, Diagnostics& diagnostics) {
  return {std::make_shared<const YamlTree>(tree_of_json(value, file, place)), diagnostics};
}

YamlMap::YamlMap(const YamlTree& tree, const SourcePosition& position, Diagnostics& diagnostics)
    : tree_(&tree),
      position_(&position),
      diagnostics_(&diagnostics),
      exceptions_at_start_(std::uncaught_exceptions()) {
  ++diagnostics.open_readers_;
}

YamlMap::YamlMap(const YamlNode& node)
    : YamlMap(node.is_map() ? *node.tree_ : refused_map(), node.position(), *node.diagnostics_) {
  if (!node.is_map()) node.refuse("a map");
}

YamlMap::~YamlMap() {
  if (std::uncaught_exceptions() > exceptions_at_start_) {
    if (!finished_) --diagnostics_->open_readers_;
    return;
  }
  finish();
}

void YamlMap::finish() {
  if (finished_) return;
  finished_ = true;
  --diagnostics_->open_readers_;
  const std::vector<std::string_view> known(asked_.begin(), asked_.end());
  std::vector<std::string_view> absent;  // suggestions: a key that is present cannot be meant
  std::copy_if(known.begin(), known.end(), std::back_inserter(absent),
               [&](std::string_view key) { return find(key) == nullptr; });
  for (const YamlEntry& entry : tree_->entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const auto nearest = nearest_name(entry.key, absent);
    std::string hint;
    if (nearest) {
      hint = fmt::format("did you mean '{}'?", *nearest);
    } else if (known.empty()) {
      hint = "no keys are allowed here";
    } else {
      hint = fmt::format("valid keys: {}", fmt::join(known, ", "));
    }
    diagnostics_->error(entry.position,
                        fmt::format("unknown key {}", in_quotes(full_name(entry.key))),
                        std::move(hint));
  }
}

const YamlTree* YamlMap::find(std::string_view key) const {
  const auto entry = std::find_if(tree_->entries.begin(), tree_->entries.end(),
                                  [&](const YamlEntry& e) { return e.key == key; });
  return entry == tree_->entries.end() ? nullptr : &entry->value;
}

std::optional<YamlNode> YamlMap::ask(std::string_view key) {
  if (finished_) throw std::logic_error("YamlMap read after finish()");
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  const YamlTree* value = find(key);
  if (value == nullptr) return std::nullopt;
  return YamlNode(*value, *diagnostics_);
}

void YamlMap::report_missing(std::string_view key, const std::string& expected) const {
  if (tree_->kind == Kind::Refused) return;
  diagnostics_->error(*position_, fmt::format("missing key '{}'", full_name(key)),
                      fmt::format("it must be {}", expected));
}

template <typename T, typename Read>
T YamlMap::get(std::string_view key, const std::string& expected, std::optional<T> fallback,
               T neutral, Read read) {
  if (const auto value = ask(key)) return read(*value);
  if (!fallback) report_missing(key, expected);
  return std::move(fallback).value_or(std::move(neutral));
}

bool YamlMap::has(std::string_view key) {
  if (find(key) != nullptr) return true;
  ask(key);  // registers the key, so that a misspelling of it gets a suggestion
  return false;
}

std::uint64_t YamlMap::u64(std::string_view key, Range<std::uint64_t> range,
                           std::optional<std::uint64_t> fallback) {
  return get(key, describe(range), fallback, range.min,
             [&](const YamlNode& value) { return value.u64(range, fallback); });
}

std::uint32_t YamlMap::u32(std::string_view key, Range<std::uint32_t> range,
                           std::optional<std::uint32_t> fallback) {
  return get(key, describe(range), fallback, range.min,
             [&](const YamlNode& value) { return value.u32(range, fallback); });
}

std::int64_t YamlMap::i64(std::string_view key, Range<std::int64_t> range,
                          std::optional<std::int64_t> fallback) {
  const std::int64_t neutral = std::clamp<std::int64_t>(0, range.min, range.max);
  return get(key, describe(range), fallback, neutral,
             [&](const YamlNode& value) { return value.i64(range, fallback); });
}

double YamlMap::number(std::string_view key, NumberRange range, std::optional<double> fallback) {
  return get(key, describe(range), fallback, std::clamp(0.0, range.min, range.max),
             [&](const YamlNode& value) { return value.number(range, fallback); });
}

bool YamlMap::boolean(std::string_view key, std::optional<bool> fallback) {
  return get(key, "true or false", fallback, false,
             [&](const YamlNode& value) { return value.boolean(fallback); });
}

std::string YamlMap::string(std::string_view key, std::optional<std::string> fallback) {
  return get(key, "text", fallback, std::string(),
             [&](const YamlNode& value) { return value.string(fallback); });
}

std::string YamlMap::lines(std::string_view key, std::optional<std::string> fallback) {
  return get(key, "text", fallback, std::string(),
             [&](const YamlNode& value) { return value.lines(fallback); });
}

std::size_t YamlMap::one_of(std::string_view key, std::span<const std::string_view> names,
                            std::optional<std::size_t> fallback) {
  return get(key, describe_names(names), fallback, std::size_t{0},
             [&](const YamlNode& value) { return value.one_of(names, fallback); });
}

std::vector<YamlNode> YamlMap::list(std::string_view key, Range<std::size_t> length) {
  return get(key, describe_list(length), std::optional<std::vector<YamlNode>>(),
             std::vector<YamlNode>(), [&](const YamlNode& value) { return value.list(length); });
}

std::vector<YamlNode> YamlMap::optional_list(std::string_view key, Range<std::size_t> length) {
  const auto value = ask(key);
  return value ? value->list(length) : std::vector<YamlNode>();
}

YamlMap YamlMap::map(std::string_view key) {
  if (const auto value = ask(key)) return YamlMap(*value);
  report_missing(key, "a map");
  return {refused_map(), *position_, *diagnostics_};
}

YamlMap YamlMap::optional_map(std::string_view key) {
  if (const auto value = ask(key)) return YamlMap(*value);
  return {empty_map(), *position_, *diagnostics_};
}

std::optional<YamlNode> YamlMap::node(std::string_view key) {
  return ask(key);
}

std::vector<std::pair<std::string, YamlNode>> YamlMap::entries() {
  std::vector<std::pair<std::string, YamlNode>> all;
  for (const YamlEntry& entry : tree_->entries) {
    ask(entry.key);
    all.emplace_back(entry.key, YamlNode(entry.value, *diagnostics_));
  }
  return all;
}

std::string YamlMap::full_name(std::string_view key) const {
  return tree_->path + std::string(key);
}

const SourcePosition& YamlMap::position(std::string_view key) const {
  const YamlTree* value = find(key);
  return value == nullptr ? *position_ : value->position;
}

void YamlMap::error(std::string_view key, std::string message, std::string hint) const {
  diagnostics_->error(position(key), std::move(message), std::move(hint));
}

}  // namespace kernbench::common
