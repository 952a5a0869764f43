// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/ccl/algorithm.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::ccl {

/// The algorithm and topology of a collective.
struct Choice {
  const Algorithm* algorithm = nullptr;
  SipTopology topology = SipTopology::Ring;
};

/// A process group as described by ccl.yaml.
struct CclConfig {
  std::uint32_t world_size = 1;
  Grid sips;  ///< shape of the world, for topologies that are grids
  std::optional<topology::SlotBacking> slot_memory;  ///< overrides the topology file
  std::map<Collective, Choice> choices;              ///< one for each collective
};

/// Reads ccl.yaml for a system:
///
///     backend: ahbm
///     world_size: 4                # overrides defaults.world_size; default: the number of SIPs
///     defaults:
///       world_size: 2
///       sip_topology: ring         # for algorithms that support it; others use their default
///       sip_grid: {w: 2, h: 2}     # default: the most square grid
///       slot_memory: tcm           # tcm, sram or hbm; default: as in the topology file
///     algorithms:                  # other collectives use their defaults
///       all_reduce: intercube-center
///
/// Throws common::BadInput with all errors and their positions.
[[nodiscard]] CclConfig read_ccl_config(const std::filesystem::path& path,
                                        const topology::TopologySpec& spec);
/// Parses text instead of a file; `name` stands for the file in messages.
[[nodiscard]] CclConfig parse_ccl_config(std::string_view text, const std::string& name,
                                         const topology::TopologySpec& spec);

}  // namespace kernbench::model::ccl
