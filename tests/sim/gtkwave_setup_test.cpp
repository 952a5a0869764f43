// SPDX-License-Identifier: Apache-2.0
#include "sim/wave/gtkwave_setup.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "common/text_file.hpp"
#include "sim/wave/save_file.hpp"
#include "sim/wave/wave_window.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kBench = "TOP.maze_tb_top.";

std::string big_endian(std::uint64_t value) {
  std::string text;
  for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 255U);
  return text;
}

std::string scope(const std::string& name) {
  return std::string("\xfe\0", 2) + name + std::string("\0\0", 2);
}

std::string signal(const std::string& name) {
  return std::string("\x10\0", 2) + name + std::string("\0\x01\0", 3);
}

/// Returns an LZ4 block of literals only.
std::string literals(const std::string& text) {
  std::string out = "\xf0";
  std::size_t rest = text.size() - 15;
  for (; rest >= 255; rest -= 255) out += '\xff';
  return out + static_cast<char>(rest) + text;
}

/// Returns an FST that ends at `last` and has these signals in the bench.
std::string fst(std::uint64_t last, const std::vector<std::string>& signals) {
  const std::string up = "\xff";
  std::string hierarchy = scope("TOP") + scope("maze_tb_top");
  for (const std::string& name : signals) {
    std::string ends;
    std::size_t begin = 0;
    for (std::size_t dot; (dot = name.find('.', begin)) != std::string::npos; begin = dot + 1) {
      hierarchy += scope(name.substr(begin, dot - begin));
      ends += up;
    }
    hierarchy += signal(name.substr(begin)) + ends;
  }
  hierarchy += up + up;
  const std::string block = literals(hierarchy);
  return std::string("\0", 1) + big_endian(24) + big_endian(0) + big_endian(last) + "\x06" +
         big_endian(block.size() + 16) + big_endian(hierarchy.size()) + block;
}

Failure failure_on(unsigned port) {
  Failure failure;
  failure.checker = "lockstep";
  failure.kind = "valid";
  failure.cycle = 123;
  failure.link = LinkEnd{28, port};
  return failure;
}

class GtkwaveSetup : public ::testing::Test {
 protected:
  [[nodiscard]] std::string setup_of(const Failure& failure, const std::string& dump,
                                     bool fault = false) const {
    (void)folder_.write("a.fst", dump);
    write_gtkwave_setup(at("a.gtkw"), at("a.fst"), {8, 8, 8}, failure, fault);
    return common::read_text_file(at("a.gtkw"));
  }
  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }

  common::TempFolder folder_;
};

TEST_F(GtkwaveSetup, NamesTheDumpAbsolutelyAndPutsTheMarkerOnTheFailingCycle) {
  const std::string text = setup_of(failure_on(3), fst(4000, {"clk_i", "rst_ni"}));
  EXPECT_THAT(text, HasSubstr("[dumpfile] \"" + at("a.fst") + "\"\n"));
  EXPECT_THAT(text, HasSubstr("[timestart] 1010\n*-6.600000 1230 -1"));
  EXPECT_THAT(text, HasSubstr("-cycle 123: lockstep: valid\n"));
  EXPECT_THAT(text, HasSubstr("+{clk} TOP.maze_tb_top.clk_i\n"));
  EXPECT_THAT(text, HasSubstr("+{rst_n} TOP.maze_tb_top.rst_ni\n"));
}

TEST_F(GtkwaveSetup, StartsEarlierWhereTheWindowWouldReachBeyondTheEndOfTheDump) {
  EXPECT_THAT(setup_of(failure_on(3), fst(1500, {})), HasSubstr("[timestart] 850\n"));
  EXPECT_THAT(setup_of(failure_on(3), fst(400, {})), HasSubstr("[timestart] 0\n"));
}

TEST_F(GtkwaveSetup, ShowsTheNodesAtBothEndsOfALinkAsScopesOfElements) {
  // As Verilator 5.051 writes unpacked arrays.
  const std::string text =
      setup_of(failure_on(3),
               fst(4000, {"node_if[28].xo_vld.xo_vld[3]", "node_if[24].xi_type.xi_type[3] [1:0]"}));
  EXPECT_THAT(text, HasSubstr("+{xo_vld[3]} TOP.maze_tb_top.node_if[28].xo_vld.xo_vld[3]\n"));
  EXPECT_THAT(text,
              HasSubstr("+{xi_type[3]} TOP.maze_tb_top.node_if[24].xi_type.xi_type[3][1:0]\n"));
}

