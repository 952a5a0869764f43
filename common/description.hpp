// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/described.hpp"
#include "common/described_values.hpp"
#include "common/enum_names.hpp"
#include "common/report_envelope.hpp"
#include "common/value_form.hpp"

namespace kernbench::common {

/// Describes the members of the objects that a report makes from values of type T, each once. JSON,
/// schema, the tables of documents, pages, Python and the reader of the JSON follow from it.
template <typename T>
class Description {
 public:
  /// Adds a member. `get`, a member of T or a function of one, returns a text, a number, a time in
  /// ps, a grade, a named enumerator, a described object, or a list, an optional or a map of those.
  /// A member whose optional has no value is missing; `absent_unless` says when. What `get` returns
  /// by a reference from a T that can be changed is read back:
  ///
  ///   add("rows", &Shape::rows).add("nx", [](auto& maze) -> auto& { return maze.shape.nx; })
  template <typename Get>
  Description& add(std::string name, Get get, std::string meaning = {});
  /// Adds a member whose value is not one of T as it stands: `set(T&, value)` sets what `get`
  /// returns.
  template <typename Get, typename Set>
  Description& add_converted(std::string name, Get get, Set set, std::string meaning = {});

  /// Adds a member that always has this text or number.
  template <typename Value>
  Description& add_constant(std::string name, Value constant, std::string meaning = {});
  /// Adds an enumerator, or an optional one, by its name in a table that exists as long as the
  /// program.
  template <typename V, typename E, std::size_t N>
  Description& add_named(std::string name, V T::*member, const std::array<EnumName<E>, N>& table,
                         std::string meaning = {});

  /// Adds an object that the JSON has and T does not: `inner` describes its members in T.
  Description& add_section(std::string name, const Description& inner, std::string meaning = {}) {
    ValueForm& form = form_.parts.emplace_back(inner.form_);
    form.name = std::move(name);
    form.meaning = std::move(meaning);
    members_.push_back(
        Member{[inner](const T& value) { return inner.to_json(value); },
               [inner](T& value, const nlohmann::json& object) { inner.read(object, value); }});
    members_.back().is_section = true;
    return *this;
  }

  /// Adds the members of another description, for the object that `get` returns from a T.
  template <typename Get>
  Description& add_members(Get get);

  /// Sets the smallest number of the last member, or the shortest length of its text or list.
  Description& at_least(double least) {
    last().least = least;
    return *this;
  }
  Description& not_empty() { return at_least(1); }
  /// Sets a number that the last member is above.
  Description& above(double least) {
    last().above = true;
    return at_least(least);
  }
  /// Sets the largest number of the last member, or the longest length of its list.
  Description& at_most(double most) {
    last().most = most;
    return *this;
  }
  Description& within(double least, double most) { return at_least(least).at_most(most); }
  /// Sets the smallest item of the last member, a list, or the shortest text in it.
  Description& items_at_least(double least) {
    last().parts.at(0).least = least;
    return *this;
  }
  /// Makes the items of the last member, a list, differ from each other.
  Description& different() {
    last().different = true;
    return *this;
  }
  /// Sets the texts that the last member, or the items of its list or map, can be.
  Description& one_of(const std::vector<std::string>& texts) {
    innermost().choices = texts;
    return *this;
  }
  /// Sets a rule for the last member, a text, for the texts of a list, or for the names of a map.
  /// The rule must exist as long as the program.
  Description& rule(const TextRule& rule) {
    (last().kind == ValueForm::Kind::Map ? last().names : innermost().rule) = &rule;
    return *this;
  }
  /// Makes the last member a hash: 16 hexadecimal digits.
  Description& hash() { return rule(kHashRule); }
  /// Sets what the last member, or each text of its list or map, has somewhere.
  Description& placeholders(const std::vector<std::string>& texts) {
    innermost().placeholders = texts;
    return *this;
  }
  /// Lets the last member, or the texts of its list, have several lines.
  Description& lines() {
    innermost().lines = true;
    return *this;
  }
  /// Lets an input leave the last member out, which then is as in a new T.
  Description& optional() {
    make_optional(form_.parts.size() - 1);
    return *this;
  }
  /// Does so for all members from this one on.
  Description& optional_from(std::string_view first) {
    bool reached = false;
    for (std::size_t i = 0; i < form_.parts.size(); ++i) {
      reached = reached || form_.parts[i].name == first;
      if (reached && !form_.parts[i].optional) make_optional(i);
    }
    return *this;
  }
  Description& all_optional() { return optional_from(form_.parts.front().name); }
  /// Lets an input leave the last member out. `value`, words, says what it then is.
  Description& defaults_to(const std::string& value) {
    last().optional = true;
    last().meaning += (last().meaning.empty() ? "default: " : "; default: ") + value;
    return *this;
  }
  /// Gives objects the members behind this one only if it, a text, has one of these values.
  Description& rest_only_if(const std::string& member, const std::vector<std::string>& values) {
    bool behind = false;
    for (ValueForm& one : form_.parts) {
      if (behind) one.only_if = ValueForm::Condition{member, values};
      behind = behind || one.name == member;
    }
    return *this;
  }
  /// Changes the form of the last member in a way for which there is no function here.
  Description& refine(const std::function<void(ValueForm& member)>& change) {
    change(last());
    return *this;
  }
  /// Gives objects the last member only if another, a text before it, has one of these values.
  Description& only_if(std::string member, std::vector<std::string> values) {
    last().only_if = ValueForm::Condition{std::move(member), std::move(values)};
    return *this;
  }
  /// Makes the last member missing unless `condition`, words, holds: its optional has a value, or
  /// it is neither 0 nor empty.
  Description& absent_unless(const std::string& condition) {
    last().absent = condition;
    return *this;
  }
  /// Makes the last member missing where `exists` does not hold; `condition` says it in words.
  Description& absent_unless(const std::string& condition,
                             std::function<bool(const T& value)> exists) {
    members_.back().exists = std::move(exists);
    return absent_unless(condition);
  }
  /// Makes the last member one that follows from the others: a reader leaves it out.
  Description& computed() {
    last().computed = true;
    return *this;
  }
  /// Writes null, or this text, for an optional without a value.
  Description& or_null(const std::string& text = {}) {
    last().nullable = true;
    last().no_value = text;
    return *this;
  }
  /// Lets schemas of reports refer to a definition in the schema of the envelope, by its path.
  Description& defined_in_envelope(std::string path) {
    form_.defined = std::move(path);
    return *this;
  }
  /// Makes these members, numbers, stand in ascending order.
  Description& ascending(std::vector<std::string> names) {
    form_.ascending = std::move(names);
    return *this;
  }
  /// Makes exactly one of these members be there.
  Description& either(std::vector<std::string> names) {
    form_.groups.push_back({std::move(names)});
    return *this;
  }
  /// Makes exactly one of these members be there if another has this value.
  Description& either_if(const std::string& member, const std::string& value,
                         std::vector<std::string> names) {
    form_.groups.push_back({std::move(names), true, ValueForm::Condition{member, {value}}});
    return *this;
  }
  /// Makes at most one of two members be there.
  Description& at_most_one(const std::string& first, const std::string& second) {
    form_.groups.push_back({{first, second}, false});
    return *this;
  }

