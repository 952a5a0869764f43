// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kernbench::sim {
namespace {

using plot::PointPx;

constexpr double kUnit = 92;  // pixels between adjacent nodes
constexpr double kMargin = 44;
constexpr std::size_t kShownName = 6;  // longest name in a node

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

  WayMap map() {
    map_.label = fmt::format("Ways of packets through {}", device_.name);
    map_.width = (most_.x - least_.x) * kUnit + 2 * kMargin;
    map_.height = (most_.y - least_.y) * kUnit + 2 * kMargin;
    const auto channels = static_cast<noc::Link>(device_.network.channels().size());
    for (noc::Link channel = 0; channel < channels; ++channel) draw(channel, "channel", false);
    for (const auto& way : ways_.ways) draw(way, "other");
    draw(ways_.failing, "way");
    draw(ways_.wrong, "wrong-link");
    for (std::uint32_t node = 0; node < device_.network.nodes(); ++node) draw_node(node);
    map_.words = words();
    return map_;
  }

 private:
  [[nodiscard]] PointPx at(PointPx place) const {
    return {(place.x - least_.x) * kUnit + kMargin, (place.y - least_.y) * kUnit + kMargin};
  }

  void draw(const std::vector<noc::Link>& way, const char* role) {
    for (const noc::Link link : way) {
      if (link < device_.network.channels().size()) draw(link, role, true);
    }
  }

  void draw(noc::Link channel, const char* role, bool has_head) {
    const noc::Channel& one = device_.network.channels()[channel];
    const PointPx from = at(nodes_[one.src]);
    const PointPx to = at(nodes_[one.dst]);
    const auto& bends = ways_.picture.bends;
    const bool is_bent = channel < bends.size() && bends[channel];
    const PointPx control =
        is_bent ? at(*bends[channel]) : PointPx{(from.x + to.x) / 2, (from.y + to.y) / 2};
    map_.links.push_back(map_link(device_.link_name(channel), role, {from, control, to}, has_head));
  }

  void draw_node(std::uint32_t node) {
    const PointPx place = at(nodes_[node]);
    const auto local = static_cast<noc::Link>(device_.network.channels().size()) + node;
    const bool is_wrong =
        std::find(ways_.wrong.begin(), ways_.wrong.end(), local) != ways_.wrong.end();
    const std::string name = device_.node_name(node);
    map_.nodes.push_back({noc_place_name(device_, node),
                          name.size() <= kShownName ? name : std::to_string(node), place.x, place.y,
                          is_wrong});
  }

  [[nodiscard]] std::string words() const {
    std::string text = ways_.words;
    if (!ways_.failing.empty()) text += " The thin red way is that of its packet.";
    if (!ways_.ways.empty()) text += " Blue: the ways of the packets of the shrunk case.";
    return text;
  }

  const NocWays& ways_;
  const NocDevice& device_;
  std::vector<PointPx> nodes_;
  PointPx least_, most_;
  WayMap map_;
};

}  // namespace

WayMap way_map(const NocWays& ways, const NocDevice& device) {
  return Drawing(ways, device).map();
}

std::string noc_place_name(const NocDevice& device, std::size_t place) {
  const std::uint32_t nodes = device.network.nodes();
  if (place < nodes) {
    return fmt::format("node {}", device.node_name(static_cast<std::uint32_t>(place)));
  }
  return device.link_name(static_cast<noc::Link>(place - nodes));
}

}  // namespace kernbench::sim
