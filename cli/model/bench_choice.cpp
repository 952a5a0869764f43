// SPDX-License-Identifier: Apache-2.0
#include "cli/model/bench_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/text_table.hpp"
#include "model/fabric/analytic/stated_errors.hpp"
#include "sim/report/number_text.hpp"
#include "topology/spec/noc_topologies.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli {
namespace {

/// Says how exact the fabrics of a system are, if they are not, or that there is none to choose
/// for.
void note_fabric(const topology::TopologySpec& spec, const std::vector<std::string>& settings) {
  using topology::FabricModel;
  const topology::SipSpec& sip = spec.sip;
  const bool has_maze = sip.inter_cube == topology::InterCube::Maze;
  const bool has_noc = sip.inter_cube == topology::InterCube::Noc;
  const bool joins_sips = spec.system.inter_sip == topology::InterSip::Noc;
  if (!has_maze && !has_noc && !joins_sips) {
    const bool chosen = std::any_of(settings.begin(), settings.end(), [](const std::string& text) {
      return text.starts_with("sip.maze.fabric=");
    });
    if (chosen) print_note("--fabric has no effect: the cubes are not joined by a MAZE");
    return;
  }
  if (has_maze && sip.maze.fabric == FabricModel::Analytic) {
    print_note(fmt::format(
        "--fabric analytic estimates the MAZE: mean latencies of loaded transfers are {:+.1f} to "
        "{:+.1f} % off, by pattern, size and load (docs/lab/calibration.md)",
        model::fabric::kAnalyticErrors.least_percent, model::fabric::kAnalyticErrors.most_percent));
  }
  if (topology::has_estimated_noc(spec)) {
    print_note("--fabric analytic estimates the network under load");
  }
}

/// Names the interconnect of the cubes if it is not a UCIe mesh.
std::string joined_by(const topology::SipSpec& sip) {
  switch (sip.inter_cube) {
    case topology::InterCube::UcieMesh:
      break;
    case topology::InterCube::Maze:
      return " on a MAZE";
    case topology::InterCube::Noc:
      return fmt::format(" joined by {}", topology::interconnect_name(sip));
  }
  return {};
}

}  // namespace

topology::ResolvedTopology simulated_topology(const std::string& spec,
                                              const std::vector<std::string>& set) {
  const std::vector<std::string> settings = topology_settings(set);
  topology::ResolvedTopology resolved = topology::resolve_topology(spec, settings);
  for (const std::string& warning : resolved.warnings) print_warning(warning);
  note_fabric(resolved.graph.spec(), settings);
  return resolved;
}

void print_machine(const topology::TopologySpec& spec) {
  const topology::SipSpec& sip = spec.sip;
  const topology::MemoryMapSpec& memory = spec.cube.memory_map;
  print("{}\n",
        wrapped(fmt::format("machine: {} of {}x{} cubes of {} at {:g} GHz{}; HBM of each cube "
                            "{} GB, {} GB/s",
                            sim::counted(spec.system.sips, "SIP"), sip.cube_mesh_w, sip.cube_mesh_h,
                            sim::counted(spec.cube.pes(), "PE"), spec.pe.clock_ghz, joined_by(sip),
                            memory.hbm_total_gb, fixed_text(memory.hbm_total_bw_gbs, 0)),
                2));
}

void print_what_runs(const model::bench::Bench& bench,
                     const std::map<std::string, std::string>& parameters,
                     const topology::TopologySpec& spec) {
  print("{}\n", wrapped(fmt::format("{}: {}", bench.name, bench.description), 2));
  std::string sizes = "sizes:";
  for (const auto& [name, value] : parameters) sizes += fmt::format(" {}={}", name, value);
  print("{}\n", wrapped(sizes, 2));
  print_machine(spec);
}

std::optional<BenchChoice> choose_bench(const std::string& name,
                                        const std::vector<std::string>& set,
                                        const std::string& spec, const Invocation& invocation) {
  const model::bench::Bench* bench = nullptr;
  model::bench::RunOptions options;
  try {
    bench = &model::bench::find_bench(name);
    options.parameters = resolve_parameters(*bench, parse_parameters(set));
  } catch (const std::invalid_argument& error) {
    print_error(error.what());
    return std::nullopt;
  }
  for (const model::bench::Parameter& parameter : bench->parameters) {
    if (!parameter.is_file) continue;
    std::string& file = options.parameters.at(parameter.name);
    file = path_in(invocation.root, file);
  }
  return BenchChoice{bench, std::move(options), simulated_topology(spec, set)};
}

}  // namespace kernbench::cli
