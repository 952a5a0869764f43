// SPDX-License-Identifier: Apache-2.0
// The lines in front of a wrong register of a router, each for an error of another kind in
// generated RTL. The steps are those of the reference on drawn traffic.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "generated_noc.hpp"
#include "sim/debug/conditions.hpp"
#include "sim/debug/suspects.hpp"
#include "sim/dut/source_names.hpp"
#include "sim/noc/noc_drawn_states.hpp"
#include "sim/noc/noc_node_reference.hpp"
#include "sim/structure/structure_file.hpp"

namespace kernbench::sim {
namespace {

using ::testing::IsEmpty;

class NocSuspects : public GeneratedNoc {
 protected:
  SuspectList suspects() {
    const std::string folder = elaborate();
    const structure::Design design(structure::read_dump(structure::dump_path(folder)));
    const Recording failed = recording_of({Unit::Kind::Node, {0, 0}}, NocNodeReference(device(), 0),
                                          "noc_tb_top.u_noc.u_node0");
    std::vector<Recording> drawn = draw_noc_states(device(), failed);
    drawn.front().wrong = FirstWrong{100, 0};
    SuspectList list = rank_suspects(drawn.front(), drawn, design);
    const SourceNames names = SourceNames::read(folder);
    for (Suspect& one : list.lines) one.file = names.user_text(one.file);
    list.lines = with_conditions(std::move(list.lines));
    return list;
  }

  /// Returns the likeliest line, such as "noc_queue.sv:38".
  std::string first_line() {
    const SuspectList list = suspects();
    if (list.lines.empty()) return list.why_not;
    return fmt::format("{}:{}", std::filesystem::path(list.lines[0].file).filename().string(),
                       list.lines[0].line);
  }
};

// The reference has each register of a router as the RTL has it.
TEST_F(NocSuspects, AreNoneInSoundRouters) {
  struct Sound {
    const char* topology;
    topology::NocOptions options;
  };
  for (const Sound& one :
       {Sound{"Mesh2D(3,2)", {.slots = 4}},
        Sound{"BidirectionalTorus1D(5)", {.slots = 3, .stages = 2}},
        Sound{"UnidirectionalTorus1D(3)", {.lanes = 2, .slots = 1, .stages = 0}}}) {
    std::filesystem::remove_all(rtl());
    generate(one.topology, one.options);
    const SuspectList list = suspects();
    EXPECT_THAT(list.lines, IsEmpty()) << one.topology << ": " << list.lines[0].signal;
    EXPECT_EQ(list.why_not,
              "the elaborated design does not show the difference; it may lie in what the check of "
              "the structure does not simulate");
  }
}

// The arithmetic of sound RTL has the values that it has in a simulator.
TEST_F(NocSuspects, AreNoneInSoundRoutersThatDivide) {
  generate("UnidirectionalTorus1D(3)", {.lanes = 2, .slots = 1, .stages = 0});
  edit("noc_output.sv", "entry[j] ? offer[c*R+:R]", "entry[j] ? offer[j / M * R+:R]");
  edit("noc_output.sv", "held[j]   = |owner_q[j*R+:R];",
       "held[j]   = ^owner_q[(j + C) % C * R + j / C * C * R +: R] | |owner_q[j*R+:R];");
  EXPECT_THAT(suspects().lines, IsEmpty());
}

TEST_F(NocSuspects, OfAQueueBeginWithTheChangedLine) {
  generate("UnidirectionalTorus1D(3)", {.slots = 2});
  edit("noc_queue.sv", "<= pop_i ? read_next", "<= pop_i & ~push_i ? read_next");
  EXPECT_EQ(first_line(), "noc_queue.sv:38");
}

TEST_F(NocSuspects, OfAnOutputBeginWithTheChangedLine) {
  generate("UnidirectionalTorus1D(3)", {.slots = 2});
  edit("noc_output.sv", " - CountW'(pick[j]);", ";");
  EXPECT_EQ(first_line(), "noc_output.sv:98");
}

// Signals that a process computes on the way are tried, too, though nothing else reads them.
TEST_F(NocSuspects, OfASignalWithinAProcessBeginWithTheChangedLine) {
  generate("UnidirectionalTorus1D(3)", {.slots = 2});
  edit("noc_output.sv", "count_q[j*CountW+:CountW] != '0;",
       "count_q[j*CountW+:CountW] > CountW'(1);");
  EXPECT_EQ(first_line(), "noc_output.sv:50");
}

// Two connections of an instance are wrong. Either alone explains nothing.
TEST_F(NocSuspects, OfExchangedConnectionsBeginWithTheirLine) {
  generate("UnidirectionalTorus1D(3)", {.slots = 2});
  edit("noc_router.sv", ".valid_i(valid), .tail_i(tail)", ".valid_i(tail), .tail_i(valid)");
  const SuspectList list = suspects();
  ASSERT_FALSE(list.lines.empty()) << list.why_not;
  EXPECT_EQ(list.lines[0].finding, "is right with tail_i and valid_i exchanged");
  EXPECT_EQ(list.lines[0].line, 100U);
}

// A flit and its virtual channel, in the wrong order.
TEST_F(NocSuspects, OfExchangedPartsBeginWithTheirLine) {
  generate("UnidirectionalTorus1D(3)", {.slots = 2});
  edit("noc_node.sv", ".payload_i({vc_i[p*VW+:VW], flit_i[p*W+:W]})",
       ".payload_i({flit_i[p*W+:W], vc_i[p*VW+:VW]})");
  const SuspectList list = suspects();
  ASSERT_FALSE(list.lines.empty()) << list.why_not;
  EXPECT_EQ(list.lines[0].finding, "is right with two of its parts exchanged");
  EXPECT_EQ(list.lines[0].line, 47U);
}

}  // namespace
}  // namespace kernbench::sim
