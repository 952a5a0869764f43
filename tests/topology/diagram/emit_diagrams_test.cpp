// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/emit_diagrams.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/text_file.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/places.hpp"
#include "topology/diagram/view_renderer.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class EmitDiagrams : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(places::kBuild) / "tests" / "emit_diagrams" / test.name();
    fs::remove_all(folder_);
  }

  fs::path folder_;
};

TEST_F(EmitDiagrams, WritesTheViewsThatTheSpecNames) {
  const TopologyGraph graph = compile_topology({});
  EXPECT_THAT(emit_diagrams(graph, folder_),
              ElementsAre(folder_ / "system_view.svg", folder_ / "sip_view.svg",
                          folder_ / "cube_view.svg"));
  EXPECT_EQ(common::read_text_file(folder_ / "cube_view.svg"), render_view_svg(graph.cube_view()));
  EXPECT_FALSE(fs::exists(folder_ / "pe_view.svg"));
}

TEST_F(EmitDiagrams, AddsThePeViewOnRequest) {
  TopologySpec spec;
  spec.emit_views = {ViewLevel::Sip};
  EXPECT_THAT(emit_diagrams(compile_topology(spec), folder_, true),
              ElementsAre(folder_ / "sip_view.svg", folder_ / "pe_view.svg"));
}

TEST_F(EmitDiagrams, WritesThePeViewOnceWhenTheSpecNamesItToo) {
  TopologySpec spec;
  spec.emit_views = {ViewLevel::Pe, ViewLevel::System};
  EXPECT_THAT(emit_diagrams(compile_topology(spec), folder_, true),
              ElementsAre(folder_ / "system_view.svg", folder_ / "pe_view.svg"));
}

TEST_F(EmitDiagrams, RefusesAFolderThatIsAFile) {
  fs::create_directories(folder_.parent_path());
  std::ofstream(folder_) << "a file";
  EXPECT_EQ(common::bad_input_of([&] { emit_diagrams(compile_topology({}), folder_); }),
            "error: cannot create folder '" + folder_.string() + "': Not a directory");
}

}  // namespace
}  // namespace kernbench::topology
