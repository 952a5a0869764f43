// SPDX-License-Identifier: Apache-2.0
// Each rule that names a part of a critical path, in exact picoseconds: engines, ports, memories,
// sends and MAZEs. Also the path over time, and the meters of parts.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/components/machine/access_group.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/trace/critical_path.hpp"
#include "tests/model/components/machine_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::trace {
namespace {

using common::SimTime;
using components::PartMeter;
using components::PeCommand;
using components::Port;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

topology::TopologyGraph slow_translation() {
  topology::TopologySpec spec;
  spec.pe.pe_mmu_tlb_overhead_ns = 7.0;
  return topology::compile_topology(spec);
}

topology::TopologyGraph maze() {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.inter_cube = topology::InterCube::Maze;
  return topology::compile_topology(spec);
}

/// A machine that records causes, and commands of kernels on it.
class Recorded {
 public:
  explicit Recorded(topology::TopologyGraph graph)
      : graph_(std::move(graph)), simulation_(recording()), machine_(*simulation_, graph_) {}

  [[nodiscard]] components::Machine& machine() { return machine_; }
  [[nodiscard]] const topology::TopologyGraph& graph() const { return graph_; }
  /// Starts commands of a PE of cube 0 one after the other.
  void start(std::uint32_t pe, std::vector<PeCommand::Work> works) {
    simulation_->spawn("kernel", kernel(pe, std::move(works)));
  }
  /// Reads a slice of a cube from PE 0 of cube 0, `times` times one after the other.
  void read(std::uint32_t cube, std::uint64_t bytes, std::uint32_t times = 1) {
    simulation_->spawn("reader", reads(cube, bytes, times));
  }
  CriticalPath path() {
    simulation_->run();
    return find_critical_path(last_, SimTime(), last_->end);
  }
  /// Returns "ps text" of each share.
  std::vector<std::string> texts(const CriticalPath& path) const {
    std::vector<std::string> lines;
    for (const TimeShare& share : path.shares) {
      lines.push_back(fmt::format("{} {}", share.time.ps(), text_of(share, graph_)));
    }
    return lines;
  }
  /// Returns "busy longest_wait amount" of a part.
  std::string meter(const std::string& name, Port port) const {
    for (const PartMeter& part : machine_.use().parts) {
      if (graph_.name(part.node) != name || part.port != port) continue;
      return fmt::format("{} {} {}", part.busy.ps() / part.channels, part.longest_wait.ps(),
                         part.amount);
    }
    return "unused";
  }

 private:
  static std::unique_ptr<engine::Simulation> recording() {
    auto simulation = std::make_unique<engine::Simulation>();
    simulation->record_causes();
    return simulation;
  }
  engine::Process kernel(std::uint32_t pe, std::vector<PeCommand::Work> works) {
    auto& cpu = machine_.component_as<components::PeCpu>(
        machine_.pe_part({0, 0, pe}, topology::NodeKind::PeCpu));
    for (PeCommand::Work& work : works) {
      PeCommand command("command", std::move(work));
      cpu.start(command);
      co_await command.done;
      last_ = simulation_->cause();
    }
  }
  engine::Process reads(std::uint32_t cube, std::uint64_t bytes, std::uint32_t times) {
    components::RoutedAccess access;
    access.route = &machine_.network().route(
        machine_.router()
            .find_path("sip0.cube0.pe0", fmt::format("sip0.cube{}.hbm_ctrl.pe0", cube))
            .edges);
    access.bytes = bytes;
    for (std::uint32_t i = 0; i < times; ++i) {
      components::AccessGroup group(machine_, "a read");
      group.submit(access);
      co_await group.done();
    }
    last_ = simulation_->cause();
  }

