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

/// What runs a collective.
struct Choice {
  const Algorithm* algorithm = nullptr;
  SipTopology topology = SipTopology::Ring;
};

/// A process group as ccl.yaml describes it.
struct CclConfig {
  std::uint32_t world_size = 1;
  Grid sips;                                         ///< of the world, for grids of SIPs
  std::optional<topology::SlotBacking> slot_memory;  ///< instead of the topology's
  std::map<Collective, Choice> choices;              ///< of all collectives
};

/// Reads ccl.yaml for a system:
///
///     backend: ahbm
///     world_size: 4                # before defaults.world_size, before the number of SIPs
///     defaults:
///       world_size: 2
///       sip_topology: ring         # of what can run on it; others take their own first one
///       sip_grid: {w: 2, h: 2}     # the most square one without
///       slot_memory: tcm           # tcm, sram or hbm; the topology's without
///     algorithms:                  # a collective without one takes its default
///       all_reduce: intercube-center
///
/// Throws common::BadInput with all errors and their places.
[[nodiscard]] CclConfig read_ccl_config(const std::filesystem::path& path,
                                        const topology::TopologySpec& spec);
/// The same for text; `name` stands for the file in messages.
[[nodiscard]] CclConfig parse_ccl_config(std::string_view text, const std::string& name,
                                         const topology::TopologySpec& spec);

}  // namespace kernbench::model::ccl
