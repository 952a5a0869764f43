// SPDX-License-Identifier: Apache-2.0
#include "cli/line/option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace kernbench::cli {
namespace fs = std::filesystem;

Option::Option(const std::string& all_names, Variable value, std::string text)
    : variable(std::move(value)), meaning(std::move(text)), first(variable.texts()) {
  for (std::size_t at = 0; at <= all_names.size();) {
    const std::size_t end = std::min(all_names.find(',', at), all_names.size());
    names.push_back(all_names.substr(at, end - at));
    at = end + 1;
  }
}

Option& Option::check(Check condition) {
  checks.push_back(std::move(condition));
  return *this;
}

Option& Option::required() {
  is_required = true;
  return *this;
}

Option& Option::hidden() {
  is_hidden = true;
  return *this;
}

Option& Option::one_each() {
  is_single = true;
  return *this;
}

Option& Option::needs(std::string name) {
  needed.push_back(std::move(name));
  return *this;
}

Option& Option::excludes(const std::vector<const char*>& others) {
  excluded.insert(excluded.end(), others.begin(), others.end());
  return *this;
}

Option& Option::in_group(std::string heading) {
  group = std::move(heading);
  return *this;
}

Option& Option::default_text(std::string text) {
  shown_default = std::move(text);
  return *this;
}

Option& Option::alone_means(std::string value) {
  bare_value = std::move(value);
  return *this;
}

Option& Option::only(Decides what) {
  decides = what;
  return *this;
}

Option& Option::found_in(std::string folder) {
  data_folder = std::move(folder);
  return *this;
}

ValueKind Option::kind() const {
  if (is_flag()) return ValueKind::None;
  if (!choices().empty()) return ValueKind::Choice;
  return variable.type == "TEXT" ? ValueKind::Text : ValueKind::Number;
}

std::string Option::value_name() const {
  switch (kind()) {
    case ValueKind::None:
      return {};
    case ValueKind::Number:
      return "N";
    case ValueKind::Choice:
      return fmt::format("{}", fmt::join(choices(), "|"));
    case ValueKind::Text:
      break;
  }
  return "VALUE";
}

std::string Option::range() const {
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [](const Check& check) { return !check.range.empty(); });
  return found == checks.end() ? std::string() : found->range;
}

std::vector<std::string> Option::choices() const {
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [](const Check& check) { return !check.choices.empty(); });
  return found == checks.end() ? std::vector<std::string>() : found->choices;
}

std::string Option::default_value() const {
  if (shown_default) return *shown_default;
  if (is_flag() || first.empty()) return {};
  return variable.is_list ? fmt::format("[{}]", fmt::join(first, ",")) : first.front();
}

const Check* Option::path() const {
  const auto found = std::find_if(checks.begin(), checks.end(),
                                  [](const Check& check) { return check.path != nullptr; });
  return found == checks.end() ? nullptr : &*found;
}

Words Option::given_or_default() const {
  if (is_given) return values;
  if (follows) return follows().empty() ? Words() : Words{follows()};
  Words texts = shown_default ? Words{*shown_default} : first;
  std::erase(texts, "");
  return texts;
}

Option& Option::following(std::function<std::string()> path) {
  follows = std::move(path);
  return *this;
}

void Option::reset() {
  variable.reset();
  typed.clear();
  values.clear();
  is_given = false;
}

void Option::take(Words texts) {
  typed = std::move(texts);
  is_given = true;
  values = typed;
  if (!data_folder.empty()) {
    for (std::string& text : values) text = path_in(data_folder, text);
  }
  variable.set(values);
}

std::string path_in(const std::string& folder, const std::string& text) {
  const fs::path path = text;
  std::error_code unreadable;
  if (path.empty() || path.is_absolute() || fs::exists(path, unreadable) ||
      *path.lexically_normal().begin() == "..") {
    return text;
  }
  const fs::path shipped = fs::path(folder) / path;
  return fs::is_regular_file(shipped, unreadable) ? shipped.string() : text;
}

}  // namespace kernbench::cli
