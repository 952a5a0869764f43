// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/drawn_states.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "sim/debug/steps.hpp"
#include "sim/structure/structure_file.hpp"
#include "tests/sim/structure/broken_copy.hpp"

namespace kernbench::sim {
namespace {

class DrawnStates : public structure::BrokenCopy {
 protected:
  void SetUp() override {
    BrokenCopy::SetUp();
    shape_ = {3, 2, 2};
    network_ = true;
  }

  struct Counts {
    std::size_t wrong = 0;
    std::size_t right = 0;
  };
  /// Executes drawn states on the nodes of the RTL.
  Counts executed(std::optional<unsigned> failed_node) {
    (void)findings();
    const std::string folder = dump_folder().parent_path().string();
    const structure::Design design(structure::read_dump(structure::dump_path(folder)));
    const auto core =
        std::find_if(design.modules().begin(), design.modules().end(),
                     [](const auto& module) { return module.second.orig == "MAZE_CORE"; });
    if (core == design.modules().end()) return {};
    structure::ModuleLogics logics(design);
    structure::Simulation simulation(logics, core->second);
    Steps steps(simulation);
    maze::NetworkConfig config;
    config.shape = shape_;
    config.failed = failed_node;
    Recording failed;
    failed.unit = {Unit::Kind::Node, {0, 0}};
    failed.instance = unit_reference(failed.unit, config, true)->instance();
    for (const Recording& states : draw_states(failed, config, true)) steps.add_drawn(states, 1000);
    return {steps.wrong().size(), steps.right().size()};
  }
};

// Each of the 160 cycles of each of the six nodes.
TEST_F(DrawnStates, ComeOutRightOnTheNodes) {
  const Counts counts = executed(std::nullopt);
  EXPECT_EQ(counts.wrong, 0U);
  EXPECT_EQ(counts.right, 960U);
}

TEST_F(DrawnStates, ComeOutRightAroundAFailedNode) {
  const Counts counts = executed(4);
  EXPECT_EQ(counts.wrong, 0U);
  EXPECT_EQ(counts.right, 960U);
}

TEST_F(DrawnStates, ComeOutWrongOnABrokenNode) {
  edit("network/maze_fork.sv", "done_q | grant_i", "grant_i");
  EXPECT_NE(executed(std::nullopt).wrong, 0U);
}

}  // namespace
}  // namespace kernbench::sim
