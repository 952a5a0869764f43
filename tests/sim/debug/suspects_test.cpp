// SPDX-License-Identifier: Apache-2.0
// The lines in front of a wrong register, each for an error of another kind in a copy of rtl/. The
// steps are those of the reference on drawn states.
#include "sim/debug/suspects.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/debug/conditions.hpp"
#include "sim/debug/drawn_states.hpp"
#include "sim/debug/steps.hpp"
#include "sim/structure/structure_file.hpp"
#include "tests/sim/structure/broken_copy.hpp"

namespace kernbench::sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

class Suspects : public structure::BrokenCopy {
 protected:
  /// Returns the path of an instance, whose module `name` is, from the top module on.
  static std::string path_to(const structure::Design& design, const structure::Module& module,
                             const std::string& name) {
    if (module.orig == name) return ".";
    for (const structure::Instance& instance : module.instances) {
      const structure::Module* inside = design.module(instance.module);
      const std::string path = inside == nullptr ? "" : path_to(design, *inside, name);
      if (!path.empty()) return "." + source_name(instance.name) + path;
    }
    return "";
  }

  /// Returns the lines for a unit, such as "irs_lp.sv:36", the likeliest first.
  std::vector<std::string> lines(const Unit& unit) {
    (void)findings();
    const std::string folder = dump_folder().parent_path().string();
    const structure::Design design(structure::read_dump(structure::dump_path(folder)));
    maze::NetworkConfig config;
    config.shape = shape_;
    config.failed = failed_;
    Recording failed;
    failed.unit = unit;
    failed.instance = "top" + path_to(design, design.top(), network_ ? "MAZE_ARRAY" : "TOPO") +
                      unit_reference(unit, config, network_)->instance();
    std::vector<Recording> drawn = draw_states(failed, config, network_);
    const auto own = std::find_if(drawn.begin(), drawn.end(),
                                  [&](const Recording& one) { return one.unit == unit; });
    own->wrong = FirstWrong{100, 0};
    SuspectList list = rank_suspects(*own, drawn, design);
    EXPECT_EQ(list.why_not, "");
    const SourceNames names = SourceNames::read(folder);
    for (Suspect& one : list.lines) one.file = names.user_text(one.file);
    std::vector<std::string> lines;
    suspects_ = with_conditions(std::move(list.lines));
    for (const Suspect& one : suspects_) {
      lines.push_back(
          fmt::format("{}:{}", std::filesystem::path(one.file).filename().string(), one.line));
    }
    return lines;
  }

  /// Returns the lines for link x[`port`] of node 0.
  std::vector<std::string> lines_of_link(unsigned port) {
    return lines({Unit::Kind::Link, {0, port}});
  }
  std::vector<std::string> lines_of_node() { return lines({Unit::Kind::Node, {0, 0}}); }
  void use_network(const maze::Shape& shape) {
    shape_ = shape;
    network_ = true;
  }

  std::optional<unsigned> failed_;
  std::vector<Suspect> suspects_;  ///< behind the lines of the last call
};

TEST_F(Suspects, OfAWrongEnableBeginWithTheCondition) {
  edit("irs_lp.sv", "    end else begin\n      main_vld_q",
       "    end else if (valid_i | ~skid_free_q) begin\n      main_vld_q");
  EXPECT_THAT(lines_of_link(1),
              ElementsAre("irs_lp.sv:53", "irs_lp.sv:54", "irs_lp.sv:49", "irs_lp.sv:51"));
}

TEST_F(Suspects, OfTwoRegistersThatShouldKeepTheirValuesBeginWithTheirBlock) {
  use_network({3, 3, 2});
  failed_ = 4;
  edit("network/maze_expand.sv", "end else if (step_i) begin", "end else begin");
  EXPECT_EQ(lines_of_node().front(), "maze_expand.sv:72");
  EXPECT_EQ(suspects_.front().missing, 1U);
  EXPECT_THAT(suspects_.front().could_read, ElementsAre("step_i"));
}

