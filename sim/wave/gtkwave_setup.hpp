// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "maze/network_frame.hpp"
#include "sim/failure.hpp"

namespace kernbench::sim {

/// Writes a GTKWave save file for an FST of the verilated bench, and beside it the file of names
/// that it uses. It shows clock and reset, then the link of the failure: the fields of the node_if
/// at its source, the IRS stages, the node_if at its sink, and what the reference expects at both
/// ends. With `fault_injected` also what the nodes intended and the checkers saw, which a fault may
/// change on the way to and from the pins. The marker is at the failing cycle, with 20 cycles on
/// each side in view. Signals that the FST lacks are left out. A failure without a link shows clock
/// and reset only. Paths are stored absolute. Throws common::BadInput when a file cannot be
/// written.
void write_gtkwave_setup(const std::string& path, const std::string& fst_path,
                         const maze::Shape& shape, const Failure& failure, bool fault_injected);

/// Writes a save file in the same way for an FST of a bench of one IRS_N
/// (tb/primitive/maze_tb_top.sv): its ports, its `depth` stages, and what the reference expects.
void write_primitive_setup(const std::string& path, const std::string& fst_path,
                           unsigned payload_bits, unsigned depth, const Failure& failure);

/// Writes a save file in the same way for an FST of a network (tb/network_tb_top.sv): ports A and B
/// of the node of the failure, or of node 0, the link in each direction if it failed there, the
/// values that the reference expects, and, where the FST has them, the queues and the arbiter of
/// the port. Below them, the whole way of the packet that the failure is about, if it is about one:
/// A, each link and B, with the queues between them.
void write_network_setup(const std::string& path, const std::string& fst_path,
                         const maze::NetworkConfig& config, const Failure& failure);

/// Writes a save file in the same way for an FST of a network of any topology
/// (tb/noc_tb_top.sv): clock and reset, ports A and B of all nodes, and the channels, named as in
/// `channels`.
void write_noc_setup(const std::string& path, const std::string& fst_path,
                     const std::vector<std::string>& nodes,
                     const std::vector<std::string>& channels, const Failure& failure);

}  // namespace kernbench::sim
