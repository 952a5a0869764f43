// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "noc/network_model.hpp"
#include "plot/path_data.hpp"
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

/// Returns an SVG element with the network, the ways and the links, and a legend. Its colours
/// follow the style of wave_style(). Without a picture, nodes stand in a row.
[[nodiscard]] std::string way_svg(const NocWays& ways, const NocDevice& device);

}  // namespace kernbench::sim
