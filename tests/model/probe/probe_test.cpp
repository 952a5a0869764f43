// SPDX-License-Identifier: Apache-2.0
// Reads and writes compared with their closed form and with each other.
#include "model/probe/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>

#include "common/random.hpp"
#include "model/components/machine/machine.hpp"
#include "model/engine/simulation.hpp"
#include "model/probe/invariants.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::probe {
namespace {

using common::SimTime;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using topology::TopologyGraph;
using topology::TopologySpec;

const TopologyGraph& default_graph() {
  static const TopologyGraph graph = topology::compile_topology({});
  return graph;
}

/// Stores the times of an access when it is done.
struct DoneAccess final : components::AccessListener, components::AccessTimes {
  void on_access_done(const components::AccessTimes& times) override {
    static_cast<components::AccessTimes&>(*this) = times;
  }
};

ProbeCase dma(const TopologyGraph& graph, const std::string& pe, const std::string& slice) {
  return {Family::PeDma,
          "test",
          pe + ".pe_dma",
          slice,
          topology::PathRouter(graph).find_path(pe, slice),
          false};
}

// Computed by hand: a request of 16 bytes over two wires of 256 GB/s and 0.5 mm, the controller,
// and one flit back.
TEST(Probe, AReadOfOneFlitOfTheOwnSliceTakesExactly68NanosecondsAndAFew) {
  const ProbeResult result = run_probe(
      default_graph(), dma(default_graph(), "sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0"), 256);
  const std::int64_t request = (2'000 + 63 + 5) + (1'000 + 63 + 5);
  const std::int64_t memory = 30'000 + 16'000;  // overhead, and 256 bytes at an eighth of 128 GB/s
  const std::int64_t response = (1'000 + 5) + (1'000 + 1'000 + 5);
  EXPECT_EQ(result.actual.ps(), request + memory + response);
  EXPECT_EQ(result.analytic.latency(), result.actual);
  EXPECT_EQ(result.analytic.overhead.ps(), 34'000);
  EXPECT_EQ(result.analytic.travel.ps(), 20);
  EXPECT_EQ(result.analytic.serialization.ps(), 2 * 63 + 2'000);
  EXPECT_EQ(result.analytic.memory.ps(), 16'000);
  EXPECT_EQ(result.analytic.pipeline.ps(), 0);
}

TEST(Probe, ALongReadOfTheOwnSliceSees99PercentOfItsBandwidth) {
  engine::Simulation simulation;
  components::Machine machine(simulation, default_graph());
  const auto route =
      topology::PathRouter(default_graph()).find_path("sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0");
  constexpr std::uint64_t kBytes = 1U << 20U;
  DoneAccess times;
  machine.accesses().submit({false, route.edges, 0, kBytes}, &times);
  simulation.run();
  const double span = static_cast<double>((times.done - times.first_response.value()).ps());
  EXPECT_GE(static_cast<double>(kBytes - 256) / span * 1000.0, 0.99 * 128.0);
}

TEST(Probe, TwoPesThatShareANarrowWireGetHalfOfItEach) {
  // Both read slices of cube 1, and their routes share one UCIe connection.
  engine::Simulation simulation;
  components::Machine machine(simulation, default_graph());
  const topology::PathRouter router(default_graph());
  constexpr std::uint64_t kBytes = 1U << 20U;
  const auto a = router.find_path("sip0.cube0.pe2", "sip0.cube1.hbm_ctrl.pe0");
  const auto b = router.find_path("sip0.cube0.pe3", "sip0.cube1.hbm_ctrl.pe1");
  DoneAccess first;
  DoneAccess second;
  machine.accesses().submit({false, a.edges, 0, kBytes}, &first);
  machine.accesses().submit({false, b.edges, 0, kBytes}, &second);
  simulation.run();
  const auto alone = [&](const char* pe, const char* slice) {
    return run_probe(default_graph(), dma(default_graph(), pe, slice), kBytes).actual.ps();
  };
  const std::int64_t first_alone = alone("sip0.cube0.pe2", "sip0.cube1.hbm_ctrl.pe0");
  const std::int64_t second_alone = alone("sip0.cube0.pe3", "sip0.cube1.hbm_ctrl.pe1");
  EXPECT_EQ(first_alone, second_alone);
  const std::int64_t flit = 2'000;  // 256 bytes at 128 GB/s
  const auto [sooner, later] = std::minmax({first.done.ps(), second.done.ps()});
  // When one is done, the other lacks at most two flits: each had half of the wire, within a flit.
  EXPECT_LE(later - sooner, 2 * flit);
  EXPECT_LE(std::abs(later - (first_alone + 4096 * flit)), 2 * flit);
  EXPECT_EQ(machine.accesses().pending(), 0U);
}

TEST(Probe, EveryCaseOfTheDefaultSpecEqualsItsClosedFormAndKeepsTheInvariants) {
  const std::vector<ProbeCase> cases = probe_cases(default_graph());
  const std::vector<std::uint64_t> sizes = {1, 16, 255, 256, 257, 4096, 65536, 1'000'003};
  const auto results = run_probes(default_graph(), cases, sizes, 2);
  EXPECT_EQ(cases.size(), 18U);
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    EXPECT_THAT(check_invariants(default_graph(), cases, results, s).broken, IsEmpty());
  }
}

TEST(Probe, ResultsDoNotDependOnTheNumberOfJobs) {
  const std::vector<ProbeCase> cases = probe_cases(default_graph());
  const auto one = run_probes(default_graph(), cases, {4096}, 1);
  const auto four = run_probes(default_graph(), cases, {4096}, 4);
  for (std::size_t c = 0; c < cases.size(); ++c) {
    EXPECT_EQ(one[c][0].actual, four[c][0].actual);
  }
}

/// Returns a spec in which everything that affects latencies is random.
TopologySpec random_spec(common::Rng& random) {
  const auto in = [&random](double low, double high) {
    return low + (high - low) * static_cast<double>(random.below(1U << 20U)) / (1U << 20U);
  };
  TopologySpec spec;
  spec.system.sips = 1 + static_cast<std::uint32_t>(random.below(2));
  spec.system.flit_bytes = 1U << (4 + random.below(6));
  spec.system.request_bytes = 1 + static_cast<std::uint32_t>(random.below(64));
  spec.system.wire_ns_per_mm = in(0, 0.1);
  spec.sip.cube_mesh_w = 1 + static_cast<std::uint32_t>(random.below(3));
  spec.sip.cube_mesh_h = 1 + static_cast<std::uint32_t>(random.below(3));
  spec.cube.router_overhead_ns = in(0, 3);
  spec.cube.hbm_ctrl_overhead_ns = in(0, 50);
  spec.cube.links.router_mesh_bw_gbs = in(10, 500);
  spec.cube.links.ucie_conn.bw_gbs = in(10, 500);
  spec.cube.links.router_to_hbm.bw_gbs = in(10, 500);
  spec.cube.links.pe_to_router.bw_gbs = in(10, 500);
  spec.cube.memory_map.hbm_total_bw_gbs = in(100, 4000);
  spec.cube.memory_map.channels_per_slice = 1 + static_cast<std::uint32_t>(random.below(16));
  if (random.below(4) == 0) {
    spec.cube.memory_map.hbm_interleave = topology::HbmInterleave::Modulo;
  }
  return spec;
}

TEST(Probe, RandomSystemsAndSizesEqualTheClosedForm) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    common::Rng random(seed);
    const TopologyGraph graph = topology::compile_topology(random_spec(random));
    const std::vector<ProbeCase> cases = probe_cases(graph);
    const ProbeCase& probe = cases[random.below(cases.size())];
    const ProbeResult result = run_probe(graph, probe, 1 + random.below(20'000));
    ASSERT_EQ(result.actual.ps(), result.analytic.latency().ps()) << "seed " << seed;
  }
}

TEST(Probe, NoAccessInCompanyIsFasterThanAloneAndEveryWireCarriesEveryByteOnce) {
  const TopologyGraph& graph = default_graph();
  const std::vector<ProbeCase> cases = probe_cases(graph);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    common::Rng random(seed);
    engine::Simulation simulation;
    components::Machine machine(simulation, graph);
    std::vector<SimTime> alone;
    std::deque<DoneAccess> together;
    std::vector<std::uint64_t> expected(graph.edges().size());
    for (int i = 0; i < 12; ++i) {
      const ProbeCase& probe = cases[random.below(cases.size())];
      const bool write = probe.family == Family::HostWrite;
      const std::uint64_t bytes = 1 + random.below(8192);
      const std::uint64_t control = graph.spec().system.request_bytes;
      for (const auto edge : probe.route.edges) {
        expected[edge.value()] += write ? bytes : control;
      }
      for (const auto edge : machine.network().reversed(probe.route.edges)) {
        expected[edge.value()] += write ? control : bytes;
      }
      machine.accesses().submit({write, probe.route.edges, 0, bytes}, &together.emplace_back());
      alone.push_back(run_probe(graph, probe, bytes).actual);
    }
    simulation.run();
    ASSERT_EQ(machine.accesses().pending(), 0U);
    for (std::size_t i = 0; i < alone.size(); ++i) ASSERT_GE(together[i].done, alone[i]);
    for (std::uint32_t e = 0; e < expected.size(); ++e) {
      ASSERT_EQ(machine.network().use(topology::EdgeId(e)).bytes, expected[e]) << "seed " << seed;
    }
  }
}

// 16 rows of 64 bytes are four flits of four rows each. Rows of a flit on different channels are
// served at the same time, rows on one channel one after the other.
TEST(MemoryAccesses, OfRowsTravelPackedAndAreServedRowByRow) {
  topology::TopologySpec spec;
  spec.cube.memory_map.hbm_interleave = topology::HbmInterleave::Modulo;
  const TopologyGraph in_turn = topology::compile_topology(spec);
  const auto time_of = [](bool write, std::uint64_t row_bytes, std::uint64_t row_stride,
                          const TopologyGraph& graph = default_graph()) {
    engine::Simulation simulation;
    components::Machine machine(simulation, graph);
    const topology::PathRouter router(graph);
    const auto way = router.find_path("sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0");
    components::RoutedAccess access;
    access.write = write;
    access.route = &machine.network().route(way.edges);
    access.bytes = 1024;
    access.row_bytes = row_bytes;
    access.row_stride = row_stride;
    DoneAccess done;
    machine.accesses().submit(access, &done);
    simulation.run();
    EXPECT_EQ(machine.network().use(way.edges.front()).bytes, write ? 1024U : 16U);
    const probe::LoneAccess alone{
        write, way.edges, machine.network().reversed(way.edges), 0, 1024, row_bytes, row_stride};
    EXPECT_EQ(done.done, closed_form(graph, alone).latency());
    return done.done.ps();
  };
  // 64 bytes occupy a channel for 4 ns, a flit occupies the wire for 1 ns. As one piece, the four
  // flits are served at the same time, in 16 ns, and then leave one after the other.
  const std::int64_t in_one_piece = time_of(false, 0, 0);
  EXPECT_EQ(time_of(false, 64, 64), in_one_piece);
  // Two flits after 4 ns and two after 8 ns.
  EXPECT_EQ(time_of(false, 64, 256), in_one_piece - 8'000 - 2'000);
  // All rows on one channel: a flit every 16 ns.
  EXPECT_EQ(time_of(false, 64, 8 * 256, in_turn), in_one_piece + 3 * 16'000 - 3 * 1'000);
  // Hashed to channels 0 5 2 0, 4 4 4 4, 0 7 1 5, 4 1 1 1: the flits are served after 8, 16, 16 and
  // 20 ns, and the last one leaves after 21 ns instead of 20.
  EXPECT_EQ(time_of(false, 64, 8 * 256), in_one_piece + 1'000);
  (void)time_of(true, 64, 256);
}

// The same rows: those on one channel count as the load of one channel, a contiguous access and one
// of few rows as none.
TEST(MemoryAccesses, KnowHowEvenlyTheyLoadTheChannels) {
  topology::TopologySpec spec;
  spec.cube.memory_map.hbm_interleave = topology::HbmInterleave::Modulo;
  const TopologyGraph graph = topology::compile_topology(spec);
  engine::Simulation simulation;
  components::Machine machine(simulation, graph);
  const topology::PathRouter router(graph);
  const auto way = router.find_path("sip1.cube0.pe0", "sip1.cube0.hbm_ctrl.pe0");
  components::ChannelLoad last;
  const auto load_after = [&](std::uint64_t bytes, std::uint64_t row_bytes,
                              std::uint64_t row_stride) {
    components::RoutedAccess access;
    access.route = &machine.network().route(way.edges);
    access.bytes = bytes;
    access.row_bytes = row_bytes;
    access.row_stride = row_stride;
    const components::ChannelLoad before = machine.accesses().channel_load(1);
    machine.accesses().submit(access);
    last = machine.accesses().channel_load(1) - before;
    return last.times_the_mean();
  };
  EXPECT_EQ(load_after(1024, 64, 8 * 256), 8.0);
  EXPECT_EQ(load_after(1024, 64, 4 * 256), 4.0);
  EXPECT_EQ(load_after(1024, 64, 9 * 256), 1.0);
  EXPECT_EQ(load_after(1024, 64, 64), 2.0);      // four rows a flit: half of the channels
  EXPECT_EQ(load_after(960, 64, 8 * 256), 0.0);  // 15 pieces
  EXPECT_EQ(last.share_of_short(), 0.0);
  EXPECT_EQ(load_after(100'000, 0, 0), 1.0);
  EXPECT_EQ(last.share_of_short(), 0.0);
  // A short access leaves some of the eight channels idle.
  EXPECT_EQ(load_after(7 * 256, 0, 0), 1.0);
  EXPECT_EQ(last.share_of_short(), 1.0);
  EXPECT_EQ(load_after(7 * 256 + 1, 0, 0), 1.0);
  EXPECT_EQ(last.share_of_short(), 0.0);
  (void)load_after(7 * 64, 64, 9 * 256);
  EXPECT_EQ(last.share_of_short(), 1.0);
  EXPECT_EQ(machine.accesses().channel_load(0).bytes, 0U);
  simulation.run();
}

TEST(MemoryAccesses, RefusesRowsThatOverlap) {
  engine::Simulation simulation;
  components::Machine machine(simulation, default_graph());
  const topology::PathRouter router(default_graph());
  const auto way = router.find_path("sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0");
  components::RoutedAccess access;
  access.route = &machine.network().route(way.edges);
  access.bytes = 256;
  access.row_bytes = 128;
  access.row_stride = 127;
  EXPECT_THROW(machine.accesses().submit(access), std::invalid_argument);
  EXPECT_EQ(machine.accesses().pending(), 0U);
}

TEST(MemoryAccesses, RefusesWhatIsNoAccess) {
  engine::Simulation simulation;
  components::Machine machine(simulation, default_graph());
  const topology::PathRouter router(default_graph());
  const auto slice = router.find_path("sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0");
  EXPECT_THROW(machine.accesses().submit({false, slice.edges, 0, 0}), std::invalid_argument);
  EXPECT_THROW(machine.accesses().submit(components::AccessRequest{false, {}, 0, 1}),
               std::invalid_argument);
  const auto m_cpu = router.find_path("sip0.cube0.pe0", "sip0.cube0.m_cpu");
  EXPECT_THROW(machine.accesses().submit({false, m_cpu.edges, 0, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace kernbench::model::probe
