// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/grade.hpp"
#include "common/units.hpp"

namespace kernbench::common {

/// The form of a value in a report, and what it is as a member of an object. A suffix of a member's
/// name is its unit: `_ps`, `_ns`, `_gbs` (GB/s), `_mm`; `bytes` and what ends in `_bytes` are
/// bytes.
struct ValueForm {
  enum class Kind : std::uint8_t { Text, Boolean, Integer, Number, List, TextMap, Object, Defined };

  Kind kind = Kind::Object;
  std::optional<std::int64_t> least{};  ///< smallest number, or shortest length of a text or list
  std::optional<std::int64_t> most{};   ///< largest number, or longest length of a list
  bool above = false;                   ///< numbers are above `least`, not equal to it
  std::vector<ValueForm> parts{};       ///< members of an object; the form of the items of a list
  std::string defined{};                ///< path of a definition in the schema of the envelope

  std::string name{};
  std::string meaning{};  ///< empty where the name says it
  std::string absent{};   ///< unless what the member is missing; empty if it never is
  bool nullable = false;  ///< null in place of a value

  [[nodiscard]] const ValueForm& items() const { return parts.at(0); }
  /// Returns the member of an object. Throws std::out_of_range without one.
  [[nodiscard]] const ValueForm& member(std::string_view member_name) const;
};

/// Describes the members of the objects that a report makes from values of type T, each once. JSON,
/// schema, the tables of documents, pages and Python follow from it.
template <typename T>
class Description {
 public:
  /// Adds a member. `get`, a member of T or a function of one, returns a text, a number, a time in
  /// ps, a grade, a described object, or a list, an optional or a map of those. A member whose
  /// optional has no value is missing; `absent_unless` says when.
  template <typename Get>
  Description& add(std::string name, Get get, std::string meaning = {});

  /// Adds the members of another description, for the object that `get` returns from a T.
  template <typename Get>
  Description& add_members(Get get);

  /// Sets the smallest number of the last member, or the shortest length of its text or list.
  Description& at_least(std::int64_t least) {
    last().least = least;
    return *this;
  }
  Description& not_empty() { return at_least(1); }
  /// Sets a number that the last member is above.
  Description& above(std::int64_t least) {
    last().above = true;
    return at_least(least);
  }
  /// Sets the largest number of the last member.
  Description& at_most(std::int64_t most) {
    last().most = most;
    return *this;
  }
  /// Makes the last member missing unless `condition`, words, holds: its optional has a value, or
  /// its list has items.
  Description& absent_unless(const std::string& condition) {
    last().absent = condition;
    return *this;
  }
  /// Writes null for an optional without a value.
  Description& or_null() {
    last().nullable = true;
    return *this;
  }

  /// Returns the object. Throws std::logic_error if a member has no value although it is neither
  /// absent nor null by its description.
  [[nodiscard]] nlohmann::json to_json(const T& value) const {
    nlohmann::json object = nlohmann::json::object();
    for (std::size_t i = 0; i < getters_.size(); ++i) {
      const ValueForm& member = form_.parts[i];
      nlohmann::json json = getters_[i](value);
      const bool nothing = json.is_null() || (json.is_array() && json.empty());
      if (nothing && !member.absent.empty()) continue;
      if (json.is_null() && !member.nullable) {
        throw std::logic_error("no value for the member " + member.name);
      }
      object[member.name] = std::move(json);
    }
    return object;
  }
  [[nodiscard]] const ValueForm& form() const { return form_; }

 private:
  template <typename>
  friend class Description;

  ValueForm& last() { return form_.parts.back(); }

