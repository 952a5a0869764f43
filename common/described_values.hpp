// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/described.hpp"
#include "common/enum_names.hpp"
#include "common/units.hpp"
#include "common/value_form.hpp"

namespace kernbench::common {

// The types whose values descriptions can have: their form, and how they become JSON and back.

/// A text, a number or a boolean of an input, as the file spells it.
struct ScalarText {
  std::string text;
};
/// A list that is made item by item, as it may not fit into memory. `each` passes the items, in
/// order, to a function.
template <typename V>
struct LongList {
  using Item = V;
  std::function<void(const std::function<void(const V&)>& take)> each;
};
/// A list of two values of different types.
template <typename First, typename Second>
struct Couple {
  First first{};
  Second second{};
};
/// The name of a form in schemas that refer to it; specialized for types that contain themselves.
template <typename T>
inline constexpr const char* kNameOfForm = "";

namespace description {

template <typename V>
concept Text = std::convertible_to<V, std::string_view>;
template <typename V>
concept Optional = requires(const V& value) {
  value.has_value();
  *value;
};
/// A pointer to a value that may contain others of its type.
template <typename V>
concept Owner = requires(const V& value) {
  typename V::element_type;
  typename V::deleter_type;
};
template <typename V>
inline constexpr bool kIsLongList = false;
template <typename V>
inline constexpr bool kIsLongList<LongList<V>> = true;
template <typename V>
inline constexpr bool kIsCouple = false;
template <typename First, typename Second>
inline constexpr bool kIsCouple<Couple<First, Second>> = true;
template <typename V>
inline constexpr bool kIsVariant = false;
template <typename... V>
inline constexpr bool kIsVariant<std::variant<V...>> = true;
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

/// Returns the forms of the alternatives of a variant.
template <typename... V>
std::vector<ValueForm> forms_of(std::variant<V...>* /*type*/) {
  return {form_of<V>()...};
}

template <typename V>
ValueForm form_of() {
  using Kind = ValueForm::Kind;
  ValueForm form;
  if constexpr (std::same_as<V, nlohmann::json>) {
    form.kind = Kind::Any;
  } else if constexpr (Text<V>) {
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
  } else if constexpr (std::same_as<V, ScalarText>) {
    form.kind = Kind::Scalar;
  } else if constexpr (Owner<V>) {
    using Inner = typename V::element_type;
    form.kind = Kind::Again;
    form.again = common::form_of<Inner>;
    form.defined = kNameOfForm<Inner>;
  } else if constexpr (kIsVariant<V>) {
    form.kind = Kind::Either;
    form.parts = forms_of(static_cast<V*>(nullptr));
  } else if constexpr (kIsLongList<V>) {
    form.kind = Kind::List;
    form.parts = {form_of_item<typename V::Item>()};
  } else if constexpr (kIsCouple<V>) {
    form.kind = Kind::List;
    form.least = form.most = 2;
    form.parts = {form_of<decltype(V::second)>(), form_of<decltype(V::first)>()};
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

template <typename V>
void read(const nlohmann::json& json, V& value);

/// Sets the first alternative of a variant that has the type of the JSON.
template <typename... V>
void read_variant(const nlohmann::json& json, std::variant<V...>& value) {
  const auto try_to_read = [&]<typename One>(One one) {
    if (!form_of<One>().has_type(json)) return false;
    read(json, one);
    value = std::move(one);
    return true;
  };
  (void)(try_to_read(V{}) || ...);
}

/// Sets `value` from JSON that has its form.
template <typename V>
void read(const nlohmann::json& json, V& value) {
  if constexpr (std::same_as<V, nlohmann::json>) {
    value = json;
  } else if constexpr (std::same_as<V, SimTime>) {
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
  } else if constexpr (std::same_as<V, ScalarText>) {
    value.text = json.get<std::string>();
  } else if constexpr (Owner<V>) {
    value = std::make_unique<typename V::element_type>();
    read(json, *value);
  } else if constexpr (kIsVariant<V>) {
    read_variant(json, value);
  } else if constexpr (Optional<V>) {
    if (json.is_null()) return value.reset();
    read(json, value.emplace());
  } else if constexpr (std::same_as<V, std::vector<bool>>) {
    value = json.get<std::vector<bool>>();
  } else if constexpr (List<V>) {
    if constexpr (!kLength<V>) {
      value.clear();  // what an item leaves out is as in a new one
      value.resize(json.size());
    }
    for (std::size_t i = 0; i < value.size(); ++i) read(json[i], value[i]);
  } else {
    description_of<V>().read(json, value);
  }
}

/// Returns whether values of a type can be set from JSON; a view has no text of its own.
template <typename V>
constexpr bool is_readable() {
  if constexpr (std::same_as<V, nlohmann::json>) {
    return true;
  } else if constexpr (Text<V>) {
    return std::same_as<V, std::string>;
  } else if constexpr (kIsLongList<V> || kIsCouple<V>) {
    return false;
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
[[nodiscard]] nlohmann::json to_json(const V& value) {
  if constexpr (std::same_as<V, nlohmann::json> || std::is_arithmetic_v<V>) {
    return value;
  } else if constexpr (std::same_as<V, SimTime>) {
    return value.ps();
  } else if constexpr (description::Text<V>) {
    return std::string(std::string_view(value));
  } else if constexpr (description::Named<V>) {
    return name_of(name_table(value), value);
  } else if constexpr (std::same_as<V, ScalarText>) {
    return value.text;
  } else if constexpr (description::Owner<V>) {
    return value == nullptr ? nlohmann::json() : to_json(*value);
  } else if constexpr (description::kIsVariant<V>) {
    return std::visit([](const auto& one) { return to_json(one); }, value);
  } else if constexpr (description::kIsLongList<V>) {
    nlohmann::json list = nlohmann::json::array();
    value.each([&list](const auto& item) { list.push_back(to_json(item)); });
    return list;
  } else if constexpr (description::kIsCouple<V>) {
    return nlohmann::json::array({to_json(value.first), to_json(value.second)});
  } else if constexpr (description::Optional<V>) {
    return value.has_value() ? to_json(*value) : nlohmann::json();
  } else if constexpr (description::Map<V>) {
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [name, one] : value) object[name] = to_json(one);
    return object;
  } else if constexpr (description::List<V>) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& item : value) list.push_back(to_json(item));
    return list;
  } else {
    return description_of<V>().to_json(value);
  }
}

}  // namespace kernbench::common