TEST_F(Suspects, OfANarrowRegisterAreItsDeclaration) {
  edit("irs_lp.sv", "  logic [PYLD_W-1:0] main_pyld_q, skid_pyld_q;\n",
       "  logic [PYLD_W-1:0] main_pyld_q;\n  logic [PYLD_W-2:0] skid_pyld_q;\n");
  EXPECT_EQ(lines_of_link(1).front(), "irs_lp.sv:33");
}

TEST_F(Suspects, OfARegisterWithANarrowNumberOfBitsBeginWithThatNumber) {
  use_network({2, 2, 2});
  edit("network/maze_arbiter.sv", "$clog2(HIGH_BOUND + 1)", "$clog2(HIGH_BOUND)");
  const std::vector<std::string> found = lines_of_node();
  ASSERT_GE(found.size(), 2U);
  EXPECT_EQ(found[0], "maze_arbiter.sv:21");
  EXPECT_EQ(found[1], "maze_arbiter.sv:25");
}

// Drawn states tell that no stage would be right if it read less.
TEST_F(Suspects, OfAReadyOfAnotherStageBeginWithTheConnection) {
  shape_ = {6, 2, 4};
  edit("irs_n.sv",
       "u_irs (\n        .clk,\n        .rst_n,\n        .valid_i  (vld[s]),\n"
       "        .ready_o  (rdy[s]),\n        .payload_i(pyld[s*PYLD_W+:PYLD_W]),\n"
       "        .valid_o  (vld[s+1]),\n        .ready_i  (rdy[s+1]),\n"
       "        .payload_o(pyld[(s+1)*PYLD_W+:PYLD_W])\n      );\n    end\n  end",
       "u_irs (\n        .clk,\n        .rst_n,\n        .valid_i  (vld[s]),\n"
       "        .ready_o  (rdy[s]),\n        .payload_i(pyld[s*PYLD_W+:PYLD_W]),\n"
       "        .valid_o  (vld[s+1]),\n        .ready_i  (rdy[IRS_DEEP]),\n"
       "        .payload_o(pyld[(s+1)*PYLD_W+:PYLD_W])\n      );\n    end\n  end");
  EXPECT_EQ(lines_of_link(2).front(), "irs_n.sv:73");
}

TEST_F(Suspects, OfAWrongSignalThatIsHandedOnBeginWithItsLine) {
  edit("irs_lp.sv", "assign payload_o = main_pyld_q;", "assign payload_o = skid_pyld_q;");
  EXPECT_EQ(lines_of_link(1).front(), "irs_lp.sv:66");
}

// A number that is wrong in two bits, in each of the routes of a node.
TEST_F(Suspects, OfANumberInALoopHaveItsLine) {
  use_network({3, 2, 2});
  edit("network/maze_route.sv", "sum >= (AX + 1)'(NX)", "sum > (AX + 1)'(NX)");
  EXPECT_THAT(lines({Unit::Kind::Node, {1, 0}}), Contains("maze_route.sv:61"));
}

/// RTL of others; only its ports are compared.
class OtherSuspects : public structure::BrokenCopy {
 protected:
  void SetUp() override {
    std::filesystem::copy(places::source("/tests/sim/structure/other_coding"), rtl());
    shape_ = {8, 8, 8};
  }
};

TEST_F(OtherSuspects, HaveTheFunctionsThatTheirLinesCall) {
  (void)findings();
  const std::string folder = dump_folder().parent_path().string();
  const structure::Design design(structure::read_dump(structure::dump_path(folder)));
  maze::NetworkConfig config;
  config.shape = shape_;
  const Unit unit{Unit::Kind::Link, {0, 1}};
  Recording recording = recording_of(unit, *unit_reference(unit, config, false), "");
  recording.wrong = FirstWrong{8, 5};
  EXPECT_EQ(recording.signals[5].label, "payload_o");
  std::vector<unsigned> lines;
  for (const Suspect& one : rank_suspects(recording, {}, design).lines) lines.push_back(one.line);
  EXPECT_THAT(lines, Contains(15U));
}

}  // namespace
}  // namespace kernbench::sim
