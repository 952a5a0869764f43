// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kernbench::plot {

/// The style sheet of a picture, whose rules become presentation attributes: any program draws
/// these, while many know no CSS variables and no schemes. Takes the CSS of this project: selectors
/// of elements and classes, one inside another; variables that rules of `svg` set; and rules of the
/// dark scheme in `@media (prefers-color-scheme: dark)`.
class SvgStyleSheet {
 public:
  explicit SvgStyleSheet(std::string_view css);

  /// An element, outermost first in a list: its name, and its classes separated by blanks.
  using Element = std::pair<std::string, std::string>;

  /// Returns the attributes of the last of some elements, which are inside each other, such as
  /// ` fill="#ffffff"`: those of the light scheme.
  [[nodiscard]] const std::string& attributes(const std::vector<Element>& elements) const;
  /// Returns the CSS that a picture needs besides: that it shrinks with its page, what changes
  /// below a pointer, and the colours of the dark scheme in a picture with data-theme="dark".
  [[nodiscard]] std::string rest() const;
  /// Returns whether the picture has a ground, which `background` of `svg` asks for.
  [[nodiscard]] bool has_ground() const { return has_ground_; }

 private:
  /// A part of a selector: "text.small", or ".edge:hover".
  struct Part {
    std::string element;  ///< empty: any
    std::vector<std::string> classes;
    [[nodiscard]] bool matches(const Element& element) const;
  };
  struct Selector {
    std::string text;
    std::vector<Part> parts;
    bool is_of_pointer = false;
    [[nodiscard]] bool matches(const std::vector<Element>& elements) const;
    [[nodiscard]] unsigned weight() const;
  };
  struct Rule {
    std::vector<Selector> selectors;
    std::vector<std::pair<std::string, std::string>> declarations;
  };
  using Variables = std::map<std::string, std::string>;

  /// Returns "fill: #ffffff; ", the declarations of a rule whose names are wanted.
  template <typename Wanted>
  [[nodiscard]] static std::string declarations_of(const Rule& rule, const Variables& variables,
                                                   const Wanted& is_wanted);
  void parse(std::string_view css, std::vector<Rule>& rules);

  std::vector<Rule> light_;
  std::vector<Rule> dark_;
  Variables light_variables_;
  Variables dark_variables_;
  bool has_ground_ = false;
  mutable std::map<std::vector<Element>, std::string> known_;
};

}  // namespace kernbench::plot
