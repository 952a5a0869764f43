// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/ccl_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/yaml_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::ccl {

using common::EnumName;
using common::YamlMap;
using topology::SlotBacking;

namespace {

constexpr std::array<EnumName<SlotBacking>, 3> kMemories = {
    {{"tcm", SlotBacking::Tcm}, {"sram", SlotBacking::Sram}, {"hbm", SlotBacking::Hbm}}};

constexpr std::array<EnumName<RankKind>, 3> kRanks = {
    {{"sip", RankKind::Sip}, {"cube", RankKind::Cube}, {"pe", RankKind::Pe}}};

/// Returns the names of all neighbour kinds that algorithms between the roots of ranks use, sorted.
std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  for (const Algorithm* const algorithm : algorithms()) {
    for (const std::string& kind : algorithm->neighbors) names.push_back(kind);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Returns the algorithms of a collective, after "auto".
std::vector<std::string_view> algorithm_names(const std::string& collective) {
  std::vector<std::string_view> names{"auto"};
  for (const Algorithm* const algorithm : algorithms_of(collective)) {
    names.push_back(algorithm->name);
  }
  return names;
}

std::uint32_t ranks_in(const topology::TopologySpec& spec, RankKind rank) {
  const std::uint32_t cubes = rank == RankKind::Sip ? 1 : spec.sip.cubes();
  return spec.system.sips * cubes * (rank == RankKind::Pe ? spec.cube.pes() : 1);
}

CclConfig read(const common::YamlDocument& document, const topology::TopologySpec& spec) {
  CclConfig config;
  {
    YamlMap file(document.root());
    constexpr std::array<std::string_view, 1> kBackends = {"ahbm"};
    (void)file.one_of("backend", kBackends);
    config.rank = file.enumeration("rank", kRanks, RankKind::Sip);
    const std::uint32_t most = ranks_in(spec, config.rank);
    const bool overridden = file.has("world_size");
    const std::uint32_t override_size = file.u32("world_size", {.min = 1, .max = most}, most);
    {
      YamlMap defaults = file.optional_map("defaults");
      const std::uint32_t size = defaults.u32("world_size", {.min = 1, .max = most}, most);
      config.world_size = overridden ? override_size : size;
      const std::vector<std::string_view> names = kind_names();
      if (defaults.has("sip_topology")) {
        config.neighbors = names[defaults.one_of("sip_topology", names)];
      }
      config.grid = most_square(config.world_size);
      if (defaults.has("sip_grid")) {
        YamlMap grid = defaults.map("sip_grid");
        config.grid.w = grid.u32("w", {.min = 1, .max = 256});
        config.grid.h = grid.u32("h", {.min = 1, .max = 256});
        grid.finish();
        if (config.grid.size() != config.world_size) {
          defaults.error("sip_grid",
                         fmt::format("a grid of {} x {} does not match a world of {} ranks",
                                     config.grid.w, config.grid.h, config.world_size));
        }
      }
      if (defaults.has("slot_memory")) {
        config.slot_memory = defaults.enumeration("slot_memory", kMemories);
      }
      defaults.finish();
    }
    YamlMap chosen = file.optional_map("algorithms");
    for (const Collective* const collective : collectives()) {
      const std::vector<std::string_view> names = algorithm_names(collective->name);
      const std::string_view name = names[chosen.one_of(collective->name, names, 0)];
      const Algorithm* const algorithm = find_algorithm(name);
      config.algorithms[collective->name] = algorithm;
      if (algorithm == nullptr || algorithm->refuse == nullptr) continue;
      GroupShape world = GroupShape::of(config.world_size);
      world.grid = config.grid;
      if (const std::string refused = algorithm->refuse(world); !refused.empty()) {
        chosen.error(collective->name,
                     fmt::format("'{}' {}, not {}", algorithm->name, refused, config.world_size));
      }
    }
    chosen.finish();
    file.finish();
  }
  return config;
}

}  // namespace

CclConfig read_ccl_config(const std::filesystem::path& path, const topology::TopologySpec& spec) {
  common::Diagnostics diagnostics;
  CclConfig config = read(common::YamlDocument::load(path, diagnostics), spec);
  diagnostics.throw_if_any();
  return config;
}

CclConfig parse_ccl_config(std::string_view text, const std::string& name,
                           const topology::TopologySpec& spec) {
  common::Diagnostics diagnostics;
  CclConfig config = read(common::YamlDocument::parse(text, name, diagnostics), spec);
  diagnostics.throw_if_any();
  return config;
}

}  // namespace kernbench::model::ccl
