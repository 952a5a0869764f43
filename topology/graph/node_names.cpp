// SPDX-License-Identifier: Apache-2.0
#include "topology/graph/node_names.hpp"

#include <fmt/format.h>

namespace kernbench::topology::node_names {

namespace {

char letter(Side side) {
  return "nesw"[static_cast<std::size_t>(side)];
}

}  // namespace

std::string host_cpu() {
  return "fabric.host_cpu0";
}
std::string fabric_switch() {
  return "fabric.switch0";
}

std::string sip(std::uint32_t sip) {
  return fmt::format("sip{}", sip);
}

std::string cube(std::uint32_t sip, std::uint32_t cube) {
  return fmt::format("sip{}.cube{}", sip, cube);
}

std::string pe(std::uint32_t sip, std::uint32_t cube, std::uint32_t pe) {
  return fmt::format("sip{}.cube{}.pe{}", sip, cube, pe);
}

std::string io_chiplet(std::uint32_t sip, std::string_view io_id) {
  return fmt::format("sip{}.{}", sip, io_id);
}

std::string io_part(std::string_view chiplet, NodeKind part) {
  return fmt::format("{}.{}", chiplet, name(part));
}

std::string io_conn(std::string_view chiplet, std::uint32_t index) {
  return fmt::format("{}.conn.{}", chiplet, index);
}

std::string io_ucie(std::string_view chiplet, Side facing, std::uint32_t index) {
  return fmt::format("{}.io_ucie.{}{}", chiplet, letter(facing), index);
}

std::string cube_part(std::string_view cube, NodeKind part) {
  return fmt::format("{}.{}", cube, name(part));
}

std::string router(std::string_view cube, GridSlot slot) {
  return fmt::format("{}.noc.r{}c{}", cube, slot.row, slot.column);
}

std::string hbm_ctrl(std::string_view cube, std::uint32_t pe) {
  return fmt::format("{}.hbm_ctrl.pe{}", cube, pe);
}

std::string ucie_phy(std::string_view cube, Side side) {
  return fmt::format("{}.ucie_{}", cube, letter(side));
}

std::string ucie_conn(std::string_view cube, Side side, std::uint32_t connection) {
  return fmt::format("{}.ucie_{}.c{}", cube, letter(side), connection);
}

std::string pe_part(std::string_view pe, NodeKind part) {
  return fmt::format("{}.{}", pe, name(part));
}

}  // namespace kernbench::topology::node_names
