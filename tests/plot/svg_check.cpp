// SPDX-License-Identifier: Apache-2.0
#include "tests/plot/svg_check.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <regex>
#include <stdexcept>

#include "common/numbers.hpp"

namespace kernbench::plot::sample {
namespace {

constexpr double kEmPerCharacter = 0.62;
constexpr double kAscent = 0.78;   // height of a font above the baseline, in em
constexpr double kDescent = 0.22;  // depth below the baseline, in em

/// A tag with its attributes and the text after it.
struct Tag {
  std::string name;
  bool closes = false;  ///< true for an end tag
  std::map<std::string, std::string> attributes;
  std::string text;
};

std::string unescaped(std::string text) {
  const std::vector<std::pair<std::string, std::string>> entities = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}};
  for (const auto& [entity, character] : entities) {
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at) {
      text.replace(at, entity.size(), character);
    }
  }
  return text;
}

std::vector<Tag> tags_of(std::string_view svg) {
  std::vector<Tag> tags;
  std::size_t at = svg.find('<');
  while (at != std::string_view::npos) {
    const std::size_t end = svg.find('>', at);
    if (end == std::string_view::npos) throw std::runtime_error("a tag is not closed");
    std::string_view inside = svg.substr(at + 1, end - at - 1);
    Tag tag;
    tag.closes = inside.starts_with('/');
    if (tag.closes) inside.remove_prefix(1);
    tag.name = std::string(inside.substr(0, inside.find_first_of(" />")));
    for (std::size_t quote = inside.find("=\""); quote != std::string_view::npos;
         quote = inside.find("=\"", quote)) {
      const std::size_t key = inside.rfind(' ', quote) + 1;
      const std::size_t close = inside.find('"', quote + 2);
      tag.attributes[std::string(inside.substr(key, quote - key))] =
          unescaped(std::string(inside.substr(quote + 2, close - quote - 2)));
      quote = close;
    }
    at = svg.find('<', end);
    tag.text = unescaped(std::string(svg.substr(end + 1, at - end - 1)));
    tags.push_back(tag);
  }
  return tags;
}

double number(const Tag& tag, const std::string& key) {
  const auto found = tag.attributes.find(key);
  if (found == tag.attributes.end()) throw std::runtime_error(tag.name + " without " + key);
  const auto value = common::parse_double(found->second);
  if (!value) throw std::runtime_error(key + " is not a number: " + found->second);
  return *value;
}

std::string attribute(const Tag& tag, const std::string& key) {
  const auto found = tag.attributes.find(key);
  return found == tag.attributes.end() ? std::string() : found->second;
}

constexpr double kUsualPx = 12;

std::ptrdiff_t characters(const std::string& text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
}

bool overlap(const SvgBox& a, const SvgBox& b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

class Reader {
 public:
  SvgDrawing read(std::string_view svg) {
    for (const Tag& tag : tags_of(svg)) {
      if (tag.closes) {
        if (tag.name == "g" && !groups_.empty()) groups_.pop_back();
      } else {
        read(tag);
      }
    }
    return drawing_;
  }

 private:
  struct Group {
    std::string css_class;
    std::string id;
    std::string tooltip;
  };

  void read(const Tag& tag) {
    if (tag.name == "svg") {
      drawing_.w = number(tag, "width");
      drawing_.h = number(tag, "height");
    } else if (tag.name == "g") {
      groups_.push_back({attribute(tag, "class"), attribute(tag, "data-id"), {}});
    } else if (tag.name == "title" && !groups_.empty() && groups_.back().tooltip.empty()) {
      groups_.back().tooltip = tag.text;
      if (groups_.back().css_class == "link") drawing_.link_tooltips.push_back(tag.text);
    } else if (tag.name == "text") {
      read_text(tag);
    } else if (tag.name == "rect" && in_node()) {
      read_rect(tag);
    } else if (tag.name == "circle" && attribute(tag, "class") == "anchor" && in_node()) {
      drawing_.places[groups_.back().id] = {number(tag, "cx"), number(tag, "cy")};
    } else if (tag.name == "path" && attribute(tag, "class") == "arrow") {
      drawing_.arrow_tooltips.push_back(groups_.back().tooltip);
    }
  }

  [[nodiscard]] bool in_node() const { return !groups_.empty() && !groups_.back().id.empty(); }

  void read_rect(const Tag& tag) {
    const Group& group = groups_.back();
    const SvgBox box{group.id, number(tag, "x"), number(tag, "y"), number(tag, "width"),
                     number(tag, "height")};
    if (group.css_class.starts_with("node")) drawing_.boxes.push_back(box);
    drawing_.places[group.id] = {box.x + box.w / 2, box.y + box.h / 2};
  }

  void read_text(const Tag& tag) {
    const std::string size = attribute(tag, "font-size");
    const double px = size.empty() ? kUsualPx : std::stod(size);  // "12px"
    const std::string anchor = attribute(tag, "text-anchor");
    SvgBox box;
    box.what = tag.text;
    box.w = static_cast<double>(characters(tag.text)) * kEmPerCharacter * px;
    box.h = (kAscent + kDescent) * px;
    box.x = number(tag, "x") - (anchor == "middle" ? box.w / 2 : anchor == "end" ? box.w : 0);
    box.y = number(tag, "y") - kAscent * px;
    drawing_.texts.push_back(box);
  }

  SvgDrawing drawing_;
  std::vector<Group> groups_;
};

bool holds(const SvgBox& outer, const SvgBox& inner) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w &&
         inner.y + inner.h <= outer.y + outer.h;
}

}  // namespace

SvgDrawing read_svg(std::string_view svg) {
  return Reader().read(svg);
}

std::string without_looks(const std::string& svg) {
  static const std::regex kLook(R"re( (fill|stroke|font|paint|opacity)(-[a-z]+)*="[^"]*")re");
  return std::regex_replace(svg, kLook, "");
}

std::vector<std::string> find_illegible(const SvgDrawing& drawing) {
  std::vector<std::string> found;
  const SvgBox page{"the page", 0, 0, drawing.w, drawing.h};
  for (std::size_t i = 0; i < drawing.texts.size(); ++i) {
    const SvgBox& text = drawing.texts[i];
    if (!holds(page, text)) found.push_back("'" + text.what + "' is cut off");
    for (std::size_t j = i + 1; j < drawing.texts.size(); ++j) {
      if (overlap(text, drawing.texts[j])) {
        found.push_back("'" + text.what + "' overlaps '" + drawing.texts[j].what + "'");
      }
    }
    for (const SvgBox& box : drawing.boxes) {
      if (overlap(text, box) && !holds(box, text)) {
        found.push_back("'" + text.what + "' touches the box of " + box.what);
      }
    }
  }
  for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < drawing.boxes.size(); ++j) {
      if (overlap(drawing.boxes[i], drawing.boxes[j])) {
        found.push_back(drawing.boxes[i].what + " overlaps " + drawing.boxes[j].what);
      }
    }
  }
  return found;
}

}  // namespace kernbench::plot::sample
