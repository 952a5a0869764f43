// SPDX-License-Identifier: Apache-2.0
#include "plot/report_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "common/band.hpp"
#include "common/description.hpp"
#include "common/text_lines.hpp"

namespace kernbench::plot {

using nlohmann::json;

namespace {

constexpr std::size_t kMostParts = 6;  // shown of a critical path

/// Returns the envelope of a report without its data.
json frame_of(const common::ReportEnvelope& report) {
  common::ReportEnvelope frame = report;
  frame.data = nullptr;
  json object = json::parse(common::render_report(frame));
  object.erase("data");
  return object;
}

/// Numbers of a member as texts, in one unit. Times of less than 1 us are in ns.
class NumberTexts {
 public:
  NumberTexts(const std::string& name, double most) : name_(name) {
    if (const common::ShownUnit* const unit = common::unit_of(name); unit != nullptr) unit_ = *unit;
    if (unit_.name == "us" && std::abs(most) * unit_.factor < 1) {
      unit_.name = "ns";
      unit_.factor *= 1000;
    }
  }

  /// Returns a number with its unit: "2.951 us".
  [[nodiscard]] std::string operator()(const json& value) const {
    const std::string text = digits(value);
    return unit_.name.empty() ? text : fmt::format("{} {}", text, unit_.name);
  }
  /// Returns B - A: "-0.128 (-4.34 %)".
  [[nodiscard]] std::string change(const json& a, const json& b) const {
    return (b < a ? "-" : "+") + digits(size_of_change(a, b)) + percent_of_change(a, b);
  }

 private:
  [[nodiscard]] std::string digits(const json& value) const {
    return common::with_thousands(
        unit_.decimals == 0
            ? common::text_of_member(name_, value)
            : fmt::format("{:.{}f}", value.get<double>() * unit_.factor, unit_.decimals));
  }

  std::string name_;
  common::ShownUnit unit_{};
};

NumberTexts texts_of(const std::string& name, const json& a, const json& b) {
  return {name, std::max(std::abs(a.get<double>()), std::abs(b.get<double>()))};
}

/// Returns the words of a command that the other one lacks.
std::string own_words(const std::string& command, const std::string& other) {
  std::istringstream words(command), others(other);
  std::multiset<std::string> taken{std::istream_iterator<std::string>(others), {}};
  std::string text;
  for (std::string word; words >> word;) {
    if (const auto same = taken.find(word); same != taken.end()) {
      taken.erase(same);
    } else {
      text += (text.empty() ? "" : " ") + word;
    }
  }
  return text;
}

/// Returns the band of a region's time over repeated runs of a report, if it has one.
std::optional<common::Band> band_of(const json& data, const std::string& region) {
  const json::json_pointer times("/spread/times");
  if (!data.contains(times)) return std::nullopt;
  for (const json& one : data.at(times)) {
    if (one.value("name", "") != region) continue;
    return common::Band{one.value("least_ps", 0.0), one.value("median_ps", 0.0),
                        one.value("most_ps", 0.0)};
  }
  return std::nullopt;
}

/// Returns whether a value is the time of a region that differs by less than repeated runs of each
/// report do.
bool is_within_band(const std::string& place, const json& a, const json& b) {
  constexpr std::string_view kBegin = "regions.";
  constexpr std::string_view kEnd = ".time_ps";
  if (!place.starts_with(kBegin) || !place.ends_with(kEnd)) return false;
  const std::string region =
      place.substr(kBegin.size(), place.size() - kBegin.size() - kEnd.size());
  const auto before = band_of(a, region);
  const auto after = band_of(b, region);
  return before && after && !common::differ(*before, *after);
}

std::vector<DifferingValue> changed_parts(const json& before, const json& after,
                                          const std::string& list) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> times;
  const json none = json::array();
  for (const json& one : before.value(list, none)) {
    times[one.value("name", "")].first += one.value("time_ps", std::int64_t{0});
  }
  for (const json& one : after.value(list, none)) {
    times[one.value("name", "")].second += one.value("time_ps", std::int64_t{0});
  }
  std::vector<std::pair<std::string, std::pair<std::int64_t, std::int64_t>>> sorted;
  std::copy_if(times.begin(), times.end(), std::back_inserter(sorted),
               [](const auto& part) { return part.second.first != part.second.second; });
  const auto change = [](const auto& part) {
    return std::abs(part.second.second - part.second.first);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const auto& x, const auto& y) { return change(x) > change(y); });
  sorted.resize(std::min(sorted.size(), kMostParts));
  std::vector<DifferingValue> parts;
  for (const auto& [name, sides] : sorted) {
    const json a(sides.first);
    const json b(sides.second);
    const NumberTexts texts = texts_of("time_ps", a, b);
    parts.push_back({name, texts(a), texts(b), texts.change(a, b), false});
  }
  return parts;
}

