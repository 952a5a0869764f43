// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/ccl_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/form_reader.hpp"
#include "model/ccl/algorithm_file.hpp"
#include "model/ccl/pe_grid.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::common {

using model::ccl::Algorithm;
using model::ccl::CclFile;
using model::ccl::Collective;
using model::ccl::Grid;
using model::ccl::RankKind;
using topology::SlotBacking;

namespace {

constexpr std::array<EnumName<SlotBacking>, 3> kSlotMemories = {
    {{"tcm", SlotBacking::Tcm}, {"sram", SlotBacking::Sram}, {"hbm", SlotBacking::Hbm}}};

constexpr std::array<EnumName<RankKind>, 3> kRanks = {
    {{"sip", RankKind::Sip}, {"cube", RankKind::Cube}, {"pe", RankKind::Pe}}};

/// Returns the names of all neighbour kinds that algorithms between the roots of ranks use, sorted.
std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Algorithm* const algorithm : model::ccl::algorithms()) {
    names.insert(names.end(), algorithm->neighbors.begin(), algorithm->neighbors.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Returns the rule for the algorithm of a collective, for the schema: check_names() checks it,
/// since files can be named at any time.
const TextRule* rule_of(const Collective& collective) {
  static std::deque<std::pair<std::string, TextRule>> all;
  std::string names = "auto";
  for (const Algorithm* const algorithm : model::ccl::algorithms_of(collective.name)) {
    names += "|" + algorithm->name;
  }
  auto& [pattern, rule] = all.emplace_back(fmt::format("^({}|.+\\.py)$", names), TextRule{});
  rule = {pattern, "the name of an algorithm", [](std::string_view) { return true; }};
  return &rule;
}

/// Makes a map one with a member for each collective: its algorithm.
void name_algorithms(ValueForm& map) {
  map.kind = ValueForm::Kind::Object;
  map.parts.clear();
  for (const Collective* const collective : model::ccl::collectives()) {
    ValueForm& member = map.parts.emplace_back();
    member.kind = ValueForm::Kind::Text;
    member.name = collective->name;
    member.rule = rule_of(*collective);
    member.optional = true;
    member.fallback = "auto";
  }
}

}  // namespace

template <>
const Description<Grid>& description_of() {
  static const auto kAll =
      Description<Grid>().add("w", &Grid::nx).within(1, 256).add("h", &Grid::ny).within(1, 256);
  return kAll;
}

template <>
const Description<CclFile::Defaults>& description_of() {
  using Defaults = CclFile::Defaults;
  static const auto kAll =
      Description<Defaults>()
          .add("world_size", &Defaults::world_size)
          .at_least(1)
          .defaults_to("as many as there are")
          .add("sip_topology", &Defaults::sip_topology, "for algorithms that support it")
          .one_of(kind_names())
          .defaults_to("as the algorithm has it")
          .add("sip_grid", &Defaults::sip_grid)
          .defaults_to("the most square grid")
          .add_named("slot_memory", &Defaults::slot_memory, kSlotMemories)
          .defaults_to("as in the topology file");
  return kAll;
}

template <>
const Description<CclFile>& description_of() {
  static const auto kAll =
      Description<CclFile>()
          .add("backend", &CclFile::backend)
          .one_of({"ahbm"})
          .add_named("rank", &CclFile::rank, kRanks, "what a rank is")
          .optional()
          .add("world_size", &CclFile::world_size, "number of ranks")
          .at_least(1)
          .defaults_to("`defaults.world_size`")
          .add("defaults", &CclFile::defaults)
          .optional()
          .add("algorithms", &CclFile::algorithms, "algorithm of each collective")
          .refine(name_algorithms)
          .optional();
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::ccl {
namespace {

std::uint32_t ranks_in(const topology::TopologySpec& spec, RankKind rank) {
  const std::uint32_t cubes = rank == RankKind::Sip ? 1 : spec.sip.cubes();
  return spec.system.sips * cubes * (rank == RankKind::Pe ? spec.cube.pes() : 1);
}

/// Returns the number of ranks that a file asks for, at most as many as there are.
std::uint32_t world_size(common::Input<CclFile>& file, std::uint32_t most) {
  std::optional<std::uint32_t> asked;
  for (const auto& [key, size] : {std::pair("world_size", file->world_size),
                                  std::pair("defaults.world_size", file->defaults.world_size)}) {
    if (size && file.check_within(key, *size, 1, most) && !asked) asked = size;
  }
  return asked.value_or(most);
}

/// Algorithms of files, by collective.
using FileAlgorithms = std::map<std::string, const Algorithm*>;

void choose_algorithms(common::Input<CclFile>& file, const FileAlgorithms& of_files,
                       const topology::TopologySpec& spec, CclConfig& config) {
  GroupShape world = GroupShape::of(config.world_size);
  world.grid = config.grid;
  if (config.rank == RankKind::Pe && config.world_size == spec.cube.pes()) {
    if (auto pes = pe_grid(spec.cube)) {
      world.grid = pes->grid;
      world.places = std::move(pes->places);
    }
  }
  for (const Collective* const collective : collectives()) {
    const auto name = file->algorithms.find(collective->name);
    const auto of_file = of_files.find(collective->name);
    const Algorithm* const algorithm = of_file != of_files.end() ? of_file->second
                                       : name == file->algorithms.end()
                                           ? nullptr
                                           : find_algorithm(name->second);
    config.algorithms[collective->name] = algorithm;
    if (algorithm == nullptr || algorithm->refuse == nullptr) continue;
    if (const std::string refused = algorithm->refuse(world); !refused.empty()) {
      file.error(fmt::format("algorithms.{}", collective->name),
                 fmt::format("'{}' {}, not {}", algorithm->name, refused, config.world_size));
    }
  }
}

/// Checks the names of algorithms, and returns those that are files, beside `file`. `document` has
/// diagnostics of its own: what else is wrong is reported by its form.
FileAlgorithms check_names(const common::YamlDocument& document, const common::Diagnostics& own,
                           const std::filesystem::path& file, common::Diagnostics& diagnostics) {
  FileAlgorithms of_files;
  common::YamlMap keys(document.root());
  for (const auto& [collective, name] : keys.optional_map("algorithms").entries()) {
    if (find_collective(collective) == nullptr || !name.is_scalar()) continue;
    if (is_algorithm_file(name.text())) {
      const Algorithm* const algorithm =
          algorithm_of_file(file.parent_path() / name.text(), name.text());
      if (algorithm->collective == collective) {
        of_files[collective] = algorithm;
      } else {
        diagnostics.error(name.position(),
                          fmt::format("'{}' is an algorithm of {}, not of {}", name.text(),
                                      algorithm->collective, collective));
      }
      continue;
    }
    std::vector<std::string_view> names = {"auto"};
    for (const Algorithm* const algorithm : algorithms_of(collective)) {
      names.emplace_back(algorithm->name);
    }
    const std::size_t before = own.size();
    (void)name.one_of(names);
    for (std::size_t i = before; i < own.size(); ++i) {
      diagnostics.error(own.errors()[i].position, own.errors()[i].message, own.errors()[i].hint);
    }
  }
  return of_files;
}

CclConfig read(const common::YamlDocument& document, const FileAlgorithms& of_files,
               const topology::TopologySpec& spec, common::Diagnostics& diagnostics) {
  common::Input<CclFile> file(document.root(), diagnostics);
  CclConfig config;
  config.rank = file->rank;
  config.world_size = world_size(file, ranks_in(spec, config.rank));
  config.neighbors = file->defaults.sip_topology;
  config.grid = file->defaults.sip_grid.value_or(most_square(config.world_size));
  if (config.grid.nodes() != config.world_size) {
    file.error("defaults.sip_grid",
               fmt::format("a grid of {} x {} does not match a world of {} ranks", config.grid.nx,
                           config.grid.ny, config.world_size));
  }
  config.slot_memory = file->defaults.slot_memory;
  choose_algorithms(file, of_files, spec, config);
  return config;
}

}  // namespace

const common::InputKind kCclFile = {.name = "ccl",
                                    .title = "A process-group file of kernbench run --ccl (YAML)",
                                    .form = common::form_of<CclFile>};

CclConfig read_ccl_config(const std::filesystem::path& path, const topology::TopologySpec& spec) {
  common::Diagnostics own;
  common::Diagnostics diagnostics;
  const auto document = common::YamlDocument::load(path, diagnostics);
  const FileAlgorithms of_files =
      check_names(common::YamlDocument::load(path, own), own, path, diagnostics);
  CclConfig config = read(document, of_files, spec, diagnostics);
  diagnostics.throw_if_any();
  return config;
}

std::vector<std::string> algorithm_files_in(const std::filesystem::path& path) {
  std::vector<std::string> names;
  try {
    common::Diagnostics ignored;
    const common::YamlDocument document = common::YamlDocument::load(path, ignored);
    common::YamlMap keys(document.root());
    for (const auto& [collective, name] : keys.optional_map("algorithms").entries()) {
      if (name.is_scalar() && is_algorithm_file(name.text())) names.push_back(name.text());
    }
  } catch (const common::BadInput&) {  // read_ccl_config() reports it
    return {};
  }
  std::vector<std::string> files;
  for (const std::string& name : names) {
    for (const std::string& one : files_of(*algorithm_of_file(path.parent_path() / name, name))) {
      files.push_back(one);
    }
  }
  return files;
}

CclConfig parse_ccl_config(std::string_view text, const std::string& name,
                           const topology::TopologySpec& spec) {
  common::Diagnostics own;
  common::Diagnostics diagnostics;
  const auto document = common::YamlDocument::parse(text, name, diagnostics);
  const FileAlgorithms of_files =
      check_names(common::YamlDocument::parse(text, name, own), own, name, diagnostics);
  CclConfig config = read(document, of_files, spec, diagnostics);
  diagnostics.throw_if_any();
  return config;
}

}  // namespace kernbench::model::ccl
