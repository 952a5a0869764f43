// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/numbers.hpp"
#include "common/text_distance.hpp"
#include "common/utf8.hpp"
#include "common/yaml_describe.hpp"
#include "common/yaml_reader.hpp"
#include "common/yaml_tree.hpp"

namespace kernbench::common {
namespace {

using Kind = YamlTree::Kind;

template <typename T>
std::optional<T> parse_integer(std::string_view text, const Range<T>& range) {
  if constexpr (std::is_signed_v<T>) {
    const auto value = parse_i64(text);
    if (value && *value >= range.min && *value <= range.max) return static_cast<T>(*value);
  } else {
    const auto value = parse_u64(text);
    if (value && *value >= range.min && *value <= range.max) return static_cast<T>(*value);
  }
  return std::nullopt;
}

std::optional<double> parse_number(std::string_view text, const NumberRange& range) {
  const auto value = parse_double(text);
  if (!value || *value < range.min || *value > range.max) return std::nullopt;
  if (range.exclude_min && *value == range.min) return std::nullopt;
  return value;
}

/// Returns the hint for a value that is valid except for its quotes.
std::string quotes_hint(const YamlTree& tree, bool right_without) {
  return tree.kind == Kind::Quoted && right_without ? "remove the quotes" : "";
}

}  // namespace

const SourcePosition& YamlNode::position() const {
  return tree_->position;
}
const std::string& YamlNode::label() const {
  return tree_->label;
}
const std::string& YamlNode::text() const {
  return tree_->text;
}
bool YamlNode::is_null() const {
  return tree_->kind == Kind::Null;
}
bool YamlNode::is_refused() const {
  return tree_->kind == Kind::Refused;
}
bool YamlNode::is_text() const {
  if (tree_->kind == Kind::Quoted) return true;
  const std::string& text = tree_->text;
  return tree_->kind == Kind::Plain && !parse_double(text) && text != "true" && text != "false";
}
std::vector<std::string_view> YamlNode::keys() const {
  std::vector<std::string_view> keys;
  for (const YamlEntry& entry : tree_->entries) keys.push_back(entry.key);
  return keys;
}
bool YamlNode::is_map() const {
  return tree_->kind == Kind::Map;
}
bool YamlNode::is_list() const {
  return tree_->kind == Kind::List;
}
bool YamlNode::is_scalar() const {
  return tree_->kind == Kind::Plain || tree_->kind == Kind::Quoted;
}

void YamlNode::error(std::string message, std::string hint) const {
  diagnostics_->error(tree_->position, std::move(message), std::move(hint));
}

void YamlNode::refuse(const std::string& expected, std::string hint) const {
  if (tree_->kind == Kind::Refused) return;
  error(fmt::format("{} must be {}, not {}", tree_->label, expected, describe_value(*tree_)),
        std::move(hint));
}

template <typename T>
T YamlNode::integer(Range<T> range, std::optional<T> fallback) const {
  const auto value = is_scalar() ? parse_integer(tree_->text, range) : std::nullopt;
  if (value && tree_->kind == Kind::Plain) return *value;
  refuse(describe(range), quotes_hint(*tree_, value.has_value()));
  return fallback.value_or(std::clamp(T{0}, range.min, range.max));
}

std::uint64_t YamlNode::u64(Range<std::uint64_t> range,
                            std::optional<std::uint64_t> fallback) const {
  return integer(range, fallback);
}

std::uint32_t YamlNode::u32(Range<std::uint32_t> range,
                            std::optional<std::uint32_t> fallback) const {
  return integer(range, fallback);
}

std::int64_t YamlNode::i64(Range<std::int64_t> range, std::optional<std::int64_t> fallback) const {
  return integer(range, fallback);
}

double YamlNode::number(NumberRange range, std::optional<double> fallback) const {
  const auto value = is_scalar() ? parse_number(tree_->text, range) : std::nullopt;
  if (value && tree_->kind == Kind::Plain) return *value;
  refuse(describe(range), quotes_hint(*tree_, value.has_value()));
  return fallback.value_or(std::clamp(0.0, range.min, range.max));
}

bool YamlNode::boolean(std::optional<bool> fallback) const {
  const bool spelled = is_scalar() && (tree_->text == "true" || tree_->text == "false");
  if (spelled && tree_->kind == Kind::Plain) return tree_->text == "true";
  refuse("true or false", quotes_hint(*tree_, spelled));
  return fallback.value_or(false);
}

std::string YamlNode::string(std::optional<std::string> fallback) const {
  if (is_scalar() && tree_->text.find('\n') != std::string::npos) {
    error(fmt::format("{} has a control character", in_quotes(tree_->text)),
          "write it on one line of printable characters");
    return std::move(fallback).value_or("");
  }
  return lines(std::move(fallback));
}

std::string YamlNode::lines(std::optional<std::string> fallback) const {
  if (is_scalar() && !tree_->text.empty()) return tree_->text;
  refuse("text");
  return std::move(fallback).value_or("");
}

std::size_t YamlNode::one_of(std::span<const std::string_view> names,
                             std::optional<std::size_t> fallback) const {
  std::string hint;
  if (is_scalar()) {
    const auto found = std::find(names.begin(), names.end(), tree_->text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const auto nearest = nearest_name(tree_->text, names);
    if (nearest) hint = fmt::format("did you mean '{}'?", *nearest);
  }
  refuse(describe_names(names), hint);
  return fallback.value_or(0);
}

std::vector<YamlNode> YamlNode::list(Range<std::size_t> length) const {
  std::vector<YamlNode> nodes;
  if (!is_list()) {
    refuse(describe_list(length));
    return nodes;
  }
  const std::size_t size = tree_->items.size();
  if (size < length.min || size > length.max) {
    error(fmt::format("{} must be {}, not of {}", tree_->label, describe_list(length), size));
  }
  for (const YamlTree& item : tree_->items) nodes.emplace_back(item, *diagnostics_);
  return nodes;
}

}  // namespace kernbench::common
