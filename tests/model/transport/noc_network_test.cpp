// SPDX-License-Identifier: Apache-2.0
// Messages through a network between cubes and one between SIPs: exact times, loads of links.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/components/machine/machine.hpp"
#include "model/probe/closed_form.hpp"
#include "model/probe/probe.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "topology/graph/compile.hpp"
#include "topology/routing/path_router.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::model {
namespace {

using topology::EdgeId;
using topology::EdgeKind;

/// The end of an access. The simulation ends later, when the routers have their credits back.
struct Done final : components::AccessListener {
  void on_access_done(const components::AccessTimes& times) override { ps = times.done.ps(); }
  std::int64_t ps = -1;
};

/// A machine on which single accesses run.
struct Lone {
  explicit Lone(const std::string& text)
      : graph(topology::compile_topology(topology::parse_topology_spec(text, "t.yaml"))),
        router(graph) {}

  /// Reads `bytes` from the HBM of PE 0 of a cube; returns the time in ps.
  std::int64_t read(const std::string& pe, const std::string& cube, std::uint64_t bytes) {
    path = router.find_path(pe, cube + ".hbm_ctrl.pe0");
    engine::Simulation simulation;
    components::Machine machine(simulation, graph,
                                {nullptr, &router, &components::standard_components(), {}});
    Done done;
    machine.accesses().submit({false, path.edges, 0, bytes}, &done);
    simulation.run();
    uses = machine.network().uses();
    back = machine.network().reversed(path.edges);
    return done.ps;
  }
  /// Returns the same by the recurrence.
  std::int64_t closed(std::uint64_t bytes) const {
    return probe::closed_form(graph, {false, path.edges, back, 0, bytes}).latency().ps();
  }

  topology::TopologyGraph graph;
  topology::PathRouter router;
  topology::Path path;
  std::vector<EdgeId> back;
  std::vector<transport::WireUse> uses;
};

std::string torus(const std::string& fabric, const std::string& more = "") {
  return "system: {sips: {count: 1}}\nsip: {inter_cube: {noc: 'BidirectionalTorus2D(4,4)'}, "
         "cube_mesh: {w: 4, h: 4}, noc: {flit_bits: 64, fabric: " +
         fabric + more + "}}\n";
}

TEST(NocNetwork, AMessageTakesTheCyclesOfItsRoutersOverBothFabrics) {
  for (const char* fabric : {"cycle", "analytic"}) {
    Lone lone(torus(fabric));
    // Cube 10 is two steps east and two south: five routers of three cycles, there and back.
    EXPECT_EQ(lone.read("sip0.cube0.pe0", "sip0.cube10", 16), 71'136) << fabric;
    EXPECT_EQ(lone.closed(16), 71'136) << fabric;
    EXPECT_EQ(lone.read("sip0.cube0.pe0", "sip0.cube10", 4096), 600'010) << fabric;
    EXPECT_EQ(lone.closed(4096), 600'010) << fabric;
  }
}

TEST(NocNetwork, StagesOfLinksAndTheClockCount) {
  Lone lone(torus("cycle", ", stages: 2, slots: 8, clock_ns: 0.8"));
  EXPECT_EQ(lone.read("sip0.cube0.pe0", "sip0.cube10", 600), lone.closed(600));
}

TEST(NocNetwork, OtherTopologiesTakeTheTimeOfTheRecurrence) {
  for (const char* noc : {"BidirectionalTree(1,3)", "Butterfly(2,3)", "UnidirectionalTorus1D(4)",
                          "TerminalRouter(Mesh2D(2,2))"}) {
    Lone lone(std::string("system: {sips: {count: 1}}\nsip: {inter_cube: {noc: '") + noc +
              "'}, cube_mesh: {w: 2, h: 2}}\n");
    EXPECT_EQ(lone.read("sip0.cube1.pe0", "sip0.cube2", 700), lone.closed(700)) << noc;
  }
}

TEST(NocNetwork, SipsReadEachOther) {
  Lone lone(
      "system:\n  sips: {count: 4}\n  inter_sip: {noc: 'BidirectionalTorus1D(4)'}\n"
      "sip: {cube_mesh: {w: 2, h: 1}}\n");
  EXPECT_EQ(lone.read("sip0.cube0.pe0", "sip2.cube1", 1000), lone.closed(1000));
}

TEST(NocNetwork, WithTooFewSlotsForTheClosedFormIsNotProbed) {
  const Lone lone(torus("cycle", ", slots: 5"));
  const std::vector<probe::ProbeCase> cases = probe::probe_cases(lone.graph);
  EXPECT_EQ(common::bad_input_of([&] { (void)run_probe(lone.graph, cases.front(), 64); }),
            "error: sip.noc.slots is 5: a probe needs at least 6, so that a virtual channel "
            "carries a flit "
            "in every cycle");
}

TEST(NocNetwork, CountsTheLoadOfEachLink) {
  Lone lone(torus("cycle"));
  (void)lone.read("sip0.cube0.pe0", "sip0.cube2", 600);
  std::uint64_t used = 0;
  for (std::uint32_t i = 0; i < lone.uses.size(); ++i) {
    const topology::Edge& edge = lone.graph.edge(EdgeId(i));
    const transport::WireUse& use = lone.uses[i];
    if (edge.kind != EdgeKind::NocLink || use.flits == 0) continue;
    ++used;
    // The request there has 16 bytes, the three flits back have 600: 2 and 32 + 32 + 11 flits of
    // the network.
    const bool is_request = use.flits == 1;
    EXPECT_EQ(use.bytes, is_request ? 16U : 600U);
    EXPECT_EQ(use.busy.ps(), is_request ? 2'000 : 75'000);
  }
  EXPECT_EQ(used, 8U);  // a port, two channels and a port, each way
}

}  // namespace
}  // namespace kernbench::model
