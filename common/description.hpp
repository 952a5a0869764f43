// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/described.hpp"
#include "common/enum_names.hpp"
#include "common/grade.hpp"
#include "common/units.hpp"
#include "common/value_form.hpp"

namespace kernbench::common {

/// Describes the members of the objects that a report makes from values of type T, each once. JSON,
/// schema, the tables of documents, pages, Python and the reader of the JSON follow from it.
template <typename T>
class Description {
 public:
  /// Adds a member. `get`, a member of T or a function of one, returns a text, a number, a time in
  /// ps, a grade, a named enumerator, a described object, or a list, an optional or a map of those.
  /// A member whose optional has no value is missing; `absent_unless` says when. Only members of T
  /// are read back.
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
  /// Sets the smallest item of the last member, a list, or the shortest text in it.
  Description& items_at_least(std::int64_t least) {
    last().parts.at(0).least = least;
    return *this;
  }
  /// Sets the texts that the last member, or the items of its list, can be.
  Description& one_of(std::vector<std::string> texts) {
    ValueForm& member = last();
    (member.kind == ValueForm::Kind::List ? member.parts.at(0) : member).choices = std::move(texts);
    return *this;
  }
  /// Makes the last member a hash: 16 hexadecimal digits.
  Description& hash() {
    last().hash = true;
    return *this;
  }
  /// Makes the last member missing unless `condition`, words, holds: its optional has a value, or
  /// it is neither 0 nor empty.
  Description& absent_unless(const std::string& condition) {
    last().absent = condition;
    return *this;
  }
  /// Makes the last member one that follows from the others: a reader leaves it out.
  Description& computed() {
    last().computed = true;
    return *this;
  }
  /// Writes null for an optional without a value.
  Description& or_null() {
    last().nullable = true;
    return *this;
  }
  /// Makes these members, numbers, stand in ascending order.
  Description& ascending(std::vector<std::string> names) {
    form_.ascending = std::move(names);
    return *this;
  }
  /// Makes exactly one of these members be there.
  Description& either(std::vector<std::string> names) {
    form_.either.push_back(std::move(names));
    return *this;
  }

  /// Returns the object. Throws std::logic_error if a member has no value although it is neither
  /// absent nor null by its description.
  [[nodiscard]] nlohmann::json to_json(const T& value) const {
    nlohmann::json object = nlohmann::json::object();
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const ValueForm& member = form_.parts[i];
      nlohmann::json json = members_[i].get(value);
      const bool nothing = json.is_null() || (json.is_array() && json.empty()) ||
                           (members_[i].plain && (json == 0 || is_empty_text(json)));
      if (nothing && !member.absent.empty()) continue;
      if (json.is_null() && !member.nullable) {
        throw std::logic_error("no value for the member " + member.name);
      }
      object[member.name] = std::move(json);
    }
    return object;
  }

  /// Sets the members of `value` from an object of this form. Throws std::logic_error for a member
  /// that is a function of T and not computed().
  void read(const nlohmann::json& object, T& value) const {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const std::string& name = form_.parts[i].name;
      if (form_.parts[i].computed) continue;
      if (!members_[i].set) throw std::logic_error("nothing sets the member " + name);
      if (const auto found = object.find(name); found != object.end()) {
        members_[i].set(value, *found);
      }
    }
  }
  [[nodiscard]] const ValueForm& form() const { return form_; }

 private:
  template <typename>
  friend class Description;

  struct Member {
    std::function<nlohmann::json(const T&)> get;
    std::function<void(T&, const nlohmann::json&)> set{};  ///< empty for a function of T
    bool plain = false;                                    ///< a member of T other than an optional
  };

  static bool is_empty_text(const nlohmann::json& json) {
    return json.is_string() && json.get_ref<const std::string&>().empty();
  }
  ValueForm& last() { return form_.parts.back(); }

  ValueForm form_;
  std::vector<Member> members_;
};

