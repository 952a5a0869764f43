// SPDX-License-Identifier: Apache-2.0
#include "topology/spec/noc_topologies.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "topology/zoo/endpoint_routes.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/zoo_spec.hpp"

namespace kernbench::topology {
namespace {

/// A network of a spec.
template <typename Topology>
struct NetworkOf {
  Topology& topology;
  std::string key;  ///< key of the topology
  std::uint32_t members;
  std::string counted;  ///< "sip.cube_mesh is 4 x 4, 16 cubes"
};

/// Returns the networks that a spec has. `Spec` is a TopologySpec or a constant one.
template <typename Spec>
auto networks_of(Spec& spec) {
  using Topology = std::remove_reference_t<decltype((spec.sip.noc_topology))>;
  std::vector<NetworkOf<Topology>> all;
  if (spec.sip.inter_cube == InterCube::Noc) {
    all.push_back({spec.sip.noc_topology, "sip.inter_cube.noc", spec.sip.cubes(),
                   fmt::format("sip.cube_mesh is {} x {}, {} cubes", spec.sip.cube_mesh_w,
                               spec.sip.cube_mesh_h, spec.sip.cubes())});
  }
  if (spec.system.inter_sip == InterSip::Noc) {
    all.push_back({spec.system.noc_topology, "system.inter_sip.noc", spec.system.sips,
                   fmt::format("system.sips.count is {}", spec.system.sips)});
  }
  return all;
}

/// Returns what is wrong with the number of endpoints; empty if it is right.
std::string wrong_count(const NetworkOf<const NocTopology>& network) {
  const zoo::EndpointRoutes& routes = *network.topology.routes;
  if (routes.count() == network.members) return {};
  return fmt::format("{} has {} endpoints, but {}", routes.topology()->name(), routes.count(),
                     network.counted);
}

/// Reports the errors of a short text at its key, and those of a file at their places in the file.
void report(const common::BadInput& error, const common::SourcePosition& at, bool is_file,
            common::Diagnostics& diagnostics) {
  for (const common::Diagnostic& one : error.diagnostics().errors()) {
    if (is_file && one.position.line != 0) return diagnostics.add(error.diagnostics());
    diagnostics.error(at, one.message, one.hint);
  }
}

/// Returns what keeps the endpoints of a network from reaching each other; empty if nothing does.
std::string unreachable(const zoo::EndpointRoutes& routes) {
  for (std::uint32_t from = 0; from < routes.count(); ++from) {
    for (std::uint32_t to = 0; to < routes.count(); ++to) {
      if (from == to || routes.route(from, to)) continue;
      return fmt::format("{} has no route from endpoint {} to endpoint {}",
                         routes.topology()->name(), from, to);
    }
  }
  return {};
}

}  // namespace

void load_noc_topologies(TopologySpec& spec, const std::filesystem::path& folder,
                         const common::KeyPlaces& places, common::Diagnostics& diagnostics) {
  for (const NetworkOf<NocTopology>& network : networks_of(spec)) {
    if (!places.sound({network.key})) continue;
    NocTopology& topology = network.topology;
    try {
      topology.routes = std::make_shared<const zoo::EndpointRoutes>(
          zoo::open_topology(topology.noc, nullptr, folder));
    } catch (const common::BadInput& error) {
      report(error, places.position(network.key), zoo::is_zoo_file(topology.noc), diagnostics);
    } catch (const std::invalid_argument& error) {
      diagnostics.error(places.position(network.key), error.what());
    }
  }
}

void check_noc_topologies(const TopologySpec& spec, const common::KeyPlaces& places,
                          common::Diagnostics& diagnostics) {
  for (const NetworkOf<const NocTopology>& network : networks_of(spec)) {
    if (network.topology.routes == nullptr) continue;  // reported
    const zoo::EndpointRoutes& routes = *network.topology.routes;
    const auto error = [&](std::string message, std::string hint) {
      diagnostics.error(places.position(network.key), std::move(message), std::move(hint));
    };
    if (!places.sound({network.key, "sip.cube_mesh.w", "sip.cube_mesh.h", "system.sips.count"})) {
      continue;
    }
    const std::string& name = routes.topology()->name();
    if (std::string why = wrong_count(network); !why.empty()) {
      error(std::move(why), fmt::format("a topology with {} endpoints", network.members));
      continue;
    }
    if (std::string why = unreachable(routes); !why.empty()) {
      error(std::move(why), "all of them exchange data: a topology that joins them both ways");
      continue;
    }
    const zoo::RoutingCheck check = zoo::check_routing(*routes.relation());
    if (check.deadlock_free()) continue;
    error(fmt::format("the routes of {} can deadlock: {}", name,
                      zoo::cycle_text(*routes.topology(), check.cycle)),
          "routes without a cycle of channels (kernbench topology zoo)");
  }
}

void require_noc_topologies(const TopologySpec& spec) {
  for (const NetworkOf<const NocTopology>& network : networks_of(spec)) {
    if (network.topology.routes == nullptr) {
      throw std::logic_error(network.key + " was not loaded");
    }
    if (const std::string why = wrong_count(network); !why.empty()) {
      throw common::BadInput(fmt::format("{}: {}", network.key, why));
    }
  }
}

bool has_estimated_noc(const TopologySpec& spec) {
  const bool of_cubes = spec.sip.inter_cube == InterCube::Noc;
  const bool of_sips = spec.system.inter_sip == InterSip::Noc;
  return (of_cubes && spec.sip.noc.fabric == FabricModel::Analytic) ||
         (of_sips && spec.system.noc.fabric == FabricModel::Analytic);
}

std::string interconnect_name(const SipSpec& sip) {
  switch (sip.inter_cube) {
    case InterCube::UcieMesh:
      return "a UCIe mesh";
    case InterCube::Maze:
      return "MAZE links";
    case InterCube::Noc:
      return sip.noc_topology->topology()->name();
  }
  return {};
}

}  // namespace kernbench::topology
