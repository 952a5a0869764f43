// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "noc/network_model.hpp"
#include "topology/traffic_kind.hpp"

namespace kernbench::sim {

/// A network of any topology that the bench verifies, with its names.
struct NocDevice {
  std::string name;  ///< its topology, such as "Mesh2D(4,3)"
  noc::Network network;
  topology::TrafficShape shape;         ///< its nodes as kinds of traffic see them
  std::vector<std::string> node_names;  ///< empty: nodes are called by their numbers

  [[nodiscard]] std::string node_name(std::uint32_t node) const;
  /// Returns, for example, "3->7" for a channel, and "node 3, A" or "node 3, B" for a local link.
  [[nodiscard]] std::string link_name(noc::Link link, const char* port = "B") const;
  /// Returns the links in a circle, such as "0->1 vc 0 -> 1->2 vc 0 -> back to 0->1 vc 0".
  [[nodiscard]] std::string circle_name(const std::vector<noc::LinkCredit>& circle) const;
  /// Returns the destinations that a packet can reach from a node, the node itself among them.
  [[nodiscard]] std::vector<std::uint32_t> reached_from(std::uint32_t node) const;
  /// Returns the cycles of a flit that meets no other, from port A of one node to port B of
  /// another: two for each router, and the registers of each link in front of one. There must be a
  /// route.
  [[nodiscard]] std::uint32_t lone_latency(std::uint32_t from, std::uint32_t to) const;
};

}  // namespace kernbench::sim
