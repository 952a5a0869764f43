// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "noc/network_model.hpp"
#include "plot/geometry.hpp"
#include "sim/debug/way_map.hpp"
#include "sim/noc/noc_device.hpp"

namespace kernbench::sim {

/// Where a network is drawn, in units of the distance of adjacent nodes.
struct NocPicture {
  std::vector<plot::PointPx> nodes;
  /// Control points of channels that are drawn as quadratic curves, by channel.
  std::vector<std::optional<plot::PointPx>> bends = {};
};

/// The ways of packets through a network, and the links on which something is wrong.
struct NocWays {
  NocPicture picture;
  std::vector<std::vector<noc::Link>> ways = {};
  std::vector<noc::Link> failing = {};  ///< way of the packet that fails
  std::vector<noc::Link> wrong = {};
  std::string words = {};  ///< sentence that says what is wrong on these links
};

/// Returns the map of the network with the ways and the links. Without a picture, nodes stand in a
/// row.
[[nodiscard]] WayMap way_map(const NocWays& ways, const NocDevice& device);

/// Returns the name of a place of NocFollower.
[[nodiscard]] std::string noc_place_name(const NocDevice& device, std::size_t place);

}  // namespace kernbench::sim
