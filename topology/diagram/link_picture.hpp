// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::topology {

/// A link that stands out.
struct MarkedLink {
  EdgeId edge;
  std::string title;  ///< tooltip
};

/// Returns the SIP of a link between two of its nodes; kNoIndex for a link outside SIPs.
[[nodiscard]] std::uint16_t sip_of(const TopologyGraph& graph, EdgeId edge);

/// Draws a SIP to scale with its blocks and routers, and those of `links` that are in it as arrows
/// with their number, from 1. Returns an SVG element whose colours are those of a report page
/// (plot::ReportPage).
[[nodiscard]] std::string link_picture(const TopologyGraph& graph, std::uint16_t sip,
                                       const std::vector<MarkedLink>& links);

/// Returns the style that the pictures add to a report page.
[[nodiscard]] std::string_view link_picture_style();

}  // namespace kernbench::topology
