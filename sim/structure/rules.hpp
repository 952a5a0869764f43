// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "noc/network.hpp"
#include "sim/structure/fabric_view.hpp"
#include "sim/structure/finding.hpp"

namespace kernbench::sim::structure {

/// Appends a finding for every link that is not the one of the link map: ends, order of the
/// packet's bits, depth, parameters, clock and reset.
void check_links(const FabricView& fabric, std::vector<Finding>& findings);

/// Appends a finding for every signal of pkt_con_if whose direction is against the contract.
void check_modports(const FabricView& fabric, std::vector<Finding>& findings);

/// Appends a finding for every signal with two drivers, and every signal that is read and has none.
/// `in_scope` selects placed instances, `external` the bits that are driven from outside.
void check_drivers(const Netlist& netlist, const std::function<bool(std::size_t)>& in_scope,
                   const std::function<bool(BitId)>& external, std::vector<Finding>& findings);

/// Appends a finding for every loop through logic and every construct that was not understood, and
/// to `latches`, which may be the same list, for every latch.
void check_logic(const Netlist& netlist, const std::function<bool(std::size_t)>& in_scope,
                 std::vector<Finding>& findings, std::vector<Finding>& latches);

/// Appends a finding for every name of a packet's type, such as PktUnicast, with another value.
void check_packet_types(const Design& design, std::vector<Finding>& findings);

/// Appends a finding for every tool that sees another design than Verilator because the RTL asks
/// for its macros, and a note for one whose design Verilator cannot read. `path` is the dump, and
/// beside it are those of the other tools.
void check_tools(const Design& design, const std::string& path, std::vector<Finding>& findings,
                 std::vector<Finding>& notes);

/// Appends a finding for registers and other content that TOPO may not have.
void check_content(const FabricView& fabric, std::vector<Finding>& findings);

/// Appends a finding for everything in MAZE_ARRAY and MAZE_TOP that is not as the network needs it:
/// a node for each place with its position, its links, its ports A and B, its clock gate, the masks
/// while a node has failed, parameters, clock and reset. Returns the number of nodes.
unsigned check_nodes(const FabricView& fabric, std::vector<Finding>& findings);

/// Appends a finding for everything in NOC_TOP that is not as the graph and the routes of a network
/// of any topology need it: a NOC_NODE of the right sizes for each node, the wires of each channel
/// bit by bit, ports A and B, clock, reset and tables. Returns the number of nodes. `netlist` has
/// NOC_NODE as a black box.
unsigned check_noc_nodes(const Netlist& netlist, const noc::Network& network,
                         std::vector<Finding>& findings);

/// Appends a finding for every place of a network at which a data bit of a packet decides about
/// anything but the same data bit at the ports B. `netlist` has IRS_N alone as black boxes.
void check_data(const Netlist& netlist, const maze::Shape& shape, std::vector<Finding>& findings);

/// Appends the findings of one IRS_N by itself: clock, reset, and the paths between its ports.
/// `depth` is the number of stages that the link needs. Appends to `notes` what other people's RTL
/// may have and ours may not: more registers than the packets need.
void check_stages(const Netlist& irs, std::optional<unsigned> depth, std::vector<Finding>& findings,
                  std::vector<Finding>& notes);

}  // namespace kernbench::sim::structure
