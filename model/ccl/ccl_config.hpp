// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "model/ccl/algorithm.hpp"
#include "topology/spec/spec_forward.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::model::ccl {

/// The part of the system that a rank is.
enum class RankKind : std::uint8_t { Sip, Cube, Pe };

/// A file of a process group, such as ccl.yaml.
struct CclFile {
  struct Defaults {
    std::optional<std::uint32_t> world_size;
    std::string sip_topology;
    std::optional<Grid> sip_grid;
    std::optional<topology::SlotBacking> slot_memory;
  };

  std::string backend = "ahbm";
  RankKind rank = RankKind::Sip;
  std::optional<std::uint32_t> world_size;
  Defaults defaults;
  std::map<std::string, std::string> algorithms;
};
extern const common::InputKind kCclFile;

/// A process group as described by ccl.yaml.
struct CclConfig {
  RankKind rank = RankKind::Sip;
  std::uint32_t world_size = 1;
  Grid grid{};            ///< shape of the world, for neighbour kinds that are grids
  std::string neighbors;  ///< neighbour kind, for algorithms that support it; "" if not set
  std::optional<topology::SlotBacking> slot_memory;    ///< overrides the topology file
  std::map<std::string, const Algorithm*> algorithms;  ///< by collective; null is auto
};

/// Reads ccl.yaml for a system:
///
///     backend: ahbm
///     rank: sip                    # sip, cube or pe: what a rank is
///     world_size: 4                # overrides defaults.world_size; default: as many as there are
///     defaults:
///       world_size: 2
///       sip_topology: ring         # for algorithms that support it; others use their default
///       sip_grid: {w: 2, h: 2}     # default: the most square grid
///       slot_memory: tcm           # tcm, sram or hbm; default: as in the topology file
///     algorithms:                  # default: auto
///       all_reduce: intercube-center
///
/// Throws common::BadInput with all errors and their positions.
[[nodiscard]] CclConfig read_ccl_config(const std::filesystem::path& path,
                                        const topology::TopologySpec& spec);
/// Returns the files of all algorithms that are files in a ccl.yaml. Throws common::BadInput for
/// these files; what else is wrong with ccl.yaml is left to read_ccl_config().
[[nodiscard]] std::vector<std::string> algorithm_files_in(const std::filesystem::path& path);
/// Parses text instead of a file; `name` stands for the file in messages.
[[nodiscard]] CclConfig parse_ccl_config(std::string_view text, const std::string& name,
                                         const topology::TopologySpec& spec);

}  // namespace kernbench::model::ccl

template <>
const kernbench::common::Description<kernbench::topology::Grid>&
kernbench::common::description_of();
template <>
const kernbench::common::Description<kernbench::model::ccl::CclFile>&
kernbench::common::description_of();
