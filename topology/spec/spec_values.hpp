// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "common/enum_names.hpp"
#include "topology/dimension_order.hpp"

namespace kernbench::topology {

// Types that the parts of a spec and the graph share.

struct LinkSpec {
  double bw_gbs = 0;
  double distance_mm = 0;

  friend bool operator==(const LinkSpec&, const LinkSpec&) = default;
};

struct PositionMm {
  double x = 0;  ///< distance from the west edge
  double y = 0;  ///< distance from the north edge
  friend constexpr bool operator==(const PositionMm&, const PositionMm&) = default;
};

/// Interconnect of the cubes of a SIP.
enum class InterCube : std::uint8_t {
  UcieMesh,
  Maze,
  Noc,  ///< `{noc: SPEC}` in a spec
};
inline constexpr std::array<common::EnumName<InterCube>, 2> kInterCubeNames = {
    {{"ucie_mesh", InterCube::UcieMesh}, {"maze", InterCube::Maze}}};
constexpr const auto& name_table(InterCube /*any*/) {
  return kInterCubeNames;
}

/// Interconnect of the SIPs.
enum class InterSip : std::uint8_t {
  Switch,
  Noc,  ///< `{noc: SPEC}` in a spec
};
inline constexpr std::array<common::EnumName<InterSip>, 1> kInterSipNames = {
    {{"switch", InterSip::Switch}}};
constexpr const auto& name_table(InterSip /*any*/) {
  return kInterSipNames;
}

/// How a MAZE or another network is simulated: cycle by cycle as it is built, or estimated.
enum class FabricModel : std::uint8_t { Cycle, Analytic };
inline constexpr std::array<common::EnumName<FabricModel>, 2> kFabricModelNames = {
    {{"cycle", FabricModel::Cycle}, {"analytic", FabricModel::Analytic}}};

/// A side of a cube or of a SIP. N is towards smaller y, W towards smaller x.
enum class Side : std::uint8_t { North, East, South, West };
inline constexpr std::array<common::EnumName<Side>, 4> kSideNames = {
    {{"north", Side::North}, {"east", Side::East}, {"south", Side::South}, {"west", Side::West}}};

enum class Corner : std::uint8_t { NW, NE, SW, SE };
inline constexpr std::array<common::EnumName<Corner>, 4> kCornerNames = {
    {{"NW", Corner::NW}, {"NE", Corner::NE}, {"SW", Corner::SW}, {"SE", Corner::SE}}};
constexpr const auto& name_table(Corner /*any*/) {
  return kCornerNames;
}

/// Division of a cube's HBM: each PE owns one slice (Architecture, "CUBE").
enum class HbmMappingMode : std::uint8_t { PerPe, PerCube };
inline constexpr std::array<common::EnumName<HbmMappingMode>, 2> kHbmMappingModeNames = {
    {{"per_pe", HbmMappingMode::PerPe}, {"per_cube", HbmMappingMode::PerCube}}};
constexpr const auto& name_table(HbmMappingMode /*any*/) {
  return kHbmMappingModeNames;
}

enum class ViewLevel : std::uint8_t { System, Sip, Cube, Pe };
inline constexpr std::array<common::EnumName<ViewLevel>, 4> kViewLevelNames = {
    {{"system", ViewLevel::System},
     {"sip", ViewLevel::Sip},
     {"cube", ViewLevel::Cube},
     {"pe", ViewLevel::Pe}}};
constexpr const auto& name_table(ViewLevel /*any*/) {
  return kViewLevelNames;
}

/// Memory that holds a PE's collective-communication slots.
enum class SlotBacking : std::uint8_t { Tcm, Sram, Hbm };
inline constexpr std::array<common::EnumName<SlotBacking>, 3> kSlotBackingNames = {
    {{"tcm", SlotBacking::Tcm}, {"sram", SlotBacking::Sram}, {"hbm", SlotBacking::Hbm}}};
constexpr const auto& name_table(SlotBacking /*any*/) {
  return kSlotBackingNames;
}

}  // namespace kernbench::topology