void add_reasons(ReportComparison& comparison, const std::string& member, const json& a,
                 const json& b) {
  if (!a.contains(member) || !b.contains(member)) {
    const bool neither = !a.contains(member) && !b.contains(member);
    comparison.missing_reasons =
        fmt::format("{} no critical path; run with --explain", neither ? "the reports have"
                                                               : a.contains(member) ? "B has"
                                                                                    : "A has");
    return;
  }
  for (const json& after : b.at(member)) {
    const std::string of = after.value("of", "");
    const auto before = std::find_if(a.at(member).begin(), a.at(member).end(),
                                     [&](const json& one) { return one.value("of", "") == of; });
    if (before == a.at(member).end()) continue;
    constexpr std::array kLists = {std::pair("by_limit", "by limit"),
                                   std::pair("by_component", "by part")};
    for (const auto& [list, by] : kLists) {
      ChangedParts changed{of, by, changed_parts(*before, after, list)};
      if (!changed.parts.empty()) comparison.reasons.push_back(std::move(changed));
    }
  }
}

}  // namespace

std::string text_of(const ValuePair& pair, const json* value) {
  if (value == nullptr) return "(none)";
  if (value->is_null()) return "null";
  if (value->is_number()) {
    const json* const other = value == pair.a ? pair.b : pair.a;
    const bool has_other = other != nullptr && other->is_number();
    return texts_of(pair.form->name, *value, has_other ? *other : *value)(*value);
  }
  if (value->is_array()) return common::counted(value->size(), "item");
  if (value->is_object()) return "(there)";
  return value->is_string() ? value->get<std::string>() : value->dump();
}

std::string change_of(const ValuePair& pair) {
  return texts_of(pair.form->name, *pair.a, *pair.b).change(*pair.a, *pair.b);
}

std::string ReportComparison::counts() const {
  if (differing == 0) return fmt::format("all {} values are equal", common::grouped(compared));
  return fmt::format("{} of {} values {}", common::grouped(differing), common::grouped(compared),
                     differing == 1 ? "differs" : "differ");
}

ReportComparison compare_reports(const ReportKind& kind, const common::ReportEnvelope& a,
                                 const common::ReportEnvelope& b,
                                 const std::function<void(const ValuePair& pair)>& visit) {
  ReportComparison comparison;
  const std::string reasons(kind.reasons);
  const auto is_input = [&](const std::string& place) {
    static const std::set<std::string, std::less<>> kFrame = {"seed", "config_hash", "revision",
                                                              "command", "plugins"};
    const std::string first = place.substr(0, place.find_first_of(".["));
    return kFrame.contains(first) ||
           std::find(kind.inputs.begin(), kind.inputs.end(), first) != kind.inputs.end();
  };
  const auto add = [&](const ValuePair& pair) {
    ++comparison.compared;
    if (visit) visit(pair);
    if (pair.is_equal()) return;
    ++comparison.differing;
    if (pair.path == "command") {
      const auto& first = pair.a->get_ref<const std::string&>();
      const auto& second = pair.b->get_ref<const std::string&>();
      comparison.commands = {own_words(first, second), own_words(second, first)};
      return;
    }
    if (!reasons.empty() && pair.path.starts_with(reasons + ".")) return;  // see add_reasons()
    DifferingValue value{pair.path, text_of(pair, pair.a), text_of(pair, pair.b), "", false};
    if (is_within_band(pair.path, a.data, b.data)) {
      value.is_within_band = true;
      value.change = "within the band of runs";
    } else if (pair.a != nullptr && pair.b != nullptr && pair.a->is_number() &&
               pair.b->is_number()) {
      value.change = change_of(pair);
    }
    (is_input(pair.path) ? comparison.inputs : comparison.results).push_back(std::move(value));
  };
  for_each_pair(common::form_of<common::ReportEnvelope>(), frame_of(a), frame_of(b), add);
  for_each_pair(kind.form(), a.data, b.data, add);
  if (!reasons.empty() && comparison.differing != 0)
    add_reasons(comparison, reasons, a.data, b.data);
  return comparison;
}

}  // namespace kernbench::plot
