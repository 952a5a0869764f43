// SPDX-License-Identifier: Apache-2.0
#include "common/form_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <vector>

#include "common/utf8.hpp"
#include "common/yaml_describe.hpp"

namespace kernbench::common {

using FormKind = ValueForm::Kind;

namespace {

Range<std::uint64_t> counts(const ValueForm& form) {
  return {static_cast<std::uint64_t>(form.least_whole()), form.most_whole()};
}

Range<std::int64_t> whole_numbers(const ValueForm& form) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return {form.least_whole(), static_cast<std::int64_t>(std::min(form.most_whole(), kMost))};
}

NumberRange numbers(const ValueForm& form) {
  NumberRange range{.exclude_min = form.above};
  if (form.least) range.min = *form.least;
  if (form.most) range.max = *form.most;
  return range;
}

Range<std::size_t> length(const ValueForm& form) {
  Range<std::size_t> range;
  if (form.least) range.min = static_cast<std::size_t>(*form.least);
  if (form.most) range.max = static_cast<std::size_t>(*form.most);
  return range;
}

std::vector<std::string_view> choices(const ValueForm& form) {
  return {form.choices.begin(), form.choices.end()};
}

/// Returns what a value of a form must be, as messages say it.
std::string expected(const ValueForm& form) {
  switch (form.kind) {
    case FormKind::Text:
      if (form.rule != nullptr) return std::string(form.rule->words);
      return form.choices.empty() ? "text" : describe_names(choices(form));
    case FormKind::Boolean:
      return "true or false";
    case FormKind::Integer:
      return form.least_whole() < 0 ? describe(whole_numbers(form)) : describe(counts(form));
    case FormKind::Number:
      return describe(numbers(form));
    case FormKind::List:
      return describe_list(length(form));
    case FormKind::Either: {
      std::vector<std::string> parts;
      for (const ValueForm& part : form.parts) parts.push_back(expected(part));
      return fmt::format("{}", fmt::join(parts, " or "));
    }
    case FormKind::Scalar:
      return "a text or a number";
    case FormKind::Map:
    case FormKind::Object:
    case FormKind::Again:
    case FormKind::Any:
      break;
  }
  return "a map";
}

/// Returns whether a value has the type of a form, with which Either chooses.
bool has_type(const YamlNode& node, const ValueForm& form) {
  if (form.kind == FormKind::List) return node.is_list();
  if (form.kind == FormKind::Map || form.kind == FormKind::Object) return node.is_map();
  if (form.kind == FormKind::Number) return node.is_scalar() && !node.is_text();
  return node.is_scalar();
}

class FormReader {
 public:
  FormReader(FormUse use, KeyPlaces& places, Diagnostics& diagnostics)
      : is_report_(use == FormUse::Report), places_(places), diagnostics_(diagnostics) {}

  nlohmann::json read(const YamlNode& node, const ValueForm& form, const std::string& path) {
    if (form.nullable && (form.no_value.empty() ? node.is_null() : node.text() == form.no_value)) {
      return form.no_value.empty() ? nlohmann::json() : nlohmann::json(form.no_value);
    }
    switch (form.kind) {
      case FormKind::Text:
        return text(node, form);
      case FormKind::Boolean:
        return node.boolean();
      case FormKind::Integer:
        if (form.least_whole() < 0) return node.i64(whole_numbers(form));
        return node.u64(counts(form));
      case FormKind::Number:
        return node.number(numbers(form));
      case FormKind::Scalar:
        return node.string("0");
      case FormKind::List:
        return list(node, form, path);
      case FormKind::Map:
        return map(node, form, path);
      case FormKind::Object: {
        YamlMap keys(node);
        return object(keys, form, path);
      }
      case FormKind::Either:
        if (const ValueForm* const part = nearest(node, form)) return read(node, *part, path);
        node.refuse(expected(form));
        return nothing(form);
      case FormKind::Again:
        return read(node, form.again(), path);
      case FormKind::Any:
        break;
    }
    return {};
  }

 private:
  /// Returns how many members an object lacks, and how many it has that a form does not have.
  [[nodiscard]] std::size_t differences(const YamlNode& node, const ValueForm& form) const {
    const std::vector<std::string_view> keys = node.keys();
    std::size_t known = 0;
    std::size_t missing = 0;
    for (const ValueForm& member : form.parts) {
      const bool is_there = std::find(keys.begin(), keys.end(), member.name) != keys.end();
      known += is_there ? 1 : 0;
      missing += is_there || can_be_missing(member) ? 0 : 1;
    }
    return missing + keys.size() - known;
  }

