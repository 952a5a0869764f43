// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/way_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "common/markup.hpp"
#include "plot/html_text.hpp"
#include "plot/path_data.hpp"
#include "plot/svg_canvas.hpp"
#include "sim/debug/wave_drawing.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

using common::escape_markup;
using plot::PointPx;
using plot::print;
using plot::svg_number;

constexpr double kNodeWidth = 46;
constexpr double kNodeHeight = 34;
constexpr double kEnd = 25;    // from the centre of a node to the end of a link
constexpr double kHead = 9;    // length of the head of an arrow
constexpr double kGridX = 96;  // between adjacent nodes of a grid
constexpr double kGridY = 84;
constexpr double kMargin = 44;

PointPx towards(PointPx from, PointPx to, double length) {
  const double distance = std::hypot(to.x - from.x, to.y - from.y);
  if (distance == 0) return from;
  return {from.x + (to.x - from.x) / distance * length,
          from.y + (to.y - from.y) / distance * length};
}

/// Returns the control point of a link in a row or column, on the right of its direction. Long ones
/// pass the nodes between.
PointPx control_of(PointPx from, PointPx to) {
  const double distance = std::hypot(to.x - from.x, to.y - from.y);
  const bool in_row = from.y == to.y;
  const double steps = distance / (in_row ? kGridX : kGridY);
  const double bend = steps < 1.5 ? 22 : (in_row ? 52 : 62) + 4 * steps;
  return {(from.x + to.x) / 2 - (to.y - from.y) / distance * bend,
          (from.y + to.y) / 2 + (to.x - from.x) / distance * bend};
}

}  // namespace

MapLink map_link(std::string place, std::string role, const MapCurve& curve, bool has_head) {
  const PointPx start = towards(curve.from, curve.control, kEnd);
  const PointPx tip = towards(curve.to, curve.control, kEnd);
  const PointPx end = has_head ? towards(tip, curve.control, kHead) : tip;
  return {std::move(place), std::move(role),
          fmt::format("M{} {}Q{} {} {} {}", svg_number(start.x), svg_number(start.y),
                      svg_number(curve.control.x), svg_number(curve.control.y), svg_number(end.x),
                      svg_number(end.y)),
          has_head ? plot::arrow_head(tip, end, kHead) : ""};
}

std::string maze_place_name(const maze::Shape& shape, std::size_t place) {
  const topology::MazeLinks links(shape.nx, shape.ny);
  if (place < shape.nodes()) return links.coordinates(static_cast<unsigned>(place));
  return links.link_name(links.links().at(place - shape.nodes()));
}

WayMap maze_map(const maze::Shape& shape, const Unit& unit, const std::set<std::size_t>& places) {
  const topology::MazeLinks links(shape.nx, shape.ny);
  WayMap map{.label = "Place of the failure on the grid",
             .width = (shape.nx - 1) * kGridX + 2 * kMargin,
             .height = (shape.ny - 1) * kGridY + 2 * kMargin};
  const auto centre = [&](unsigned node) {
    return PointPx{links.x_of(node) * kGridX + kMargin, links.y_of(node) * kGridY + kMargin};
  };
  const bool is_link = unit.kind == Unit::Kind::Link;
  const auto is_end = [&](unsigned node) {
    return node == unit.at.node ||
           (is_link && node == links.leaving(unit.at.node, unit.at.port).to.node);
  };
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    const PointPx at = centre(node);
    map.nodes.push_back({links.coordinates(node),
                         fmt::format("{},{}", links.y_of(node), links.x_of(node)), at.x, at.y,
                         is_end(node)});
  }
  for (std::size_t i = 0; i < links.links().size(); ++i) {
    const topology::MazeLink& link = links.links()[i];
    const bool is_unit = is_link && link.from == topology::MazePort{unit.at.node, unit.at.port};
    if (!is_unit && places.count(shape.nodes() + i) == 0) continue;
    const PointPx from = centre(link.from.node);
    const PointPx to = centre(link.to.node);
    map.links.push_back(map_link(links.link_name(link), is_unit ? "way" : "channel",
                                 {from, control_of(from, to), to}, true));
  }
  map.words = is_link ? "Red: the link that fails, and its ends." : "Red: the node that fails.";
  return map;
}

std::vector<MapPacket> map_packets(const std::vector<PacketStay>& stays, const Recording& recording,
                                   const std::function<std::string(std::size_t place)>& name_of) {
  const std::set<maze::Payload> wrong = packets_in_question(recording);
  std::map<maze::Payload, std::size_t> numbers;
  std::vector<MapPacket> packets;
  for (const PacketStay& stay : stays) {
    const auto [at, is_new] = numbers.emplace(stay.packet, packets.size());
    if (is_new) {
      packets.push_back({recording.texts.whole(stay.packet), wrong.count(stay.packet) != 0, {}});
    }
    packets[at->second].stays.push_back({name_of(stay.place), stay.first, stay.last});
  }
  std::stable_partition(packets.begin(), packets.end(),
                        [](const MapPacket& packet) { return packet.wrong; });
  return packets;
}

std::string way_svg(const WayMap& map) {
  std::string out;
  print(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"map\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" role=\"img\" tabindex=\"0\" aria-label=\"{2}\">\n",
        svg_number(map.width), svg_number(map.height), escape_markup(map.label));
  for (const MapLink& link : map.links) {
    print(out, "<path class=\"{}\" data-place=\"{}\" d=\"{}\"><title>{}</title></path>\n",
          link.role, escape_markup(link.place), escape_markup(link.path),
          escape_markup(link.place));
    if (!link.head.empty())
      print(out, "<path class=\"{}-head\" d=\"{}\"/>\n", link.role, escape_markup(link.head));
  }
  for (const MapNode& node : map.nodes) {
    print(out,
          "<rect class=\"{}\" data-place=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
          "rx=\"5\"><title>{}</title></rect>\n",
          node.wrong ? "end" : "cell", escape_markup(node.place),
          svg_number(node.x - kNodeWidth / 2), svg_number(node.y - kNodeHeight / 2), kNodeWidth,
          kNodeHeight, escape_markup(node.place));
    print(out, "<text x=\"{}\" y=\"{}\">{}</text>\n", svg_number(node.x), svg_number(node.y - 4),
          escape_markup(node.name));
  }
  return out + "</svg>\n";
}

}  // namespace kernbench::sim