TEST_F(GtkwaveSetup, ShowsTheNodesAtBothEndsOfALinkAsUnpackedArrays) {
  // x[3] leads from node 28 to node 24.
  const std::string text =
      setup_of(failure_on(3), fst(4000, {"node_if[28].xo_vld[3]", "node_if[28].xo_src[3] [5:0]",
                                         "node_if[24].xi_type[3] [1:0]", "expected_rdy_i"}));
  EXPECT_THAT(text, HasSubstr("-source: node 28 (y=3,x=4) x[3]\n@28\n+{xo_vld[3]} " +
                              std::string(kBench) + "node_if[28].xo_vld[3]\n"));
  EXPECT_THAT(text, HasSubstr("@30\n+{xo_src[3] (yx)} " + std::string(kBench) +
                              "node_if[28].xo_src[3][5:0]\n"));
  EXPECT_THAT(text, HasSubstr("@2022\n^1 " + at("packet-types.txt") + "\n+{xi_type[3]} " +
                              std::string(kBench) + "node_if[24].xi_type[3][1:0]\n"));
  EXPECT_THAT(text,
              HasSubstr("[color] 2\n+{expected rdy} " + std::string(kBench) + "expected_rdy_i\n"));
  EXPECT_EQ(common::read_text_file(at("packet-types.txt")),
            "0 unicast\n1 x_multicast\n2 y_multicast\n3 broadcast\n");
}

TEST_F(GtkwaveSetup, ShowsTheElementsOfPackedArrays) {
  const std::string text =
      setup_of(failure_on(3), fst(4000, {"node_if[28].xo_vld [6:0]", "node_if[24].xi_vld [0:6]",
                                         "node_if[28].xo_type [13:0]"}));
  const std::string source = std::string(kBench) + "node_if[28].";
  EXPECT_THAT(text, HasSubstr("+{xo_vld[3]} (3)" + source + "xo_vld[6:0]\n"));
  EXPECT_THAT(text,
              HasSubstr("+{xi_vld[3]} (3)" + std::string(kBench) + "node_if[24].xi_vld[0:6]\n"));
  EXPECT_THAT(text, HasSubstr("#{xo_type[3]} (6)" + source + "xo_type[13:0] (7)" + source +
                              "xo_type[13:0]\n"));
}

TEST_F(GtkwaveSetup, LeavesOutStagesThatTheDesignDoesNotHave) {
  const std::string stage = "u_topo.g_y[3].g_x[4].g_xlink[3].u_irs.g_stage[2].g_lp.u_irs.";
  EXPECT_THAT(setup_of(failure_on(3), fst(4000, {stage + "valid_o"})),
              HasSubstr("@c00200\n-IRS stage 3 of 3\n@1401200\n-group_end\n@28\n"
                        "+{stage 3 valid_o} " +
                        std::string(kBench) + stage + "valid_o\n"));
  EXPECT_THAT(setup_of(failure_on(3), fst(4000, {})), Not(HasSubstr("IRS stage")));
}

TEST_F(GtkwaveSetup, OfAnInjectedFaultShowsWhatTheCheckersSaw) {
  const std::string dump = fst(4000, {"want_vld_i", "seen_vld_i", "seen_pkt_i [63:0]"});
  const std::string with = setup_of(failure_on(3), dump, true);
  EXPECT_THAT(with, HasSubstr("+{want vld} "));
  EXPECT_THAT(with, HasSubstr("+{seen vld} "));
  EXPECT_THAT(with, HasSubstr("#{seen type} (41)" + std::string(kBench) + "seen_pkt_i[63:0] (42)"));
  EXPECT_THAT(setup_of(failure_on(3), dump), Not(HasSubstr("seen")));
}

TEST_F(GtkwaveSetup, OfAFailureWithoutALinkShowsClockAndReset) {
  Failure failure = failure_on(0);
  failure.link.reset();
  EXPECT_THAT(setup_of(failure, fst(4000, {"node_if[28].xo_vld[0]"})), Not(HasSubstr("node_if")));
}

TEST_F(GtkwaveSetup, TheCommandOpensItFromAnyFolder) {
  EXPECT_EQ(view_command("/a b/./c.gtkw"), "gtkwave '/a b/c.gtkw'");
  EXPECT_THAT(view_command("c.gtkw"), HasSubstr("gtkwave /"));
}

TEST_F(GtkwaveSetup, ADamagedDumpHasNoSignals) {
  const std::string whole = fst(4000, {"clk_i", "rst_ni"});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(read_fst(folder_.write("cut.fst", whole.substr(0, size))).signals, IsEmpty());
  }
  EXPECT_EQ(read_fst(folder_.write("whole.fst", whole)).signals.size(), 2U);
}

}  // namespace
}  // namespace kernbench::sim
