// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "maze/network_frame.hpp"
#include "plot/geometry.hpp"
#include "sim/debug/packet_log.hpp"
#include "sim/debug/recorder.hpp"

namespace kernbench::sim {

/// A node of a map.
struct MapNode {
  std::string place;  ///< name in texts
  std::string name;   ///< name inside the node
  double x = 0;       ///< centre, in pixels
  double y = 0;
  bool wrong = false;
};

/// A link of a map, drawn as a curve.
struct MapLink {
  std::string place;
  std::string role;  ///< "channel", "other", "way" or "wrong-link", as its style has it
  std::string path;  ///< `d` of an SVG path, from its source on
  std::string head;  ///< that of its arrow; empty without one
};

/// Where packets are drawn.
struct WayMap {
  std::string label = {};  ///< name for screen readers
  double width = 0;
  double height = 0;
  std::vector<MapNode> nodes = {};
  std::vector<MapLink> links = {};
  std::string words = {};  ///< meaning of the colours
};

/// A time that a packet spends at a place of a map.
struct MapStay {
  std::string place;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// A packet and its way.
struct MapPacket {
  std::string text;
  bool wrong = false;  ///< the first wrong signal is about it
  std::vector<MapStay> stays;
};

/// Joins two nodes in a map.
struct MapCurve {
  plot::PointPx from, control, to;
};
/// Returns the link along a curve, whose ends are those of the nodes.
[[nodiscard]] MapLink map_link(std::string place, std::string role, const MapCurve& curve,
                               bool has_head);

/// Returns the name of a place of MazeFollower.
[[nodiscard]] std::string maze_place_name(const maze::Shape& shape, std::size_t place);
/// Returns the map of a MAZE with the links of these places and the unit of a failure.
[[nodiscard]] WayMap maze_map(const maze::Shape& shape, const Unit& unit,
                              const std::set<std::size_t>& places);

/// Returns the packets of some stays, by the first cycle of each; those that the first wrong signal
/// of a recording is about come first.
[[nodiscard]] std::vector<MapPacket> map_packets(
    const std::vector<PacketStay>& stays, const Recording& recording,
    const std::function<std::string(std::size_t place)>& name_of);

/// Returns the map as an SVG element, without packets: these follow the cursor of a wave in the
/// script of the page. Its colours follow the style of the page.
[[nodiscard]] std::string way_svg(const WayMap& map);

}  // namespace kernbench::sim
