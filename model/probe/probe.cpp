// SPDX-License-Identifier: Apache-2.0
#include "model/probe/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/parallel.hpp"
#include "common/progress.hpp"
#include "model/components/machine/machine.hpp"
#include "model/engine/simulation.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/routing/address_resolver.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::model::probe {

using topology::NodeId;
using topology::PathRouter;
using topology::TopologyGraph;

namespace {

/// Finds the cases of a topology.
class Catalogue {
 public:
  explicit Catalogue(const TopologyGraph& graph)
      : graph_(graph), resolver_(graph), router_(graph) {}

  std::vector<ProbeCase> run() {
    const topology::SipSpec& sip = graph_.spec().sip;
    for (std::uint32_t y = 0; y < sip.cube_mesh_h; ++y) {
      const NodeId slice = resolver_.find_hbm_ctrl(0, y * sip.cube_mesh_w, 0);
      const NodeId source = endpoint_to(slice);
      const std::string label = fmt::format("cube {}{}", y * sip.cube_mesh_w,
                                            sip.io_chiplets.size() > 1 ? by(source) : "");
      for (const Family family : {Family::HostWrite, Family::HostRead}) {
        add(family, label, source, slice, router_.find_memory_path(source, slice));
      }
    }
    add_pe_dma();
    std::stable_sort(cases_.begin(), cases_.end(), [](const ProbeCase& a, const ProbeCase& b) {
      return std::tuple(a.family, a.leaves_sip, a.route.edges.size()) <
             std::tuple(b.family, b.leaves_sip, b.route.edges.size());
    });
    return std::move(cases_);
  }

 private:
  void add_pe_dma() {
    const topology::SipSpec& sip = graph_.spec().sip;
    const std::uint32_t last = graph_.spec().cube.slices() - 1;
    add_dma("own slice", 0, 0, 0);
    add_dma("other slice of the cube", 0, 0, last);
    for (std::uint32_t x = 1; x < sip.cube_mesh_w; ++x) {
      add_dma(fmt::format("{} east", x), 0, x, 0);
    }
    for (std::uint32_t y = 1; y < sip.cube_mesh_h; ++y) {
      add_dma(fmt::format("{} south", y), 0, y * sip.cube_mesh_w, 0);
    }
    if (sip.cubes() > 1) add_dma("opposite corner", 0, sip.cubes() - 1, last);
    if (graph_.spec().system.sips > 1) add_dma("other SIP", 1, 0, 0);
  }

  /// Returns the PCIe endpoint by which the host reaches a memory.
  [[nodiscard]] NodeId endpoint_to(NodeId memory) const {
    const std::vector<NodeId> way =
        router_.find_memory_path(resolver_.find_host_cpu(), memory).nodes;
    const std::vector<NodeId> all = resolver_.find_all_pcie_eps();
    return *std::find_first_of(way.begin(), way.end(), all.begin(), all.end());
  }

  /// Returns " by io1" for the endpoint of that chiplet.
  [[nodiscard]] std::string by(NodeId endpoint) const {
    namespace names = topology::node_names;
    return fmt::format(" by {}", names::last_parts(names::block_of(graph_.name(endpoint)), 1));
  }

  void add_dma(std::string label, std::uint32_t sip, std::uint32_t cube, std::uint32_t number) {
    const NodeId source = resolver_.find_pe_part(0, 0, 0, topology::NodeKind::PeDma);
    const NodeId slice = resolver_.find_hbm_ctrl(sip, cube, number);
    add(Family::PeDma, std::move(label), source, slice, router_.find_path(source, slice));
  }

  void add(Family family, std::string label, NodeId from, NodeId to, topology::Path route) {
    cases_.push_back({family, std::move(label), std::string(graph_.name(from)),
                      std::string(graph_.name(to)), std::move(route),
                      graph_.node(from).sip != graph_.node(to).sip});
  }

  const TopologyGraph& graph_;
  topology::AddressResolver resolver_;
  PathRouter router_;
  std::vector<ProbeCase> cases_;
};

double bottleneck(const TopologyGraph& graph, const ProbeCase& probe) {
  const topology::MemoryMapSpec& memory = graph.spec().cube.memory_map;
  double narrowest = memory.slice_bw_gbs();
  for (const topology::EdgeId edge : probe.route.edges) {
    narrowest = std::min(narrowest, graph.edge(edge).bw_gbs);
  }
  return narrowest;
}

/// The end of an access. A simulation may end later, as the routers of a network get credits back.
struct AccessEnd final : components::AccessListener {
  void on_access_done(const components::AccessTimes& times) override { time = times.done; }
  common::SimTime time;
};

/// Throws BadInput for a network whose virtual channels have too few slots to carry a flit in every
/// cycle, as the closed form assumes (docs/noc.md).
void require_full_rate(const topology::TopologySpec& spec) {
  for (const bool between_sips : {false, true}) {
    const auto& [topology, noc] = topology::noc_of(spec, between_sips);
    if (topology.routes == nullptr) continue;
    const std::uint32_t least =
        4 + 2 * topology::zoo::most_stages(*topology->topology(), noc.stages);
    if (noc.slots >= least) continue;
    throw common::BadInput(
        fmt::format("{}.noc.slots is {}: a probe needs at least {}, so that a virtual channel "
                    "carries a flit in "
                    "every cycle",
                    between_sips ? "system" : "sip", noc.slots, least));
  }
}

}  // namespace

std::vector<ProbeCase> probe_cases(const TopologyGraph& graph) {
  return Catalogue(graph).run();
}

components::AccessRequest access_of(const ProbeCase& probe, std::uint64_t bytes) {
  return {probe.family == Family::HostWrite, probe.route.edges, 0, bytes};
}

ProbeResult run_probe(const TopologyGraph& graph, const ProbeCase& probe, std::uint64_t bytes,
                      trace::HopTrace* trace) {
  require_full_rate(graph.spec());
  engine::Simulation simulation;
  components::Machine machine(simulation, graph, {trace});
  const components::AccessRequest access = access_of(probe, bytes);
  AccessEnd end;
  machine.accesses().submit(access, &end);
  simulation.run();

  ProbeResult result;
  result.bytes = bytes;
  result.actual = end.time;
  const std::vector<topology::EdgeId> back = machine.network().reversed(probe.route.edges);
  result.analytic = closed_form(graph, {access.write, probe.route.edges, back, 0, bytes});
  result.bottleneck_gbs = bottleneck(graph, probe);
  return result;
}

std::vector<std::vector<ProbeResult>> run_probes(const TopologyGraph& graph,
                                                 const std::vector<ProbeCase>& cases,
                                                 const std::vector<std::uint64_t>& sizes,
                                                 unsigned jobs, std::span<trace::HopTrace> traces) {
  std::vector<std::vector<ProbeResult>> results(cases.size(),
                                                std::vector<ProbeResult>(sizes.size()));
  common::StepProgress progress("transfers", cases.size() * sizes.size());
  common::in_parallel(cases.size() * sizes.size(), jobs, [&](std::size_t i) {
    const std::size_t c = i / sizes.size();
    const std::size_t s = i % sizes.size();
    results[c][s] = run_probe(graph, cases[c], sizes[s], traces.empty() ? nullptr : &traces[i]);
    progress.step();
  });
  return results;
}

}  // namespace kernbench::model::probe