  /// Returns the first part of a form with the type of a value; of objects the one with the fewest
  /// differences. Null if none has the type.
  [[nodiscard]] const ValueForm* nearest(const YamlNode& node, const ValueForm& form) const {
    const ValueForm* found = nullptr;
    std::size_t fewest = 0;
    for (const ValueForm& part : form.parts) {
      if (!has_type(node, part)) continue;
      const std::size_t different =
          part.kind == FormKind::Object ? differences(node, part) : std::size_t{0};
      if (found == nullptr || different < fewest) {
        found = &part;
        fewest = different;
      }
    }
    return found;
  }

  std::string text(const YamlNode& node, const ValueForm& form) {
    if (!form.choices.empty()) return form.choices[node.one_of(choices(form))];
    const std::string& given = node.text();
    if (!node.is_text()) {
      node.refuse(expected(form), node.is_scalar() ? "put it in quotes" : "");
      return given;
    }
    const std::size_t errors = diagnostics_.size();
    if (!is_report_) (void)(form.lines ? node.lines() : node.string());
    if (given.empty() && is_report_ && form.least.value_or(0) > 0) node.refuse("text");
    if (diagnostics_.size() != errors) return given;
    if (form.rule != nullptr && !form.rule->holds(given)) {
      node.refuse(std::string(form.rule->words));
    }
    for (const std::string& part : form.placeholders) {
      if (given.find(part) != std::string::npos) continue;
      node.error(fmt::format("{} needs the placeholder {}", node.label(), part));
    }
    return given;
  }

  nlohmann::json list(const YamlNode& node, const ValueForm& form, const std::string& path) {
    nlohmann::json items = nlohmann::json::array();
    std::vector<nlohmann::json> sound;
    std::vector<YamlNode> nodes = node.list(length(form));
    if (nodes.size() > length(form).max) nodes.clear();  // one error is enough
    for (const YamlNode& item : nodes) {
      const std::string name = fmt::format("{}[{}]", path, items.size());
      const std::size_t errors = diagnostics_.size();
      const nlohmann::json& value = items.emplace_back(read(item, form.item(items.size()), name));
      const bool is_sound = diagnostics_.size() == errors && !item.is_refused();
      places_.add(name, {item.position(), true, is_sound, item.label()});
      if (!form.different || !is_sound) continue;
      if (std::find(sound.begin(), sound.end(), value) != sound.end()) {
        item.error(fmt::format("'{}' is in the list twice",
                               value.is_string() ? value.get<std::string>() : value.dump()),
                   "remove one of them");
      }
      sound.push_back(value);
    }
    // A list of a fixed length has it also after an error.
    const nlohmann::json whole = nothing(form);
    while (items.size() < whole.size()) items.push_back(whole.back());
    return items;
  }

  nlohmann::json map(const YamlNode& node, const ValueForm& form, const std::string& path) {
    nlohmann::json values = nlohmann::json::object();
    YamlMap keys(node);
    for (const auto& [key, value] : keys.entries()) {
      const std::string name = full_name(path, key);
      const std::size_t errors = diagnostics_.size();
      if (form.names != nullptr && !form.names->holds(key)) {
        value.error(fmt::format("'{}' is not {}", key, form.names->words),
                    std::string(form.names->hint));
      }
      values[key] = read(value, form.items(), name);
      const bool is_sound = diagnostics_.size() == errors && !value.is_refused();
      places_.add(name, {value.position(), true, is_sound, value.label()});
    }
    if (node.is_map() && static_cast<double>(values.size()) < form.least.value_or(0)) {
      node.error(fmt::format("{} is empty", node.label()));
    }
    return values;
  }

  nlohmann::json object(YamlMap& keys, const ValueForm& form, const std::string& path) {
    nlohmann::json values = nlohmann::json::object();
    std::set<std::string> wrong;
    const auto text_of = [&](const std::string& name) {
      const auto found = values.find(name);
      return found == values.end() || wrong.contains(name) ? "" : found->get<std::string>();
    };
    for (const ValueForm& member : form.parts) {
      const std::optional<bool> exists = holds(member.only_if, form, text_of);
      if (!exists) (void)keys.entries();  // no key can be judged unknown
      if (!exists.value_or(false)) continue;
      const std::size_t errors = diagnostics_.size();
      add_member(keys, member, full_name(path, member.name), values);
      if (diagnostics_.size() != errors) wrong.insert(member.name);
    }
    for (const ValueForm::Group& group : form.groups) {
      if (holds(group.only_if, form, text_of).value_or(false)) check_group(keys, form, group);
    }
    check_order(keys, form, values);
    const std::size_t errors = diagnostics_.size();
    keys.finish();
    if (diagnostics_.size() != errors) places_.distrust_defaults_below(path);
    return values;
  }

  [[nodiscard]] bool can_be_missing(const ValueForm& member) const {
    return is_report_ ? member.can_be_missing_in_report() : member.can_be_missing();
  }

