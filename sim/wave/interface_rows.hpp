// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/wave/save_file.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// One direction of a link at the pkt_con_if of a node.
struct InterfacePort {
  std::string scope;   ///< the node's interface
  std::string prefix;  ///< "xo_", "yi_", ...
  unsigned index = 0;
  unsigned count = 0;  ///< links of this direction
};

/// Returns a port in an array of interfaces. `direction` is "i_" or "o_".
[[nodiscard]] InterfacePort interface_port(const maze::Shape& shape, const std::string& array,
                                           const topology::MazePort& end,
                                           const std::string& direction);

/// Adds the row of a field of one bit, "vld" or "rdy".
void add_bit(SaveFile& save, const InterfacePort& end, const std::string& field);

/// Adds the rows of the other fields.
void add_packet(SaveFile& save, const maze::Shape& shape, const InterfacePort& end);

}  // namespace kernbench::sim
