#include "sim/wave/gtkwave_setup.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "common/text_file.hpp"

namespace kernbench::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string setup_of(const Failure& failure) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "gtkwave";
  std::filesystem::create_directories(folder);
  write_gtkwave_setup((folder / "a.gtkw").string(), (folder / "a.fst").string(), {8, 8, 8},
                      failure);
  return common::read_text_file(folder / "a.gtkw");
}

Failure failure_on(unsigned port) {
  Failure failure;
  failure.checker = "lockstep";
  failure.kind = "valid";
  failure.cycle = 123;
  failure.link = LinkEnd{28, port};
  return failure;
}

TEST(GtkwaveSetup, NamesTheWaveRelativeToItselfAndPutsTheCursorOnTheFailingCycle) {
  const std::string text = setup_of(failure_on(3));
  EXPECT_THAT(text, HasSubstr("[dumpfile] \"a.fst\"\n"));
  EXPECT_THAT(text, HasSubstr("*-6.000000 1230 -1"));
  EXPECT_THAT(text, HasSubstr("-cycle 123: lockstep: valid\n"));
  EXPECT_THAT(text, HasSubstr("TOP.maze_tb_top.clk_i\n"));
  EXPECT_THAT(text, HasSubstr("TOP.maze_tb_top.rst_ni\n"));
}

TEST(GtkwaveSetup, ShowsBothEndsOfTheLinkAndEachOfItsStages) {
  const std::string text = setup_of(failure_on(3));
  const std::string link = "TOP.maze_tb_top.u_topo.g_y[3].g_x[4].g_xlink[3].u_irs";
  EXPECT_THAT(text, HasSubstr("-source: node 28 (y=3,x=4) x[3]\n@28\n" + link + ".valid_i\n"));
  EXPECT_THAT(text,
              HasSubstr("-IRS stage 3 of 3\n@28\n" + link + ".g_stage[2].g_lp.u_irs.valid_o\n"));
  EXPECT_THAT(text, HasSubstr("-sink: node 24 (y=3,x=0) x[3]\n@28\n" + link + ".valid_o\n"));
}

TEST(GtkwaveSetup, DecodesTheFieldsOfAPacket) {
  const std::string text = setup_of(failure_on(7));
  const std::string payload =
      "TOP.maze_tb_top.u_topo.g_y[3].g_x[4].g_ylink[0].u_irs.payload_i[22:0]";
  EXPECT_THAT(text, HasSubstr("#{type[1:0]} (0)" + payload + " (1)" + payload + "\n"));
  EXPECT_THAT(text, HasSubstr("#{qos[0:0]} (2)" + payload + "\n"));
  EXPECT_THAT(text, HasSubstr("#{src_y[2:0]} (3)" + payload + " (4)" + payload + " (5)" + payload));
  EXPECT_THAT(text, Not(HasSubstr("IRS stage")));  // y[0] is a wire
}

TEST(GtkwaveSetup, OfAFailureWithoutALinkShowsClockAndReset) {
  Failure failure = failure_on(0);
  failure.link.reset();
  EXPECT_THAT(setup_of(failure), Not(HasSubstr("u_topo")));
}

}  // namespace
}  // namespace kernbench::sim