  /// Returns the object. Throws std::logic_error if a member has no value although it is neither
  /// absent nor null by its description.
  [[nodiscard]] nlohmann::json to_json(const T& value) const {
    nlohmann::json object = nlohmann::json::object();
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (auto json = json_of_member(i, value, object)) {
        object[form_.parts[i].name] = *std::move(json);
      }
    }
    return object;
  }
  /// Writes the text of the object, a member at a time and of a LongList an item at a time.
  void write(const T& value, std::ostream& out) const {
    nlohmann::json object = nlohmann::json::object();
    const char* separator = "{\n";
    for (std::size_t i = 0; i < members_.size(); ++i) {
      std::optional<nlohmann::json> json;
      if (!members_[i].write) json = json_of_member(i, value, object);
      if (!members_[i].write && !json) continue;
      out << separator << "  \"" << form_.parts[i].name << "\": ";
      members_[i].write ? members_[i].write(value, out) : write_text(*json, out);
      separator = ",\n";
    }
    out << "\n }";
  }

  /// Sets the members of `value` from an object of this form. Throws std::logic_error for a member
  /// that is a function of T and not computed().
  void read(const nlohmann::json& object, T& value) const {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const std::string& name = form_.parts[i].name;
      if (form_.parts[i].computed) continue;
      if (!members_[i].set) throw std::logic_error("nothing sets the member " + name);
      const auto found = object.find(name);
      if (found == object.end()) continue;
      const std::string& no_value = form_.parts[i].no_value;
      const bool none = !no_value.empty() && *found == no_value;
      members_[i].set(value, none ? nlohmann::json() : *found);
    }
  }
  [[nodiscard]] const ValueForm& form() const { return form_; }

 private:
  template <typename>
  friend class Description;

  struct Member {
    std::function<nlohmann::json(const T&)> get;
    std::function<void(T&, const nlohmann::json&)> set{};  ///< empty for a function of T
    std::function<void(const T&, std::ostream&)> write{};  ///< set for a LongList
    std::function<bool(const T&)> exists{};                ///< empty for one that all have
    bool plain = false;                                    ///< a member of T other than an optional
    bool is_section = false;                               ///< an object that T does not have
  };

  /// Returns a member of an object that has those before it, or nothing if it is missing.
  [[nodiscard]] std::optional<nlohmann::json> json_of_member(std::size_t index, const T& value,
                                                             const nlohmann::json& object) const {
    const ValueForm& member = form_.parts[index];
    const auto text_of = [&object](const std::string& name) { return object.value(name, ""); };
    if (!holds(member.only_if, form_, text_of).value_or(true)) return std::nullopt;
    if (members_[index].exists && !members_[index].exists(value)) return std::nullopt;
    nlohmann::json json = members_[index].get(value);
    if (json.is_null() && !member.no_value.empty()) json = member.no_value;
    const bool nothing = json.is_null() || (json.is_array() && json.empty()) ||
                         (members_[index].plain && (json == 0 || is_empty_text(json)));
    if (nothing && (!member.absent.empty() || (member.optional && json.is_null()))) {
      return std::nullopt;
    }
    if (json.is_null() && !member.nullable) {
      throw std::logic_error("no value for the member " + member.name);
    }
    return json;
  }
  static void write_text(const nlohmann::json& json, std::ostream& out) {
    out << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  static bool is_empty_text(const nlohmann::json& json) {
    return json.is_string() && json.get_ref<const std::string&>().empty();
  }
  ValueForm& last() { return form_.parts.back(); }
  void make_optional(std::size_t index) {
    nlohmann::json fallback;
    if constexpr (std::is_default_constructible_v<T>) fallback = members_[index].get(T{});
    if (!form_.parts[index].converted) {
      form_.parts[index].take_defaults(fallback, members_[index].is_section);
    }
    form_.parts[index].make_optional(std::move(fallback));
  }
  /// Returns the last member, or what its list or map consists of.
  ValueForm& innermost() {
    ValueForm& member = last();
    const bool several =
        member.kind == ValueForm::Kind::List || member.kind == ValueForm::Kind::Map;
    return several ? member.parts.at(0) : member;
  }

  ValueForm form_;
  std::vector<Member> members_;
};

