// SPDX-License-Identifier: Apache-2.0
// The folders include one another in one direction only.
#include "layering.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/text_file.hpp"
#include "tests/places.hpp"

namespace kernbench::docs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<SourceFile> sources() {
  return repository_files(
      {"common", "maze", "plot", "farm", "topology", "model", "sim", "cosim", "cli", "python",
       "rtl", "tb", "include", "examples", "docs", "tests", "benchmarks"},
      {".cpp", ".hpp", ".sv"});
}

TEST(Layering, HoldsInTheWholeRepository) {
  EXPECT_THAT(sources(), SizeIs(testing::Ge(100U)));
  EXPECT_THAT(check_layering(sources()), IsEmpty());
}

TEST(Layering, IsThatOfTheTableForDevelopers) {
  EXPECT_THAT(wrong_layer_rows(
                  common::read_text_file(places::source("/docs/developer/developer-guide.md"))),
              IsEmpty());
  EXPECT_THAT(wrong_layer_rows("| `farm/` | sweeps | `common/`, `plot/` |\n"
                               "| `common/` | all | |\n| `maze/` | planes | `common/` |\n"),
              ElementsAre("farm/ may include `plot/`, `common/`"));
}

TEST(Layering, EachVerilatedTopHasOneOwner) {
  std::vector<std::string> owners;
  for (const SourceFile& file : sources()) {
    if (file.path.ends_with(".cpp") && file.text.find("\n#include <V") != std::string::npos) {
      owners.push_back(file.path);
    }
  }
  EXPECT_THAT(owners, Contains("sim/dut/verilated_maze_dut.cpp").Times(1));
  for (const std::string& owner : owners) {
    EXPECT_TRUE(owner.starts_with("sim/dut/") || owner.starts_with("tests/")) << owner;
  }
}

TEST(LayeringCheck, NoticesAnIncludeOfAHigherLayer) {
  EXPECT_THAT(check_layering({{"common/a.hpp", "#include \"sim/harness/harness.hpp\"\n"}}),
              ElementsAre("common/a.hpp may not include sim/harness/harness.hpp"));
  EXPECT_THAT(check_layering({{"topology/a.cpp", "#include <map>\n#  include \"model/x.hpp\"\n"}}),
              ElementsAre("topology/a.cpp may not include model/x.hpp"));
  EXPECT_THAT(check_layering({{"farm/a.cpp", "#include \"topology/spec/b.hpp\"\n"}}),
              ElementsAre("farm/a.cpp may not include topology/spec/b.hpp"));
  EXPECT_THAT(check_layering({{"sim/a.cpp", "#include \"cli/command.hpp\"\n"}}),
              ElementsAre("sim/a.cpp may not include cli/command.hpp"));
}

TEST(LayeringCheck, LetsTheRtlBenchSeeTheLinkMapAndNothingElseOfTheTopology) {
  EXPECT_THAT(check_layering({{"sim/check/a.cpp",
                               "#include \"topology/maze_links.hpp\"\n"
                               "#include \"topology/graph/view.hpp\"\n"
                               "#include \"model/engine/event.hpp\"\n"}}),
              ElementsAre("sim/check/a.cpp may not include topology/graph/view.hpp",
                          "sim/check/a.cpp may not include model/engine/event.hpp"));
  EXPECT_THAT(check_layering({{"model/a.cpp", "#include \"sim/failure.hpp\"\n"}}),
              ElementsAre("model/a.cpp may not include sim/failure.hpp"));
}

TEST(LayeringCheck, NoticesThatTheReferenceUsesTheLinkMap) {
  EXPECT_THAT(check_layering({{"maze/a.cpp", "#include \"topology/maze_links.hpp\"\n"},
                              {"model/fabric/b.cpp", "#include \"topology/maze_links.hpp\"\n"}}),
              ElementsAre("maze/a.cpp may not include topology/maze_links.hpp"));
}

TEST(LayeringCheck, NoticesACircleOfFoldersAtAnyDepth) {
  EXPECT_THAT(
      check_layering({{"sim/cover/a.hpp", "#include \"sim/report/b.hpp\"\n"},
                      {"sim/report/c.hpp", "#include \"sim/regression/d.hpp\"\n"},
                      {"sim/regression/e.cpp", "#include \"sim/cover/f.hpp\"\n"}}),
      ElementsAre("folders in a circle: sim/cover -> sim/report -> sim/regression -> sim/cover "
                  "(sim/cover/a.hpp includes sim/report/b.hpp; "
                  "sim/report/c.hpp includes sim/regression/d.hpp; "
                  "sim/regression/e.cpp includes sim/cover/f.hpp)"));
  EXPECT_THAT(
      check_layering({{"model/fabric/seam/a.hpp", "#include \"model/fabric/trace/b.hpp\"\n"},
                      {"model/fabric/trace/c.hpp", "#include \"model/fabric/seam/d.hpp\"\n"}}),
      ElementsAre(testing::StartsWith("folders in a circle: model/fabric/seam -> "
                                      "model/fabric/trace -> model/fabric/seam (")));
  // Between a folder and one inside it, and between folders whose parts have no circle.
  EXPECT_THAT(check_layering({{"topology/a.hpp", "#include \"topology/graph/b.hpp\"\n"},
                              {"topology/graph/c.hpp", "#include \"topology/d.hpp\"\n"}}),
              ElementsAre(testing::StartsWith("folders in a circle: topology -> topology/graph")));
  EXPECT_THAT(check_layering({{"model/fabric/a/a.hpp", "#include \"model/trace/a/b.hpp\"\n"},
                              {"model/trace/b/c.hpp", "#include \"model/fabric/b/d.hpp\"\n"}}),
              ElementsAre(testing::StartsWith("folders in a circle: model/fabric -> model/trace")));
}

TEST(LayeringCheck, NoticesASecondOwnerOfAVerilatedTop) {
  EXPECT_THAT(check_layering({{"sim/a.cpp", "#include <Vmaze_tb_top.h>\n"},
                              {"sim/b.cpp", "#include \"Vmaze_tb_top.h\"\n"}}),
              ElementsAre("Vmaze_tb_top.h is included by 2 sources"));
}

TEST(LayeringCheck, NoticesAnIncludeThatIsNotRooted) {
  EXPECT_THAT(
      check_layering({{"sim/check/a.cpp", "#include \"lockstep.hpp\"\n"}}),
      ElementsAre("sim/check/a.cpp includes lockstep.hpp, which is not rooted at the repository"));
}

}  // namespace
}  // namespace kernbench::docs
