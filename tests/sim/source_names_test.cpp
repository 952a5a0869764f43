// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/source_names.hpp"

#include <gtest/gtest.h>

#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

SourceNames example() {
  SourceNames names;
  names.add("kb_root", "/check out");
  names.add("kb_inc/1", "/in c");
  names.add("kb_src/1/topo.sv", "/a/to po.sv");
  names.add("kb_src/12/topo.sv", "/b/topo.sv");
  return names;
}

TEST(SourceNames, AreReplacedInMessages) {
  const SourceNames names = example();
  EXPECT_EQ(names.user_text("%Error: kb_src/1/topo.sv:3:4: no 'x' in kb_inc/1/cfg/a.svh"),
            "%Error: /a/to po.sv:3:4: no 'x' in /in c/cfg/a.svh");
  EXPECT_EQ(names.user_text("kb_src/12/topo.sv"), "/b/topo.sv");
  EXPECT_EQ(names.user_text("kb_root/rtl/topo.sv"), "/check out/rtl/topo.sv");
  // These are other words.
  for (const char* text : {"kb_inc/12", "kb_rooted", "kb_src/1/topo.svh", "kb", "", "topo.sv:3"}) {
    EXPECT_EQ(names.user_text(text), text);
  }
}

TEST(SourceNames, OfTheRepositoryAreRelativeToTheCurrentFolder) {
  SourceNames names;
  names.add("kb_root", fs::current_path());
  names.add("kb_inc/0", fs::current_path());
  EXPECT_EQ(names.user_text("kb_root/rtl/topo.sv:1"), "rtl/topo.sv:1");
  EXPECT_EQ(names.user_text("kb_inc/0/a.svh"), fs::current_path().string() + "/a.svh");
}

TEST(SourceNames, LeadToTheUsersFiles) {
  const SourceNames names = example();
  EXPECT_EQ(names.path_of("kb_inc/1/../b.h"), "/in c/../b.h");
  EXPECT_EQ(names.path_of("kb_src/1/topo.sv"), "/a/to po.sv");
  EXPECT_EQ(names.path_of("/absolute.h"), "/absolute.h");
}

TEST(SourceNames, AreKeptWhateverCharactersThePathsHave) {
  const common::TempFolder folder;
  SourceNames names;
  names.add("kb_src/0/source.sv", "/a\n b\\'\"$(c)`\xff.sv");
  names.write(folder.path());
  EXPECT_EQ(SourceNames::read(folder.path()).all(), names.all());
  EXPECT_TRUE(SourceNames::read(folder.path() / "nowhere").all().empty());
}

}  // namespace
}  // namespace kernbench::sim
