// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"

namespace kernbench::common {

// Strict YAML, read like a schema. All errors of a file are collected: an invalid value reads as
// its fallback (or the allowed value nearest to 0), and reading continues.
//
//   Diagnostics diagnostics;
//   const YamlDocument document = YamlDocument::load("suite.yaml", diagnostics);
//   {
//     YamlMap suite(document.root());
//     spec.name = suite.string("name");                                         // required
//     spec.cycles = suite.u64("cycles", {.min = 1, .max = 100'000'000}, 20000);  // has a fallback
//     spec.pattern = suite.enumeration("pattern", kPatternNames, Pattern::Uniform);
//     for (const YamlNode& seed : suite.list("seeds", {.min = 1})) seeds.push_back(seed.u64());
//     if (spec.cycles % 2 != 0) suite.error("cycles", "'cycles' must be even");
//   }  // keys that were not read are errors
//   diagnostics.throw_if_any();

struct YamlTree;

// Limits of a document. A larger one is a mistake, not a configuration.
inline constexpr std::size_t kMaxYamlBytes = 1'048'576;
inline constexpr std::size_t kMaxYamlDepth = 64;  ///< levels of nested lists and maps

/// A range of allowed values; both ends are included.
template <typename T>
struct Range {
  T min = std::numeric_limits<T>::lowest();
  T max = std::numeric_limits<T>::max();
};

/// A range of allowed real numbers; `exclude_min` excludes `min` itself ("above 0").
struct NumberRange {
  double min = std::numeric_limits<double>::lowest();
  double max = std::numeric_limits<double>::max();
  bool exclude_min = false;
};

/// A value in a document with its position. Cheap to copy; must not outlive its YamlDocument. A
/// getter reports an invalid value and then returns `fallback`, or without a fallback the allowed
/// value nearest to 0 (the first name, false, an empty text).
class YamlNode {
 public:
  YamlNode(const YamlTree& tree, Diagnostics& diagnostics)
      : tree_(&tree), diagnostics_(&diagnostics) {}

  [[nodiscard]] const SourcePosition& position() const;
  [[nodiscard]] bool is_map() const;
  [[nodiscard]] bool is_list() const;
  [[nodiscard]] bool is_scalar() const;

  /// Reads an integer, decimal or hexadecimal with "0x", without quotes.
  [[nodiscard]] std::uint64_t u64(Range<std::uint64_t> range = {},
                                  std::optional<std::uint64_t> fallback = {}) const;
  [[nodiscard]] std::uint32_t u32(Range<std::uint32_t> range = {},
                                  std::optional<std::uint32_t> fallback = {}) const;
  [[nodiscard]] std::int64_t i64(Range<std::int64_t> range = {},
                                 std::optional<std::int64_t> fallback = {}) const;
  /// Reads a finite real number without quotes.
  [[nodiscard]] double number(NumberRange range = {}, std::optional<double> fallback = {}) const;
  /// Reads `true` or `false`; no other spelling is accepted.
  [[nodiscard]] bool boolean(std::optional<bool> fallback = {}) const;
  /// Reads any non-empty scalar of one line verbatim.
  [[nodiscard]] std::string string(std::optional<std::string> fallback = {}) const;
  /// Reads any non-empty scalar verbatim, also of several lines.
  [[nodiscard]] std::string lines(std::optional<std::string> fallback = {}) const;
  /// Returns the index of the value in `names`, which must not be empty. For an unknown value the
  /// error suggests the nearest name.
  [[nodiscard]] std::size_t one_of(std::span<const std::string_view> names,
                                   std::optional<std::size_t> fallback = {}) const;
  template <typename E, std::size_t N>
  [[nodiscard]] E enumeration(const std::array<EnumName<E>, N>& table,
                              std::type_identity_t<std::optional<E>> fallback = {}) const;
  /// Returns the items of a list. Reports a list whose length is outside `length`; returns nothing
  /// for a value that is not a list.
  [[nodiscard]] std::vector<YamlNode> list(Range<std::size_t> length = {}) const;

  /// Reports a semantic error at this value.
  void error(std::string message, std::string hint = {}) const;
  /// Reports that this value must be what `expected` says, and what it is.
  void refuse(const std::string& expected, std::string hint = {}) const;
  /// Returns whether the document refused this value already: an alias, for example.
  [[nodiscard]] bool is_refused() const;
  /// Returns whether this value is a text: in quotes, or neither a number nor a boolean.
  [[nodiscard]] bool is_text() const;
  /// Returns the keys of a map, in file order.
  [[nodiscard]] std::vector<std::string_view> keys() const;
  /// Returns the text of a scalar as it stands.
  [[nodiscard]] const std::string& text() const;
  /// Returns whether there is no value: null, ~ or nothing.
  [[nodiscard]] bool is_null() const;
  /// Returns the name of this value in messages: "'cycles'", "item 2 of 'seeds'".
  [[nodiscard]] const std::string& label() const;

 private:
  friend class YamlMap;

  template <typename T>
  T integer(Range<T> range, std::optional<T> fallback) const;

  const YamlTree* tree_;
  Diagnostics* diagnostics_;
};

/// Reads the keys of a map. Each getter applies the getter of the same name in YamlNode to the
/// value of `key`. An absent key reads as `fallback`; a key without a fallback is required.
/// finish() or the destructor reports every key that was never read.
class YamlMap {
 public:
  /// If `node` is not a map, reports that once and reads as an empty map.
  explicit YamlMap(const YamlNode& node);
  ~YamlMap();
  YamlMap(const YamlMap&) = delete;
  YamlMap& operator=(const YamlMap&) = delete;

