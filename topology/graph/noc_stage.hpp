// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/graph/graph_builder.hpp"
#include "topology/graph/sip_frame.hpp"
#include "topology/spec/noc_spec.hpp"

namespace kernbench::topology {

// The stage of a network of any topology: its routers, the links among them, and the ports at which
// cubes or SIPs are attached.

/// A network in a graph.
struct NocPlace {
  const NocTopology& topology;
  const NocSpec& noc;
  std::string prefix;            ///< "sip0", or "fabric" between SIPs
  std::uint16_t sip = kNoIndex;  ///< the SIP that the network is in
  PositionMm first;              ///< corners of the rectangle in which the routers are placed
  PositionMm last;
};

/// Returns the network of a SIP.
[[nodiscard]] NocPlace noc_of_sip(const TopologySpec& spec, const SipFrame& frame,
                                  std::uint32_t sip);
/// Returns the network between the SIPs, within the system view.
[[nodiscard]] NocPlace noc_of_system(const TopologySpec& spec);

/// Adds the routers of a network and a `noc_link` for each channel, in the order of the channels.
std::vector<NodeId> add_noc_routers(GraphBuilder& graph, const NocPlace& place);

/// Adds a network, and the links between its routers and `ports`, by endpoint. A port has one
/// link to the network and one from it.
void add_noc(GraphBuilder& graph, const NocPlace& place, const std::vector<NodeId>& ports);

}  // namespace kernbench::topology
