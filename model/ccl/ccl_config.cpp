// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/ccl_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/yaml_reader.hpp"

namespace kernbench::model::ccl {

using common::EnumName;
using common::YamlMap;
using topology::SlotBacking;

namespace {

constexpr std::array<EnumName<SlotBacking>, 3> kMemories = {
    {{"tcm", SlotBacking::Tcm}, {"sram", SlotBacking::Sram}, {"hbm", SlotBacking::Hbm}}};

constexpr std::array kCollectives = {Collective::AllReduce, Collective::AllGather,
                                     Collective::ReduceScatter, Collective::Broadcast,
                                     Collective::Barrier};

/// Returns the names of all topologies supported by algorithms, sorted.
std::vector<std::string_view> topology_names() {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) {
    for (const SipTopologyName& topology : algorithm.topologies) names.push_back(topology.name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string_view> algorithm_names(Collective collective) {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective == collective) names.push_back(algorithm.name);
  }
  return names;
}

std::size_t default_index(const std::vector<std::string_view>& names) {
  const auto chosen = std::find_if(names.begin(), names.end(), [](std::string_view name) {
    return find_algorithm(name)->is_default;
  });
  return chosen == names.end() ? 0 : static_cast<std::size_t>(chosen - names.begin());
}

/// Returns the grid of `size` whose sides differ least; it is at least as wide as high.
Grid most_square(std::uint32_t size) {
  std::uint32_t h = 1;
  for (std::uint32_t i = 1; i * i <= size; ++i) {
    if (size % i == 0) h = i;
  }
  return {size / h, h};
}

SipTopology topology_for(const Algorithm& algorithm, std::string_view wanted) {
  for (const SipTopologyName& topology : algorithm.topologies) {
    if (topology.name == wanted) return topology.kind;
  }
  return algorithm.topologies.front().kind;
}

CclConfig read(const common::YamlDocument& document, const topology::TopologySpec& spec) {
  CclConfig config;
  {
    YamlMap file(document.root());
    constexpr std::array<std::string_view, 1> kBackends = {"ahbm"};
    (void)file.one_of("backend", kBackends);
    const std::uint32_t sips = spec.system.sips;
    const bool overridden = file.has("world_size");
    const std::uint32_t override_size = file.u32("world_size", {.min = 1, .max = sips}, sips);
    std::string topology;
    {
      YamlMap defaults = file.optional_map("defaults");
      const std::uint32_t size = defaults.u32("world_size", {.min = 1, .max = sips}, sips);
      config.world_size = overridden ? override_size : size;
      const std::vector<std::string_view> names = topology_names();
      if (defaults.has("sip_topology")) topology = names[defaults.one_of("sip_topology", names)];
      config.sips = most_square(config.world_size);
      if (defaults.has("sip_grid")) {
        YamlMap grid = defaults.map("sip_grid");
        config.sips.w = grid.u32("w", {.min = 1, .max = 256});
        config.sips.h = grid.u32("h", {.min = 1, .max = 256});
        grid.finish();
        if (config.sips.size() != config.world_size) {
          defaults.error("sip_grid",
                         fmt::format("a grid of {} x {} does not match a world of {} ranks",
                                     config.sips.w, config.sips.h, config.world_size));
        }
      }
      if (defaults.has("slot_memory")) {
        config.slot_memory = defaults.enumeration("slot_memory", kMemories);
      }
      defaults.finish();
    }
    YamlMap chosen = file.optional_map("algorithms");
    for (const Collective collective : kCollectives) {
      const std::vector<std::string_view> names = algorithm_names(collective);
      const std::size_t index = chosen.one_of(name_of(collective), names, default_index(names));
      const Algorithm& algorithm = *find_algorithm(names[index]);
      config.choices[collective] = {&algorithm, topology_for(algorithm, topology)};
      const std::string refused =
          algorithm.refuse == nullptr ? "" : algorithm.refuse(config.world_size, config.sips);
      if (!refused.empty()) {
        chosen.error(name_of(collective),
                     fmt::format("'{}' {}, not {}", algorithm.name, refused, config.world_size));
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
