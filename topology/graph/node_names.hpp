// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/graph/kinds.hpp"
#include "topology/mesh/cube_mesh.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::topology::node_names {

// The naming convention of the graph (ADR-0053 D4). All node names are built and taken apart here.

/// "fabric.host_cpu0"
[[nodiscard]] std::string host_cpu();
/// "fabric.switch0"
[[nodiscard]] std::string fabric_switch();

/// "fabric": the prefix of what is outside SIPs
[[nodiscard]] std::string_view system();
/// "sip0"
[[nodiscard]] std::string sip(std::uint32_t sip);
/// "sip0.cube3"
[[nodiscard]] std::string cube(std::uint32_t sip, std::uint32_t cube);
/// "sip0.cube3.pe1"
[[nodiscard]] std::string pe(std::uint32_t sip, std::uint32_t cube, std::uint32_t pe);
/// "sip0.io0"
[[nodiscard]] std::string io_chiplet(std::uint32_t sip, std::string_view io_id);

/// "<chiplet>.pcie_ep", "<chiplet>.io_cpu", "<chiplet>.io_noc", "<chiplet>.noc_port"
[[nodiscard]] std::string io_part(std::string_view chiplet, NodeKind part);
/// "<chiplet>.conn.2": the connection to cube 2 along the chiplet's side, counted from west or
/// north.
[[nodiscard]] std::string io_conn(std::string_view chiplet, std::uint32_t index);
/// "<chiplet>.io_ucie.s2": the PHY towards cube 2, on the chiplet's side `facing` the cubes.
[[nodiscard]] std::string io_ucie(std::string_view chiplet, Side facing, std::uint32_t index);

/// "<prefix>.noc.n5": a router of the network of SIP "sip0", or of that between SIPs, "fabric"
[[nodiscard]] std::string noc_router(std::string_view prefix, std::uint32_t router);
/// "<cube>.m_cpu", "<cube>.sram", "<cube>.maze", "<cube>.noc_port"
[[nodiscard]] std::string cube_part(std::string_view cube, NodeKind part);
/// "<cube>.noc.r0c4"
[[nodiscard]] std::string router(std::string_view cube, GridSlot slot);
/// "<cube>.hbm_ctrl.pe5"
[[nodiscard]] std::string hbm_ctrl(std::string_view cube, std::uint32_t pe);
/// "<cube>.ucie_n"
[[nodiscard]] std::string ucie_phy(std::string_view cube, Side side);
/// "<cube>.ucie_n.c3"
[[nodiscard]] std::string ucie_conn(std::string_view cube, Side side, std::uint32_t connection);
/// "<pe>.pe_dma"
[[nodiscard]] std::string pe_part(std::string_view pe, NodeKind part);

/// Returns the name of a SIP, a cube or a PE by its numbers from the SIP down; "" for no number.
[[nodiscard]] std::string place(std::span<const std::uint32_t> numbers);
/// Returns the numbers of a name that place() makes, or nothing for another name.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> numbers_of(std::string_view place);

/// Returns the name of the smallest block that contains `name`: "sip0.cube3" for "sip0.cube3.pe1",
/// "" for "sip0".
[[nodiscard]] std::string_view block_of(std::string_view name);
/// Returns the name of the smallest SIP, cube or PE around `name`: "sip0.cube3" for
/// "sip0.cube3.noc.r0c4", "" for "fabric.switch0".
[[nodiscard]] std::string_view place_around(std::string_view name);
/// Returns true if `name` is in a block: "sip0.cube3.pe1" is in "sip0.cube3" and in "sip0".
[[nodiscard]] bool is_inside(std::string_view name, std::string_view block);
/// Returns the last parts of a name, at most `count`: "cube3.pe1" for "sip0.cube3.pe1" and 2.
[[nodiscard]] std::string_view last_parts(std::string_view name, std::size_t count);
/// Returns the parts of a name: "sip0", "cube3" and "pe1" for "sip0.cube3.pe1".
[[nodiscard]] std::vector<std::string_view> parts_of(std::string_view name);

}  // namespace kernbench::topology::node_names