  /// Returns true if the key exists. The key still has to be read.
  [[nodiscard]] bool has(std::string_view key);
  [[nodiscard]] std::uint64_t u64(std::string_view key, Range<std::uint64_t> range = {},
                                  std::optional<std::uint64_t> fallback = {});
  [[nodiscard]] std::uint32_t u32(std::string_view key, Range<std::uint32_t> range = {},
                                  std::optional<std::uint32_t> fallback = {});
  [[nodiscard]] std::int64_t i64(std::string_view key, Range<std::int64_t> range = {},
                                 std::optional<std::int64_t> fallback = {});
  [[nodiscard]] double number(std::string_view key, NumberRange range = {},
                              std::optional<double> fallback = {});
  [[nodiscard]] bool boolean(std::string_view key, std::optional<bool> fallback = {});
  [[nodiscard]] std::string string(std::string_view key, std::optional<std::string> fallback = {});
  [[nodiscard]] std::string lines(std::string_view key, std::optional<std::string> fallback = {});
  [[nodiscard]] std::size_t one_of(std::string_view key, std::span<const std::string_view> names,
                                   std::optional<std::size_t> fallback = {});
  template <typename E, std::size_t N>
  [[nodiscard]] E enumeration(std::string_view key, const std::array<EnumName<E>, N>& table,
                              std::type_identity_t<std::optional<E>> fallback = {});
  [[nodiscard]] std::vector<YamlNode> list(std::string_view key, Range<std::size_t> length = {});
  /// Like list(), but an absent key reads as an empty list.
  [[nodiscard]] std::vector<YamlNode> optional_list(std::string_view key,
                                                    Range<std::size_t> length = {});
  /// Returns a reader of the map under `key`. Keep it in its own scope, or call finish() on it.
  [[nodiscard]] YamlMap map(std::string_view key);
  /// Like map(), but an absent key reads as an empty map, so that all of its fallbacks apply.
  [[nodiscard]] YamlMap optional_map(std::string_view key);
  /// Returns the value of `key` unchecked, or std::nullopt if it is absent.
  [[nodiscard]] std::optional<YamlNode> node(std::string_view key);
  /// Returns all keys and values in file order, for maps whose keys are chosen by the user.
  [[nodiscard]] std::vector<std::pair<std::string, YamlNode>> entries();

  /// Returns the name of `key` in messages: with its path if the document is JSON.
  [[nodiscard]] std::string full_name(std::string_view key) const;
  /// Returns the position of the value of `key`, or of the map if the key is absent.
  [[nodiscard]] const SourcePosition& position(std::string_view key) const;
  /// Reports a semantic error at position(key).
  void error(std::string_view key, std::string message, std::string hint = {}) const;
  /// Reports that `key` is missing; it must be what `expected` says.
  void report_missing(std::string_view key, const std::string& expected) const;
  /// Reports the keys that were not read. Reading afterwards throws std::logic_error.
  void finish();

 private:
  template <typename T, typename Read>
  T get(std::string_view key, const std::string& expected, std::optional<T> fallback, T neutral,
        Read read);
  [[nodiscard]] const YamlTree* find(std::string_view key) const;
  std::optional<YamlNode> ask(std::string_view key);
  YamlMap(const YamlTree& tree, const SourcePosition& position, Diagnostics& diagnostics);

  const YamlTree* tree_;
  const SourcePosition* position_;
  Diagnostics* diagnostics_;
  std::vector<std::string> asked_;
  int exceptions_at_start_;
  bool finished_ = false;
};

/// A parsed YAML file whose root is a map, or a JSON value. `diagnostics` must outlive the
/// document.
class YamlDocument {
 public:
  /// Reads a file. Throws BadInput when the file cannot be read, is not UTF-8, exceeds the limits
  /// above or is not a YAML map. Duplicate keys, aliases, anchors, tags and merge keys are added to
  /// `diagnostics`, and reading continues.
  [[nodiscard]] static YamlDocument load(const std::filesystem::path& path,
                                         Diagnostics& diagnostics);
  /// Reads text in memory in the same way; messages call it `name`.
  [[nodiscard]] static YamlDocument parse(std::string_view text, const std::string& name,
                                          Diagnostics& diagnostics);

  /// Makes a document of JSON in `file`, whose places are paths that begin with `place`.
  [[nodiscard]] static YamlDocument of_json(const nlohmann::json& value, const std::string& file,
                                            const std::string& place, Diagnostics& diagnostics);

  [[nodiscard]] YamlNode root() const { return {*tree_, *diagnostics_}; }

 private:
  YamlDocument(std::shared_ptr<const YamlTree> tree, Diagnostics& diagnostics)
      : tree_(std::move(tree)), diagnostics_(&diagnostics) {}

  std::shared_ptr<const YamlTree> tree_;  // unlike unique_ptr, works with the incomplete type
  Diagnostics* diagnostics_;
};

namespace internal {

template <typename E, std::size_t N>
std::optional<std::size_t> row_of_fallback(const std::array<EnumName<E>, N>& table,
                                           std::optional<E> fallback) {
  return fallback ? std::optional(row_of(table, *fallback)) : std::nullopt;
}

}  // namespace internal

template <typename E, std::size_t N>
E YamlNode::enumeration(const std::array<EnumName<E>, N>& table,
                        std::type_identity_t<std::optional<E>> fallback) const {
  return table[one_of(names_of(table), internal::row_of_fallback(table, fallback))].second;
}

template <typename E, std::size_t N>
E YamlMap::enumeration(std::string_view key, const std::array<EnumName<E>, N>& table,
                       std::type_identity_t<std::optional<E>> fallback) {
  return table[one_of(key, names_of(table), internal::row_of_fallback(table, fallback))].second;
}

}  // namespace kernbench::common