namespace description {

template <typename V>
concept Text = std::convertible_to<V, std::string_view>;
template <typename V>
concept Optional = requires(const V& value) {
  value.has_value();
  *value;
};
template <typename V>
concept Map = requires {
  typename V::mapped_type;
};
template <typename V>
concept List = std::ranges::input_range<V> && !Text<V> && !Map<V>;
/// An enumeration that has a `name_table`, a function beside it that returns its EnumNames.
template <typename V>
concept Named = std::is_enum_v<V> && requires {
  name_table(V{});
};
template <typename V>
inline constexpr std::optional<std::int64_t> kLength{};  ///< length of an array
template <typename V, std::size_t N>
inline constexpr std::optional<std::int64_t> kLength<std::array<V, N>>{N};

template <typename V>
ValueForm form_of();
/// Returns the form of an item of a list or a map, which an optional makes null.
template <typename V>
ValueForm form_of_item() {
  ValueForm form = form_of<V>();
  form.nullable = Optional<V>;
  return form;
}

template <typename V>
ValueForm form_of() {
  using Kind = ValueForm::Kind;
  ValueForm form;
  if constexpr (Text<V>) {
    form.kind = Kind::Text;
  } else if constexpr (Named<V>) {
    form.kind = Kind::Text;
    for (const auto& [name, value] : name_table(V{})) form.choices.emplace_back(name);
  } else if constexpr (std::same_as<V, bool>) {
    form.kind = Kind::Boolean;
  } else if constexpr (std::same_as<V, SimTime> || std::integral<V>) {
    form.kind = Kind::Integer;
    if constexpr (std::same_as<V, SimTime> || std::unsigned_integral<V>) form.least = 0;
    using Number = std::conditional_t<std::same_as<V, SimTime>, std::int64_t, V>;
    form.capacity = static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
  } else if constexpr (std::floating_point<V>) {
    form.kind = Kind::Number;
  } else if constexpr (Map<V>) {
    form.kind = Kind::Map;
    form.parts = {form_of_item<typename V::mapped_type>()};
  } else if constexpr (std::same_as<V, Grade>) {
    form.kind = Kind::Defined;
    form.defined = "/properties/grade";
  } else if constexpr (Optional<V>) {
    form = form_of<std::remove_cvref_t<decltype(*std::declval<V>())>>();
  } else if constexpr (List<V>) {
    form.kind = Kind::List;
    form.least = form.most = kLength<V>;
    form.parts = {form_of_item<std::ranges::range_value_t<V>>()};
  } else {
    form = description_of<V>().form();
  }
  return form;
}

/// Sets `value` from JSON that has its form.
template <typename V>
void read(const nlohmann::json& json, V& value) {
  if constexpr (std::same_as<V, SimTime>) {
    value = SimTime::from_ps(json.get<std::int64_t>());
  } else if constexpr (Text<V> || std::is_arithmetic_v<V>) {
    value = json.get<V>();
  } else if constexpr (Map<V>) {
    value.clear();
    for (const auto& [name, one] : json.items()) read(one, value[name]);
  } else if constexpr (Named<V>) {
    for (const auto& [name, enumerator] : name_table(V{})) {
      if (json == name) value = enumerator;
    }
  } else if constexpr (std::same_as<V, Grade>) {
    value = grade_from_json(json);
  } else if constexpr (Optional<V>) {
    if (json.is_null()) return value.reset();
    read(json, value.emplace());
  } else if constexpr (List<V>) {
    if constexpr (!kLength<V>) value.resize(json.size());
    for (std::size_t i = 0; i < value.size(); ++i) read(json[i], value[i]);
  } else {
    description_of<V>().read(json, value);
  }
}

/// Returns whether values of a type can be set from JSON; a view has no text of its own.
template <typename V>
constexpr bool is_readable() {
  if constexpr (Text<V>) {
    return std::same_as<V, std::string>;
  } else if constexpr (Map<V>) {
    return is_readable<typename V::mapped_type>();
  } else if constexpr (Optional<V>) {
    return is_readable<std::remove_cvref_t<decltype(*std::declval<V>())>>();
  } else if constexpr (List<V>) {
    return is_readable<std::ranges::range_value_t<V>>() &&
           (kLength<V> || requires(V list) { list.resize(1); });
  } else {
    return std::is_default_constructible_v<V>;
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
  } else if constexpr (description::Named<V>) {
    return name_of(name_table(value), value);
  } else if constexpr (std::is_arithmetic_v<V>) {
    return value;
  } else if constexpr (std::same_as<V, Grade>) {
    return to_json(value);
  } else if constexpr (description::Optional<V>) {
    return value.has_value() ? json_of(*value) : nlohmann::json();
  } else if constexpr (description::Map<V>) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, one] : value) object[name] = json_of(one);
    return object;
  } else if constexpr (description::List<V>) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& item : value) list.push_back(json_of(item));
    return list;
  } else {
    return description_of<V>().to_json(value);
  }
}

/// Returns a value that json_of() wrote. `place`, such as "data", begins the places in messages,
/// and `file` is the name before them. Throws BadInput with all that is wrong, and std::logic_error
/// for a description with computed members.
template <typename V>
[[nodiscard]] V value_of(const nlohmann::json& json, const std::string& file,
                         const std::string& place = "data") {
  require_form(description::form_of<V>(), json, file, place);
  V value{};
  description::read(json, value);
  return value;
}

template <typename T>
template <typename Get>
Description<T>& Description<T>::add(std::string name, Get get, std::string meaning) {
  using Value = std::remove_cvref_t<std::invoke_result_t<Get, const T&>>;
  ValueForm& form = form_.parts.emplace_back(description::form_of<Value>());
  form.name = std::move(name);
  form.meaning = std::move(meaning);
  Member& member = members_.emplace_back(
      Member{[get](const T& value) { return json_of(std::invoke(get, value)); }});
  if constexpr (std::is_member_object_pointer_v<Get> && description::is_readable<Value>()) {
    member.plain = !description::Optional<Value>;
    member.set = [get](T& value, const nlohmann::json& json) {
      description::read(json, value.*get);
    };
  }
  return *this;
}

template <typename T>
template <typename Get>
Description<T>& Description<T>::add_members(Get get) {
  using Inner = std::remove_cvref_t<std::invoke_result_t<Get, const T&>>;
  const Description<Inner>& inner = description_of<Inner>();
  for (std::size_t i = 0; i < inner.members_.size(); ++i) {
    form_.parts.push_back(inner.form_.parts[i]);
    Member& member =
        members_.emplace_back(Member{[get, from = inner.members_[i].get](const T& value) {
          return from(std::invoke(get, value));
        }});
    member.plain = inner.members_[i].plain;
    if constexpr (std::is_member_object_pointer_v<Get>) {
      if (inner.members_[i].set) {
        member.set = [get, to = inner.members_[i].set](T& value, const nlohmann::json& json) {
          to(value.*get, json);
        };
      }
    }
  }
  form_.either.insert(form_.either.end(), inner.form_.either.begin(), inner.form_.either.end());
  return *this;
}

}  // namespace kernbench::common
