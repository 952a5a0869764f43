// SPDX-License-Identifier: Apache-2.0
#include "topology/graph/node_names.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <stdexcept>

#include "common/numbers.hpp"

namespace kernbench::topology::node_names {

namespace {

char letter(Side side) {
  return "nesw"[static_cast<std::size_t>(side)];
}

}  // namespace

std::string_view system() {
  return "fabric";
}
std::string host_cpu() {
  return fmt::format("{}.host_cpu0", system());
}
std::string fabric_switch() {
  return fmt::format("{}.switch0", system());
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

std::string noc_router(std::string_view prefix, std::uint32_t router) {
  return fmt::format("{}.noc.n{}", prefix, router);
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

std::string place(std::span<const std::uint32_t> numbers) {
  switch (numbers.size()) {
    case 0:
      return {};
    case 1:
      return sip(numbers[0]);
    case 2:
      return cube(numbers[0], numbers[1]);
    case 3:
      return pe(numbers[0], numbers[1], numbers[2]);
    default:
      throw std::invalid_argument("a place has at most three numbers");
  }
}

std::optional<std::vector<std::uint32_t>> numbers_of(std::string_view place) {
  constexpr std::array<std::string_view, 3> kPrefixes = {"sip", "cube", "pe"};
  std::vector<std::uint32_t> numbers;
  if (place.empty()) return numbers;
  const std::vector<std::string_view> parts = parts_of(place);
  if (parts.size() > kPrefixes.size()) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].starts_with(kPrefixes.at(i))) return std::nullopt;
    const auto number = common::parse_u64(parts[i].substr(kPrefixes.at(i).size()));
    if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    numbers.push_back(static_cast<std::uint32_t>(*number));
  }
  // Refuses what parses as a number but is written otherwise, such as "sip007".
  if (node_names::place(numbers) != place) return std::nullopt;
  return numbers;
}

std::string_view block_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

std::string_view place_around(std::string_view name) {
  do {
    name = block_of(name);
  } while (!numbers_of(name));
  return name;
}

bool is_inside(std::string_view name, std::string_view block) {
  return name.size() > block.size() && name.starts_with(block) && name[block.size()] == '.';
}

std::string_view last_parts(std::string_view name, std::size_t count) {
  std::string_view before = name;
  for (std::size_t i = 0; i < count; ++i) before = block_of(before);
  if (count == 0) return {};
  return before.empty() ? name : name.substr(before.size() + 1);
}

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t dot = name.find('.');
    parts.push_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    name.remove_prefix(dot + 1);
  }
}

}  // namespace kernbench::topology::node_names
