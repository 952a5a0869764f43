// SPDX-License-Identifier: Apache-2.0
// Incomplete neighbour tables and ranks that skip a collective end in an error that lists the
// waits, and never in an endless run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "model/bench/random_data.hpp"
#include "model/ccl/process_group.hpp"
#include "tests/model/ccl/group_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::ccl {
namespace {

using components::NeighborLink;
using data::DataType;
using kernel::Tile;
using kernel::Tl;
using runtime::LaunchGrid;
using runtime::Placement;

constexpr LaunchGrid kOnePe{1, 1};
constexpr const char* kThisFile = "tests/model/ccl/missing_neighbor_test.cpp";
constexpr const char* kRing = "backend: ahbm\nalgorithms: {all_reduce: intercube-center}\n";

/// Returns the message of a run that fails with this error.
template <typename Error>
std::string error_of(const topology::TopologyGraph& graph, void (*body)(runtime::Context&)) {
  try {
    (void)run(graph, body, kRing);
  } catch (const Error& error) {
    // Line numbers of this file are asserted; those of algorithms may change.
    return std::regex_replace(error.what(), std::regex(" model/ccl/([a-z_]+)[.]cpp:[0-9]+"),
                              " model/ccl/$1.cpp:LINE");
  }
  return "no error";
}

/// Returns the message of a deadlock after its time.
std::string waiting_of(const topology::TopologyGraph& graph, void (*body)(runtime::Context&)) {
  const std::string text = error_of<bench::RunDeadlocked>(graph, body);
  const std::size_t at = text.find(" ps: ");
  // A time within the first 100 us is that of the deadlock, not the limit of the run.
  EXPECT_TRUE(std::regex_search(text, std::regex("^deadlock at [0-9]{1,8} ps"))) << text;
  return text.starts_with("deadlock at ") && at != std::string::npos ? text.substr(at + 5) : text;
}

/// Returns a tensor with a copy in each cube of a rank.
runtime::Tensor replicated(runtime::Context& device) {
  return device.tensor(8, 16, DataType::I32, {Placement::Replicate, Placement::RowWise},
                       bench::uniform(DataType::I32, 8, 16, 1));
}

int failing_line = 0;

TEST(MissingNeighborTest, ADirectionThatTheGroupDoesNotHaveFailsAtTheKernelsLine) {
  const std::string text = error_of<bench::RunFailed>(small_system_of(2, 1, 1), [](auto& kb) {
    ProcessGroup group(kb.session(), "ahbm");
    (void)group.world().join("ring");
    spawn(kb, group, [](Worker& worker) {
      if (worker.rank() != 1) return;
      worker.kb().launch(
          "up",
          [](Tl& tl) {
            const Tile tile = tl.full(1, 16, 1.0, DataType::I32);
            failing_line = __LINE__ + 1;
            tl.send("global_up", tile);
          },
          kOnePe);
    });
  });
  EXPECT_EQ(text, fmt::format("kernel 'up' on sip1.cube0.pe0: tl.send at {}:{}: "
                              "sip1.cube0.pe0.pe_ipcq has no neighbour 'global_up'; it has "
                              "global_ring_prev, global_ring_next",
                              kThisFile, failing_line));
}

constexpr std::uint32_t kNoHole = 9;

/// Runs an all-reduce within a SIP of 3 x 1 cubes; the table lacks the links between the cubes `a`
/// and `a` + 1.
void all_reduce_with_hole(runtime::Context& kb, std::uint32_t a) {
  const Grid cubes{3, 1};
  GroupShape mesh = GroupShape::of(cubes.nodes());
  mesh.grid = cubes;
  std::vector<NeighborLink> links;
  for (const Join& join : joins_of(*find_neighbor_kind("mesh"), mesh)) {
    for (std::uint32_t pe = 0; pe < kb.pes(); ++pe) {
      links.push_back({{0, join.a, pe}, join.a_direction, {0, join.b, pe}, join.b_direction});
    }
  }
  std::erase_if(links, [a](const NeighborLink& link) { return link.a.cube == a; });
  components::install_neighbors(kb.session().machine(), links);

  const runtime::Tensor x = replicated(kb);
  CollectiveArgs args{find_collective("all_reduce"), x->view(), x->view()};
  args.cubes = cubes;
  args.team.shape = std::make_shared<const GroupShape>();
  args.team.neighbors = find_neighbor_kind("ring");
  args.root_cube = center_of(cubes);
  kb.launch("sum", [args](Tl& tl) { find_algorithm("intercube-center")->kernel(tl, args); });
}

TEST(MissingNeighborTest, AHoleInTheTableFailsAtTheLineOfTheAlgorithmThatFindsIt) {
  const std::string text = error_of<bench::RunFailed>(
      small_system_of(1, 3, 1), [](auto& kb) { all_reduce_with_hole(kb, 1); });
  EXPECT_EQ(text,
            "kernel 'sum' on sip0.cube2.pe0: tl.send at model/ccl/cube_tree.cpp:LINE: "
            "sip0.cube2.pe0.pe_ipcq has no neighbour 'W', nor any other");
}

TEST(MissingNeighborTest, TheSameAlgorithmRunsWhenTheTableIsWhole) {
  EXPECT_EQ(error_of<bench::RunFailed>(small_system_of(1, 3, 1),
                                       [](auto& kb) { all_reduce_with_hole(kb, kNoHole); }),
            "no error");
}

TEST(MissingCreditTest, ASenderWhosePeerNeverReceivesIsReportedWithTheCreditsItWaitsFor) {
  const std::string text = waiting_of(small_system_of(2, 1, 1), [](auto& kb) {
    ProcessGroup group(kb.session(), "ahbm");
    spawn(kb, group, [](Worker& worker) {
      if (worker.rank() != 0) return;
      const std::string next = worker.join("ring") + "next";
      const std::uint32_t slots = worker.kb().session().spec().pe.pe_ipcq_slots;
      worker.kb().launch(
          "flood",
          [slots, next](Tl& tl) {
            const Tile tile = tl.full(1, 16, 1.0, DataType::I32);
            failing_line = __LINE__ + 1;
            for (std::uint32_t i = 0; i <= slots; ++i) tl.send(next, tile);
          },
          kOnePe);
    });
  });
  EXPECT_EQ(text,
            fmt::format("nothing is scheduled, and 5 processes have to wait\n"
                        "  'bench test' waits for event 'the end of rank 0'\n"
                        "  'rank 0' waits for event 'the end of kernel flood'\n"
                        "  'kernel flood' waits for event 'the answers to a launch'\n"
                        "  'flood on sip0.cube0.pe0.pe_cpu' waits for event 'send'\n"
                        "  'sip0.cube0.pe0.pe_ipcq send' waits for an item in channel 'credits of "
                        "sip0.cube0.pe0.pe_ipcq for global_ring_next'; running:\n"
                        "  kernel 'flood' on sip0.cube0.pe0: tl.send at {}:{}",
                        kThisFile, failing_line));
}

TEST(MissingCreditTest, AsManyMessagesAsThereAreSlotsNeedNoReceiver) {
  EXPECT_EQ(error_of<bench::RunDeadlocked>(
                small_system_of(2, 1, 1),
                [](auto& kb) {
                  ProcessGroup group(kb.session(), "ahbm");
                  spawn(kb, group, [](Worker& worker) {
                    if (worker.rank() != 0) return;
                    const std::string next = worker.join("ring") + "next";
                    const std::uint32_t slots = worker.kb().session().spec().pe.pe_ipcq_slots;
                    worker.kb().launch(
                        "fill slots",
                        [slots, next](Tl& tl) {
                          const Tile tile = tl.full(1, 16, 1.0, DataType::I32);
                          for (std::uint32_t i = 0; i < slots; ++i) tl.send(next, tile);
                        },
                        kOnePe);
                  });
                }),
            "no error");
}

TEST(MissingRankTest, ACollectiveThatARankDoesNotCallIsReportedWithTheRanksThatWaitForIt) {
  const std::string text = waiting_of(small_system_of(2, 1, 1), [](auto& kb) {
    ProcessGroup group(kb.session(), "ahbm");
    spawn(kb, group, [](Worker& worker) {
      const runtime::Tensor x = replicated(worker.kb());
      if (worker.rank() == 0) worker.all_reduce(x);
    });
  });
  std::string expected =
      "nothing is scheduled, and 11 processes have to wait\n"
      "  'bench test' waits for event 'the end of rank 0'\n"
      "  'rank 0' waits for event 'the end of kernel intercube-center'\n"
      "  'kernel intercube-center' waits for event 'the answers to a launch'";
  const std::vector<int> started = {0, 2, 1, 3};  // order in which the launch reaches PEs
  for (const int pe : started) {
    expected +=
        fmt::format("\n  'intercube-center on sip0.cube0.pe{}.pe_cpu' waits for event 'irecv'", pe);
  }
  for (const int pe : started) {
    expected += fmt::format(
        "\n  'sip0.cube0.pe{0}.pe_ipcq receive' waits for an item in channel 'slots of "
        "sip0.cube0.pe{0}.pe_ipcq from global_ring_prev'",
        pe);
  }
  expected += "\n  all_reduce, call 1 of group 'world', waits for rank 1, which never called it";
  expected += "; running:";
  for (const int pe : {0, 1, 2, 3}) {
    expected += fmt::format(
        "\n  kernel 'intercube-center' on sip0.cube0.pe{}: tl.wait at "
        "model/ccl/exchanges.cpp:LINE",
        pe);
  }
  EXPECT_EQ(text, expected);
}

}  // namespace
}  // namespace kernbench::model::ccl