  void add_member(YamlMap& keys, const ValueForm& member, const std::string& name,
                  nlohmann::json& values) {
    const std::size_t errors = diagnostics_.size();
    const auto node = keys.node(member.name);
    if (node) {
      nlohmann::json value = read(*node, member, name);
      // With an error, a single value is as if it were missing.
      const bool single = !value.is_structured() && can_be_missing(member);
      if (!single || diagnostics_.size() == errors) values[member.name] = std::move(value);
    } else if (member.kind == FormKind::Object &&
               (!can_be_missing(member) || (!is_report_ && member.fallback.is_object()))) {
      // Without the map its members are missing or have their defaults.
      YamlMap inner =
          can_be_missing(member) ? keys.optional_map(member.name) : keys.map(member.name);
      nlohmann::json members = object(inner, member, name);
      if (!can_be_missing(member)) values[member.name] = std::move(members);
    } else if (!can_be_missing(member)) {
      keys.report_missing(member.name, expected(member));
      values[member.name] = nothing(member);
    }
    const bool is_there = node ? !node->is_refused() : can_be_missing(member);
    places_.add(name, {keys.position(member.name), node.has_value(),
                       is_there && diagnostics_.size() == errors,
                       node ? node->label() : in_quotes(keys.full_name(member.name))});
  }

  static void check_group(YamlMap& keys, const ValueForm& form, const ValueForm::Group& group) {
    std::vector<std::string> given;
    std::copy_if(group.names.begin(), group.names.end(), std::back_inserter(given),
                 [&](const std::string& name) { return keys.has(name); });
    if (given.empty() && group.one_is_needed) {
      keys.report_missing(fmt::format("{}", fmt::join(group.names, "' or '")),
                          expected(form.member(group.names.front())));
    }
    for (std::size_t i = 1; i < given.size(); ++i) {
      keys.error(given[i], fmt::format("'{}' and '{}' exclude each other", keys.full_name(given[0]),
                                       keys.full_name(given[i])));
    }
  }

  static void check_order(const YamlMap& keys, const ValueForm& form,
                          const nlohmann::json& values) {
    for (std::size_t i = 1; i < form.ascending.size(); ++i) {
      const auto before = values.find(form.ascending[i - 1]);
      const auto after = values.find(form.ascending[i]);
      if (before == values.end() || after == values.end() || *before <= *after) continue;
      keys.error(form.ascending[i],
                 fmt::format("'{}' must be at least '{}'", keys.full_name(form.ascending[i]),
                             keys.full_name(form.ascending[i - 1])));
      return;
    }
  }

  /// Returns the value that stands for a missing one.
  static nlohmann::json nothing(const ValueForm& form) {
    switch (form.kind) {
      case FormKind::Text:
        return form.choices.empty() ? "" : form.choices.front();
      case FormKind::Boolean:
        return false;
      case FormKind::Integer:
        return form.least_whole() < 0 ? nlohmann::json(0) : nlohmann::json(form.least_whole());
      case FormKind::Number:
        return std::clamp(0.0, numbers(form).min, numbers(form).max);
      case FormKind::Scalar:
        return "0";
      case FormKind::List: {
        const bool is_fixed = form.least && form.least == form.most;
        const std::size_t size = is_fixed ? static_cast<std::size_t>(*form.least) : 0;
        return nlohmann::json::array_t(size, nothing(form.items()));
      }
      case FormKind::Either:
        return nothing(form.parts.front());
      case FormKind::Map:
      case FormKind::Object:
      case FormKind::Again:
      case FormKind::Any:
        break;
    }
    return nlohmann::json::object();
  }

  static std::string full_name(const std::string& path, const std::string& key) {
    return path.empty() ? key : fmt::format("{}.{}", path, key);
  }

  bool is_report_;
  KeyPlaces& places_;
  Diagnostics& diagnostics_;
};

}  // namespace

nlohmann::json read_form(const YamlNode& root, const ValueForm& form, KeyPlaces& places,
                         Diagnostics& diagnostics, FormUse use) {
  places.add("", {root.position(), true, true});
  return FormReader(use, places, diagnostics).read(root, form, "");
}

bool is_within(std::uint64_t number, Range<std::uint64_t> range, const KeyPlaces::Place& place,
               Diagnostics& diagnostics) {
  if (number >= range.min && number <= range.max) return true;
  diagnostics.error(place.position, fmt::format("{} must be an integer from {} to {}, not '{}'",
                                                place.label, range.min, range.max, number));
  return false;
}

void require_form(const ValueForm& form, const nlohmann::json& value, const std::string& file,
                  const std::string& place) {
  Diagnostics diagnostics;
  const YamlDocument document = YamlDocument::of_json(value, file, place, diagnostics);
  KeyPlaces places;
  (void)FormReader(FormUse::Report, places, diagnostics).read(document.root(), form, "");
  diagnostics.throw_if_any();
}

}  // namespace kernbench::common
