// The folders include one another in one direction only.
#include "layering.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernbench::docs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<SourceFile> sources() {
  return repository_files(
      {"common", "topology", "model", "sim", "cli", "rtl", "tb", "tests", "benchmarks"},
      {".cpp", ".hpp", ".sv"});
}

TEST(Layering, HoldsInTheWholeRepository) {
  EXPECT_THAT(sources(), SizeIs(testing::Ge(100U)));
  EXPECT_THAT(check_layering(sources()), IsEmpty());
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
  EXPECT_THAT(check_layering({{"sim/a.cpp", "#include \"cli/command.hpp\"\n"}}),
              ElementsAre("sim/a.cpp may not include cli/command.hpp"));
}

TEST(LayeringCheck, NoticesThatTheReferenceUsesTheLinkMap) {
  EXPECT_THAT(check_layering({{"model/maze/a.cpp", "#include \"topology/maze_links.hpp\"\n"},
                              {"model/fabric/b.cpp", "#include \"topology/maze_links.hpp\"\n"}}),
              ElementsAre("model/maze/a.cpp may not include topology/maze_links.hpp"));
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