  ValueForm form_;
  std::vector<std::function<nlohmann::json(const T&)>> getters_;
};

/// Returns the description of a type. It is specialized for each type that reports describe.
template <typename T>
const Description<T>& description_of();

namespace description {

template <typename V>
concept Text = std::convertible_to<V, std::string_view>;
template <typename V>
concept Optional = requires(const V& value) {
  value.has_value();
  *value;
};
template <typename V>
concept List = std::ranges::input_range<V> && !Text<V> && !requires {
  typename V::mapped_type;
};
template <typename V>
inline constexpr std::optional<std::int64_t> kLength{};  ///< length of an array
template <typename V, std::size_t N>
inline constexpr std::optional<std::int64_t> kLength<std::array<V, N>>{N};

template <typename V>
ValueForm form_of() {
  using Kind = ValueForm::Kind;
  if constexpr (Text<V>) {
    return {Kind::Text};
  } else if constexpr (std::same_as<V, bool>) {
    return {Kind::Boolean};
  } else if constexpr (std::same_as<V, SimTime> || std::unsigned_integral<V>) {
    return {Kind::Integer, 0};
  } else if constexpr (std::integral<V>) {
    return {Kind::Integer};
  } else if constexpr (std::floating_point<V>) {
    return {Kind::Number};
  } else if constexpr (std::same_as<V, std::map<std::string, std::string>>) {
    return {Kind::TextMap};
  } else if constexpr (std::same_as<V, Grade>) {
    return {Kind::Defined, {}, {}, false, {}, "/properties/grade"};
  } else if constexpr (Optional<V>) {
    return form_of<std::remove_cvref_t<decltype(*std::declval<V>())>>();
  } else if constexpr (List<V>) {
    return {Kind::List, kLength<V>, kLength<V>, false, {form_of<std::ranges::range_value_t<V>>()}};
  } else {
    return description_of<V>().form();
  }
}

}  // namespace description

/// Returns a value of a form that Description::add() takes, as reports have it.
template <typename V>
[[nodiscard]] nlohmann::json json_of(const V& value) {
  if constexpr (std::same_as<V, SimTime>) {
    return value.ps();
  } else if constexpr (description::Text<V>) {
    return std::string(std::string_view(value));
  } else if constexpr (std::is_arithmetic_v<V> ||
                       std::same_as<V, std::map<std::string, std::string>>) {
    return value;
  } else if constexpr (std::same_as<V, Grade>) {
    return to_json(value);
  } else if constexpr (description::Optional<V>) {
    return value.has_value() ? json_of(*value) : nlohmann::json();
  } else if constexpr (description::List<V>) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& item : value) list.push_back(json_of(item));
    return list;
  } else {
    return description_of<V>().to_json(value);
  }
}

template <typename T>
template <typename Get>
Description<T>& Description<T>::add(std::string name, Get get, std::string meaning) {
  using Value = std::remove_cvref_t<std::invoke_result_t<Get, const T&>>;
  ValueForm& member = form_.parts.emplace_back(description::form_of<Value>());
  member.name = std::move(name);
  member.meaning = std::move(meaning);
  getters_.push_back([get](const T& value) { return json_of(std::invoke(get, value)); });
  return *this;
}

template <typename T>
template <typename Get>
Description<T>& Description<T>::add_members(Get get) {
  using Inner = std::remove_cvref_t<std::invoke_result_t<Get, const T&>>;
  const Description<Inner>& inner = description_of<Inner>();
  for (std::size_t i = 0; i < inner.getters_.size(); ++i) {
    form_.parts.push_back(inner.form_.parts[i]);
    getters_.push_back(
        [get, read = inner.getters_[i]](const T& value) { return read(std::invoke(get, value)); });
  }
  return *this;
}

/// A unit, and how pages show values that reports give in it.
struct ShownUnit {
  std::string_view suffix;  ///< end of the names of members
  std::string_view name;    ///< as pages show it
  double factor = 1.0;      ///< from the report's number to the page's
  int decimals = 0;
};
/// Returns the unit of a member by its name, or null.
[[nodiscard]] const ShownUnit* unit_of(std::string_view name);
/// Returns the name of a member of a member, with the unit of the outer one if it has none:
/// "first_token_p50_ps" for "first_token_ps" and "p50".
[[nodiscard]] std::string inner_name(std::string_view outer, std::string_view name);
/// Returns the words of a member's name without its unit: "read" for `read_gbs`.
[[nodiscard]] std::string title_of_member(std::string_view name);
/// Returns the heading of a member on pages: "read GB/s" for `read_gbs`, "time us" for `time_ps`.
[[nodiscard]] std::string heading_of_member(std::string_view name);
/// Returns the text of a single value of a member on pages, in the unit of the heading: "1.250".
[[nodiscard]] std::string text_of_member(std::string_view name, const nlohmann::json& value);

/// Returns the JSON Schema of the reports of a kind, whose `data` have this form, with a reference
/// to the schema of the envelope. With `graded` their envelope has a grade.
[[nodiscard]] std::string report_schema(std::string_view kind, std::string_view title,
                                        const ValueForm& data, bool graded);

}  // namespace kernbench::common
