// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "common/markup.hpp"
#include "plot/html_text.hpp"
#include "plot/svg_canvas.hpp"

namespace kernbench::sim {
namespace {

using common::escape_markup;
using plot::PointPx;
using plot::print;
using plot::svg_number;

constexpr double kUnit = 78;  // pixels between adjacent nodes
constexpr double kMargin = 30;
constexpr double kRadius = 17;
constexpr double kHead = 9;            // length of the head of an arrow
constexpr std::size_t kShownName = 5;  // longest name in a node

PointPx towards(PointPx from, PointPx to, double length) {
  const double distance = std::hypot(to.x - from.x, to.y - from.y);
  if (distance == 0) return from;
  return {from.x + (to.x - from.x) / distance * length,
          from.y + (to.y - from.y) / distance * length};
}

class Drawing {
 public:
  Drawing(const NocWays& ways, const NocDevice& device) : ways_(ways), device_(device) {
    nodes_ = ways.picture.nodes;
    for (std::size_t node = nodes_.size(); node < device.network.nodes(); ++node) {
      nodes_.push_back({static_cast<double>(node), 0});
    }
    least_ = most_ = nodes_.front();
    const auto include = [&](PointPx at) {
      least_ = {std::min(least_.x, at.x), std::min(least_.y, at.y)};
      most_ = {std::max(most_.x, at.x), std::max(most_.y, at.y)};
    };
    for (const PointPx& node : nodes_) include(node);
    for (const auto& bend : ways.picture.bends) {
      if (bend) include(*bend);
    }
  }

  std::string svg() {
    const double width = (most_.x - least_.x) * kUnit + 2 * kMargin;
    const double height = (most_.y - least_.y) * kUnit + 2 * kMargin;
    print(out_,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"map\" width=\"{0}\" height=\"{1}\" "
          "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"Ways of packets through {2}\">\n",
          svg_number(width), svg_number(height), escape_markup(device_.name));
    const auto channels = static_cast<noc::Link>(device_.network.channels().size());
    for (noc::Link channel = 0; channel < channels; ++channel) draw(channel, "channel", false);
    for (const auto& way : ways_.ways) draw(way, "other");
    draw(ways_.failing, "way");
    draw(ways_.wrong, "wrong-link");
    for (std::uint32_t node = 0; node < device_.network.nodes(); ++node) draw_node(node);
    return out_ + "</svg>\n" + legend();
  }

 private:
  [[nodiscard]] PointPx at(PointPx place) const {
    return {(place.x - least_.x) * kUnit + kMargin, (place.y - least_.y) * kUnit + kMargin};
  }

  void draw(const std::vector<noc::Link>& way, std::string_view css) {
    for (const noc::Link link : way) {
      if (link < device_.network.channels().size()) draw(link, css, true);
    }
  }

  void draw(noc::Link channel, std::string_view css, bool has_head) {
    const noc::Channel& one = device_.network.channels()[channel];
    const PointPx from = at(nodes_[one.src]);
    const PointPx to = at(nodes_[one.dst]);
    const auto& bends = ways_.picture.bends;
    const bool is_bent = channel < bends.size() && bends[channel];
    const PointPx control =
        is_bent ? at(*bends[channel]) : PointPx{(from.x + to.x) / 2, (from.y + to.y) / 2};
    const PointPx start = towards(from, control, kRadius);
    const PointPx tip = towards(to, control, kRadius);
    const PointPx end = has_head ? towards(tip, control, kHead) : tip;
    print(out_, "<path class=\"{}\" d=\"M{} {}Q{} {} {} {}\"><title>{}</title></path>\n", css,
          svg_number(start.x), svg_number(start.y), svg_number(control.x), svg_number(control.y),
          svg_number(end.x), svg_number(end.y), escape_markup(device_.link_name(channel)));
    if (!has_head) return;
    print(out_, "<path class=\"{}-head\" d=\"{}\"/>\n", css, plot::arrow_head(tip, end, kHead));
  }

  void draw_node(std::uint32_t node) {
    const PointPx place = at(nodes_[node]);
    const auto local = static_cast<noc::Link>(device_.network.channels().size()) + node;
    const bool is_wrong =
        std::find(ways_.wrong.begin(), ways_.wrong.end(), local) != ways_.wrong.end();
    const std::string name = device_.node_name(node);
    print(out_,
          "<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"><title>node {}</title></circle>\n",
          is_wrong ? "end" : "cell", svg_number(place.x), svg_number(place.y), svg_number(kRadius),
          escape_markup(name));
    print(out_, "<text x=\"{}\" y=\"{}\">{}</text>\n", svg_number(place.x), svg_number(place.y + 4),
          escape_markup(name.size() <= kShownName ? name : std::to_string(node)));
  }

  [[nodiscard]] std::string legend() const {
    std::string text = ways_.words;
    if (!ways_.failing.empty()) text += " The thin red way is that of its packet.";
    if (!ways_.ways.empty()) text += " Blue: the ways of the packets of the shrunk case.";
    return text.empty() ? "" : fmt::format("<p class=\"dim\">{}</p>\n", escape_markup(text));
  }

  const NocWays& ways_;
  const NocDevice& device_;
  std::vector<PointPx> nodes_;
  PointPx least_, most_;
  std::string out_;
};

}  // namespace

std::string way_svg(const NocWays& ways, const NocDevice& device) {
  return Drawing(ways, device).svg();
}

}  // namespace kernbench::sim
