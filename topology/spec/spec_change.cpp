// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/spec_change.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/key_places.hpp"
#include "common/text_distance.hpp"
#include "topology/spec/spec_description.hpp"
#include "topology/spec/spec_rules.hpp"

namespace kernbench::topology {
namespace {

void throw_if_any(const std::vector<std::string>& errors) {
  if (!errors.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(errors, "\n")));
}

bool is_number(const common::ValueForm& form, const nlohmann::json& value) {
  return value.is_number() && !form.nullable;
}

/// Returns whether a part of a key ends in a unit.
bool has_unit(std::string_view key) {
  static constexpr std::array kUnits = {"_gbs", "_ns", "_ghz", "_mm", "_kb", "_mb"};
  for (std::size_t begin = 0; begin < key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    const std::string_view part = key.substr(begin, end - begin);
    if (std::any_of(kUnits.begin(), kUnits.end(),
                    [&](const char* unit) { return part.ends_with(unit); })) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

/// Multiplies a value of a form. Returns why it cannot be done, or nothing.
std::string change(nlohmann::json& value, const common::ValueForm& form, double factor) {
  if (!is_number(form, value)) return "changes a key that is not a number";
  const bool is_whole = form.kind == common::ValueForm::Kind::Integer;
  const auto before = value.get<double>();
  const double after = before * factor;
  if (is_whole && after != std::floor(after)) {
    return fmt::format("makes {} of {}, which must be a whole number", after, before);
  }
  if (after < *form.least || after > *form.most) {
    return fmt::format("makes {} of {}, which must be {} to {}", after, before, *form.least,
                       *form.most);
  }
  value = after;
  if (is_whole) value = static_cast<std::uint64_t>(after);
  return {};
}

}  // namespace

std::vector<SpecChange> parse_spec_changes(std::string_view text) {
  std::vector<SpecChange> changes;
  std::vector<std::string> errors;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t sign = part.find_first_of("*/");
    double factor = 0.0;
    const char* const last = part.data() + part.size();
    const bool is_number = sign != std::string_view::npos && sign != 0 &&
                           std::from_chars(part.data() + sign + 1, last, factor).ptr == last &&
                           std::isfinite(factor) && factor > 0;
    if (!is_number) {
      errors.push_back(
          fmt::format("'{}' is not a key of a topology file, * or /, and a number above 0, such as "
                      "pe.clock_ghz*2",
                      part));
      continue;
    }
    changes.push_back({std::string(part), std::string(part.substr(0, sign)),
                       part[sign] == '*' ? factor : 1.0 / factor});
  }
  throw_if_any(errors);
  return changes;
}

std::string change_text(const std::vector<std::string>& keys, double factor) {
  std::vector<std::string> parts;
  parts.reserve(keys.size());
  for (const std::string& key : keys) {
    parts.push_back(factor < 1.0 ? fmt::format("{}/{}", key, 1.0 / factor)
                                 : fmt::format("{}*{}", key, factor));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

std::vector<SpecNumber> sized_numbers(const TopologySpec& spec) {
  std::vector<SpecNumber> numbers;
  const auto& description = common::description_of<TopologySpec>();
  nlohmann::json json = description.to_json(spec);
  const auto visit = [&](const std::string& key, const common::ValueForm& form,
                         const nlohmann::json& value) {
    if (!has_unit(key)) return;
    numbers.push_back(
        {key, is_number(form, value) ? std::optional(value.get<double>()) : std::nullopt});
  };
  common::for_each_value(description.form(), json, visit);
  return numbers;
}

TopologySpec changed_spec(const TopologySpec& spec, const std::vector<SpecChange>& changes) {
  const auto& description = common::description_of<TopologySpec>();
  nlohmann::json json = description.to_json(spec);
  std::vector<std::string> errors;
  std::vector<std::string> numbers;
  std::vector<bool> found(changes.size());
  common::KeyPlaces places;
  places.add("", {{"--what-if", 0, 0}, true, true});
  const auto visit = [&](const std::string& name, const common::ValueForm& form,
                         nlohmann::json& value) {
    places.add(name, {{"--what-if", 0, 0}, true, true});
    if (is_number(form, value)) numbers.push_back(name);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (changes[i].key != name) continue;
      found[i] = true;
      const std::string why = change(value, form, changes[i].factor);
      if (!why.empty()) errors.push_back(fmt::format("'{}' {}", changes[i].text, why));
    }
  };
  common::for_each_value(description.form(), json, visit);
  const std::vector<std::string_view> names(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (found[i]) continue;
    errors.push_back(fmt::format("'{}': there is no number '{}'{}", changes[i].text, changes[i].key,
                                 common::did_you_mean(changes[i].key, names)));
  }
  throw_if_any(errors);
  TopologySpec changed = spec;
  description.read(json, changed);
  common::Diagnostics diagnostics;
  check_spec_rules(changed, places, diagnostics);
  for (const common::Diagnostic& error : diagnostics.errors()) {
    errors.push_back(fmt::format("{}: {}", error.message, error.hint));
  }
  throw_if_any(errors);
  return changed;
}

}  // namespace kernbench::topology
