// SPDX-License-Identifier: Apache-2.0
#include "plot/svg_style.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "common/markup.hpp"

namespace kernbench::plot {
namespace {

constexpr std::array<std::string_view, 12> kAttributes = {
    "fill",        "fill-opacity",  "stroke",      "stroke-width", "stroke-dasharray",
    "font-family", "font-size",     "font-weight", "paint-order",  "stroke-linejoin",
    "opacity",     "stroke-linecap"};
constexpr std::array<std::string_view, 2> kColours = {"fill", "stroke"};

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \n\t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \n\t") + 1 - first));
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    if (std::string part = trimmed(text.substr(begin, end - begin)); !part.empty()) {
      parts.push_back(std::move(part));
    }
    begin = end + 1;
  }
  return parts;
}

/// Returns the end of the block whose brace is at `open`.
std::size_t end_of_block(std::string_view css, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < css.size(); ++at) {
    if (css[at] == '{') ++depth;
    if (css[at] == '}' && --depth == 0) return at;
  }
  return css.size();
}

/// Returns a value with the values of its variables.
std::string resolved(std::string value, const std::map<std::string, std::string>& variables) {
  for (std::size_t at = value.find("var("); at != std::string::npos; at = value.find("var(", at)) {
    const std::size_t end = value.find(')', at);
    const auto known = variables.find(trimmed(value.substr(at + 4, end - at - 4)));
    value.replace(at, end + 1 - at, known == variables.end() ? "none" : known->second);
  }
  return value;
}

std::string rule_text(const std::string& selector, const std::string& declarations) {
  return declarations.empty() ? "" : fmt::format("{} {{ {}}}\n", selector, declarations);
}

}  // namespace

template <typename Wanted>
std::string SvgStyleSheet::declarations_of(const Rule& rule, const Variables& variables,
                                           const Wanted& is_wanted) {
  std::string text;
  for (const auto& [name, value] : rule.declarations) {
    if (is_wanted(name)) text += fmt::format("{}: {}; ", name, resolved(value, variables));
  }
  return text;
}

bool SvgStyleSheet::Part::matches(const Element& given) const {
  if (!element.empty() && element != given.first) return false;
  const std::vector<std::string> own = split(given.second, ' ');
  return std::all_of(classes.begin(), classes.end(), [&](const std::string& one) {
    return std::find(own.begin(), own.end(), one) != own.end();
  });
}

bool SvgStyleSheet::Selector::matches(const std::vector<Element>& elements) const {
  if (is_of_pointer || elements.empty() || !parts.back().matches(elements.back())) return false;
  std::size_t left = parts.size() - 1;
  for (std::size_t i = elements.size() - 1; i-- > 0 && left > 0;) {
    if (parts[left - 1].matches(elements[i])) --left;
  }
  return left == 0;
}

unsigned SvgStyleSheet::Selector::weight() const {
  unsigned weight = 0;
  for (const Part& part : parts) {
    weight += 100 * static_cast<unsigned>(part.classes.size()) + (part.element.empty() ? 0U : 1U);
  }
  return weight;
}

SvgStyleSheet::SvgStyleSheet(std::string_view css) {
  parse(css, light_);
  for (const auto& [rules, variables] :
       {std::pair(&light_, &light_variables_), std::pair(&dark_, &dark_variables_)}) {
    for (const Rule& rule : *rules) {
      const bool is_root = rule.selectors.size() == 1 && rule.selectors.front().text == "svg";
      for (const auto& [name, value] : rule.declarations) {
        if (is_root && name.starts_with("--")) (*variables)[name] = value;
        if (is_root && name == "background" && value != "none") has_ground_ = true;
      }
    }
  }
  for (const auto& variable : light_variables_) dark_variables_.insert(variable);
}

void SvgStyleSheet::parse(std::string_view css, std::vector<Rule>& rules) {
  for (std::size_t at = 0; at < css.size();) {
    const std::size_t open = css.find('{', at);
    if (open == std::string_view::npos) break;
    const std::string head = trimmed(css.substr(at, open - at));
    const std::size_t end = end_of_block(css, open);
    const std::string_view body = css.substr(open + 1, end - open - 1);
    at = end + 1;
    if (head.starts_with('@')) {
      parse(body, dark_);
      continue;
    }
    Rule& rule = rules.emplace_back();
    for (const std::string& text : split(head, ',')) {
      Selector& selector = rule.selectors.emplace_back();
      selector.text = text;
      for (std::string part : split(text, ' ')) {
        if (const std::size_t colon = part.find(':'); colon != std::string::npos) {
          selector.is_of_pointer = true;
          part.resize(colon);
        }
        const std::size_t dot = std::min(part.find('.'), part.size());
        selector.parts.push_back({part.substr(0, dot), split(part.substr(dot), '.')});
      }
    }
    for (const std::string& declaration : split(body, ';')) {
      const std::size_t colon = declaration.find(':');
      rule.declarations.emplace_back(trimmed(declaration.substr(0, colon)),
                                     trimmed(declaration.substr(colon + 1)));
    }
  }
}

const std::string& SvgStyleSheet::attributes(const std::vector<Element>& elements) const {
  const auto [known, is_new] = known_.try_emplace(elements);
  if (!is_new) return known->second;
  std::map<std::string, std::pair<unsigned, std::string>> found;  // by name, with their weights
  for (const Rule& rule : light_) {
    for (const Selector& selector : rule.selectors) {
      if (!selector.matches(elements)) continue;
      for (const auto& [name, value] : rule.declarations) {
        if (!is_in(kAttributes, name)) continue;
        auto& [weight, text] = found[name];
        if (!text.empty() && selector.weight() < weight) continue;
        weight = selector.weight();
        text = resolved(value, light_variables_);
      }
    }
  }
  for (const auto& [name, value] : found) {
    known->second += fmt::format(" {}=\"{}\"", name, common::escape_markup(value.second));
  }
  return known->second;
}

std::string SvgStyleSheet::rest() const {
  std::string out = "svg { max-width: 100%; height: auto; }\n";
  for (const Rule& rule : light_) {
    for (const Selector& selector : rule.selectors) {
      if (!selector.is_of_pointer) continue;
      const auto is_wanted = [](const std::string& name) { return is_in(kAttributes, name); };
      out += rule_text(selector.text, declarations_of(rule, light_variables_, is_wanted));
    }
  }
  std::set<std::pair<std::string, std::string>> of_dark;  // selectors and properties
  for (const Rule& rule : dark_) {
    for (const Selector& selector : rule.selectors) {
      for (const auto& [name, value] : rule.declarations) of_dark.emplace(selector.text, name);
    }
  }
  for (const std::vector<Rule>* const rules : {&light_, &dark_}) {
    for (const Rule& rule : *rules) {
      for (const Selector& selector : rule.selectors) {
        if (selector.is_of_pointer || selector.text == "svg") continue;
        const auto is_wanted = [&](const std::string& name) {
          const bool is_changed = rules == &light_ && of_dark.contains({selector.text, name});
          return is_in(kColours, name) && !is_changed;
        };
        out += rule_text("svg[data-theme=\"dark\"] " + selector.text,
                         declarations_of(rule, dark_variables_, is_wanted));
      }
    }
  }
  return out;
}

}  // namespace kernbench::plot
