// SPDX-License-Identifier: Apache-2.0
// Names of nodes have one owner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node_names_check.hpp"

namespace kernbench::docs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(NodeNames, AreBuiltAndTakenApartInOnePlace) {
  const std::vector<SourceFile> files = repository_files(
      {"common", "maze", "plot", "farm", "topology", "model", "sim", "cosim", "cli", "python",
       "include", "examples", "docs", "benchmarks", "scripts", "viewer"},
      {".cpp", ".hpp", ".py", ".js"});
  ASSERT_THAT(files, SizeIs(testing::Ge(500U)));
  EXPECT_THAT(check_node_names(files), IsEmpty());
}

TEST(NodeNamesCheck, NoticesEveryWayToMakeOne) {
  const auto found = [](const char* path, const char* line) {
    return !check_node_names({{path, line}}).empty();
  };
  for (const char* line :
       {R"(fmt::format("sip{}.cube{}.pe{}", a, b, c);)", R"(name += fmt::format(".pe{}", pe);)",
        R"(fmt::format("{}.cube{}", sip, cube);)", R"(resolver.node("sip0.cube0.pe0.pe_dma");)",
        R"(find("sip0");)", R"(graph.find("fabric.switch0");)", R"(prefix + ".pe_dma")",
        R"(fmt::format("{}.noc.r{}c{}", cube, row, column))", R"(name.starts_with("sip"))",
        R"(cube + ".hbm_ctrl.pe" + std::to_string(pe))"}) {
    EXPECT_TRUE(found("model/a.cpp", line)) << line;
  }
  EXPECT_TRUE(found("farm/a.py", "node = f'sip{sip}.cube{cube}'"));
  for (const char* line : {"const of = `sip${i}`;", "of.split('.')", "/^cube\\d+$/.test(part)"}) {
    EXPECT_TRUE(found("viewer/a.js", line)) << line;
  }
}

TEST(NodeNamesCheck, LetsSentencesAndTheOwnerPass) {
  EXPECT_THAT(check_node_names(
                  {{"cli/a.cpp",
                    "\"Node to show, such as sip0.cube0.m_cpu\"\n/// Returns \"sip0.cube3\".\n"
                    "  int x;  // \"sip0\"\n"},
                   {"topology/graph/node_names.cpp", "return fmt::format(\"sip{}\", sip);\n"}}),
              IsEmpty());
  EXPECT_THAT(check_node_names({{"cli/a.cpp", "int a;\n  use(\"sip0\");\n"}}),
              ElementsAre("cli/a.cpp:2: use(\"sip0\");"));
}

}  // namespace
}  // namespace kernbench::docs