/// Returns a value that to_json() wrote. `place`, such as "data", begins the places in messages,
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

/// Writes a report with these data, whose description may have a LongList.
template <typename T>
void write_report(const ReportEnvelope& report, const T& data, std::ostream& out) {
  const ReportFrame frame = frame_of_report(report);
  out << frame.head;
  description_of<T>().write(data, out);
  out << frame.tail;
}

template <typename T>
template <typename Get>
Description<T>& Description<T>::add(std::string name, Get get, std::string meaning) {
  using Value = std::remove_cvref_t<std::invoke_result_t<Get, const T&>>;
  ValueForm& form = form_.parts.emplace_back(description::form_of<Value>());
  form.name = std::move(name);
  form.meaning = std::move(meaning);
  Member& member = members_.emplace_back(
      Member{[get](const T& value) { return common::to_json(std::invoke(get, value)); }});
  if constexpr (description::kIsLongList<Value>) {
    member.write = [get](const T& value, std::ostream& out) {
      const char* separator = "[\n   ";
      std::invoke(get, value).each([&](const auto& item) {
        out << separator;
        write_text(common::to_json(item), out);
        separator = ",\n   ";
      });
      out << (*separator == '[' ? "[]" : "\n  ]");
    };
  }
  using Settable = std::invoke_result_t<Get, T&>;
  if constexpr (std::is_lvalue_reference_v<Settable> &&
                !std::is_const_v<std::remove_reference_t<Settable>> &&
                description::is_readable<Value>()) {
    member.plain = !description::Optional<Value>;
    member.set = [get](T& value, const nlohmann::json& json) {
      description::read(json, std::invoke(get, value));
    };
  }
  return *this;
}

template <typename T>
template <typename Get, typename Set>
Description<T>& Description<T>::add_converted(std::string name, Get get, Set set,
                                              std::string meaning) {
  using Value = std::remove_cvref_t<std::invoke_result_t<Get, const T&>>;
  add(std::move(name), get, std::move(meaning));
  last().converted = true;
  members_.back().set = [set](T& value, const nlohmann::json& json) {
    Value converted{};
    description::read(json, converted);
    set(value, std::move(converted));
  };
  return *this;
}

template <typename T>
template <typename Value>
Description<T>& Description<T>::add_constant(std::string name, Value constant,
                                             std::string meaning) {
  add_converted(
      std::move(name), [constant](const T&) { return constant; }, [](T&, const Value&) {},
      std::move(meaning));
  if constexpr (std::is_arithmetic_v<Value>) {
    return within(static_cast<double>(constant), static_cast<double>(constant));
  } else {
    return one_of({constant});
  }
}

template <typename T>
template <typename V, typename E, std::size_t N>
Description<T>& Description<T>::add_named(std::string name, V T::*member,
                                          const std::array<EnumName<E>, N>& table,
                                          std::string meaning) {
  add_converted(
      std::move(name),
      [member, &table](const T& value) -> std::optional<std::string> {
        if constexpr (description::Optional<V>) {
          if (!(value.*member).has_value()) return std::nullopt;
          return std::string(name_of(table, *(value.*member)));
        } else {
          return std::string(name_of(table, value.*member));
        }
      },
      [member, &table](T& value, const std::optional<std::string>& text) {
        if constexpr (description::Optional<V>) (value.*member).reset();
        for (const auto& [known, enumerator] : table) {
          if (text == known) value.*member = enumerator;
        }
      },
      std::move(meaning));
  const auto names = names_of(table);
  return one_of({names.begin(), names.end()});
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
  form_.groups.insert(form_.groups.end(), inner.form_.groups.begin(), inner.form_.groups.end());
  return *this;
}

}  // namespace kernbench::common