  topology::TopologyGraph graph_;
  std::unique_ptr<engine::Simulation> simulation_;
  components::Machine machine_;
  engine::Cause last_;
};

TEST(Attribution, NamesTheWaitForAnEngineItsWorkAndItsMessages) {
  Recorded run(components::default_graph());
  run.start(0, {components::gemm_work(40'960)});
  run.start(0, {components::gemm_work(40'960)});
  const CriticalPath path = run.path();
  EXPECT_EQ(path.unnamed(), SimTime());
  EXPECT_THAT(run.texts(path),
              IsSupersetOf({"2000 command: overhead of pe_scheduler (sip0.cube0.pe0.pe_scheduler)",
                            "9968 gemm: wait for pe_gemm (sip0.cube0.pe0.pe_gemm) behind gemm",
                            "10000 gemm: work of pe_gemm (sip0.cube0.pe0.pe_gemm)",
                            "5000 command done: overhead of pe_cpu (sip0.cube0.pe0.pe_cpu)"}));
  EXPECT_EQ(run.meter("sip0.cube0.pe0.pe_gemm", Port::Only), "20000 9968 81920");
}

TEST(Attribution, NamesTheTranslationAndTheHolderOfAPort) {
  Recorded run(slow_translation());
  const std::uint64_t address = topology::encode(topology::PhysAddr::hbm(0, 0, 0));
  run.start(0, {components::dma_work(false, address, 256)});
  run.start(0, {components::dma_work(false, address, 256)});
  const CriticalPath path = run.path();
  EXPECT_EQ(path.unnamed(), SimTime());
  const std::vector<std::string> lines = run.texts(path);
  // The second read starts when the first ends, so the path has both.
  EXPECT_EQ(std::count(lines.begin(), lines.end(),
                       "7000 translation: overhead of pe_mmu (sip0.cube0.pe0.pe_mmu)"),
            2);
  EXPECT_EQ(run.meter("sip0.cube0.pe0.pe_dma", Port::Read), "114292 57114 512");
  EXPECT_EQ(run.meter("sip0.cube0.hbm_ctrl.pe0", Port::Only), "4000 0 512");
}

TEST(Attribution, NamesTheWireThatASendOccupiesAndTheWaitForACredit) {
  Recorded run(components::default_graph());
  components::install_neighbors(run.machine(), {{{0, 0, 0}, "E", {0, 0, 1}, "W"}});
  run.start(0, std::vector<PeCommand::Work>(6, components::IpcqSend{"E", 256}));
  run.start(1, std::vector<PeCommand::Work>(6, components::IpcqRecv{"W", 256}));
  const CriticalPath path = run.path();
  EXPECT_EQ(path.unnamed(), SimTime());
  EXPECT_THAT(run.texts(path),
              AllOf(Contains("500 read: service by pe_tcm (sip0.cube0.pe0.pe_tcm)"),
                    Contains(::testing::StartsWith("1000 departure of ipcq data: flits on a wire "
                                                   "from pe_dma (sip0.cube0.pe0.pe_dma -> "))));
}

TEST(Attribution, NamesTheMaze) {
  Recorded run(maze());
  run.read(5, 1024);
  const CriticalPath path = run.path();
  EXPECT_EQ(path.unnamed(), SimTime());
  SimTime in_maze;
  for (const TimeShare& share : path.shares) {
    if (share.use == TimeUse::Fabric) in_maze += share.time;
  }
  EXPECT_THAT(run.texts(path), Contains(::testing::HasSubstr("from node to node")));
  EXPECT_THAT(path.by_limit(run.graph()), Contains(PathPart{"latency of the MAZE", in_maze}));
  EXPECT_GT(in_maze, SimTime());
}

TEST(Attribution, TellsOwnFlitsFromContention) {
  Recorded run(components::default_graph());
  run.read(0, 1024);
  const CriticalPath path = run.path();
  for (const PathPart& limit : path.by_limit(run.graph())) {
    EXPECT_EQ(limit.name.find("contention"), std::string::npos) << limit.name;
  }
}

/// Time of a part of a path in windows, by their index.
using Windows = std::map<std::int64_t, std::map<std::string, std::int64_t>>;

/// Adds a stretch of time to its windows.
void add(Windows& windows, std::int64_t length, const std::string& name, std::int64_t from,
         std::int64_t to) {
  for (std::int64_t at = from; at < to;) {
    const std::int64_t end = std::min(to, (at / length + 1) * length);
    windows[at / length][name] += end - at;
    at = end;
  }
}

TEST(PathOverTime, HasInEachWindowWhatHappenedInIt) {
  Recorded one(components::default_graph());
  one.read(0, 256);
  const CriticalPath single = one.path();
  constexpr std::uint32_t kReads = 500;
  Recorded many(components::default_graph());
  many.read(0, 256, kReads);
  const CriticalPath path = many.path();
  EXPECT_EQ(path.time(), single.time() * kReads);
  EXPECT_EQ(path.steps, single.steps * kReads);
  EXPECT_GT(path.window, SimTime()) << "shares have been added up";
  EXPECT_LT(path.shares.size(), single.shares.size() * kReads / 4);

  const std::vector<CriticalPath> parts = path.over_time(64);
  const std::int64_t length = parts.at(1).time().ps();
  EXPECT_GT(parts.size(), 16U);
  Windows expected;
  for (std::uint32_t i = 0; i < kReads; ++i) {
    std::int64_t at = single.time().ps() * i;
    for (const TimeShare& share : single.shares) {
      add(expected, length, text_of(share, one.graph()), at, at + share.time.ps());
      at += share.time.ps();
    }
  }
  Windows found;
  SimTime at;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].start, at);
    EXPECT_EQ(parts[i].unnamed(), SimTime());
    at = parts[i].end;
    for (const TimeShare& share : parts[i].shares) {
      found[static_cast<std::int64_t>(i)][text_of(share, many.graph())] += share.time.ps();
    }
  }
  EXPECT_EQ(at, path.end);
  EXPECT_EQ(found, expected);
}

TEST(PathOverTime, CutsAShortPathWhereItsSharesAre) {
  Recorded run(components::default_graph());
  run.read(0, 256);
  const CriticalPath path = run.path();
  EXPECT_EQ(path.window, SimTime());
  std::vector<std::string> lines;
  for (const CriticalPath& part : path.over_time(4)) {
    std::string line = fmt::format("{}-{}:", part.start.ps(), part.end.ps());
    for (const PathPart& limit : part.by_limit(run.graph())) {
      line += fmt::format(" {} {},", limit.time.ps(), limit.name);
    }
    lines.push_back(line);
  }
  EXPECT_THAT(lines, ElementsAre("0-16384: 16258 latency of messages and accesses, 63 bandwidth of "
                                 "wires pe_to_router, 63 bandwidth of wires router_to_hbm,",
                                 "16384-32768: 16384 latency of messages and accesses,",
                                 "32768-49152: 16000 bandwidth of hbm_ctrl, 368 latency of "
                                 "messages and accesses, 16 bandwidth of wires hbm_to_router,",
                                 "49152-52146: 1010 latency of messages and accesses, 1000 "
                                 "bandwidth of wires pe_to_router, 984 bandwidth of wires "
                                 "hbm_to_router,"));
  EXPECT_TRUE(CriticalPath().over_time(4).empty());
}

}  // namespace
}  // namespace kernbench::model::trace
