// SPDX-License-Identifier: Apache-2.0
#include "sim/build/manifest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "common/diagnostics.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ManifestOfFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.path() / "one");
    fs::create_directories(folder_.path() / "two");
    (void)folder_.write("one/a.svh", "a\n");
    (void)folder_.write("two/b.svh", "b\n");
    names_.add("kb_inc/0", folder_.path() / "one");
    names_.add("kb_inc/1", folder_.path() / "two");
    manifest_.recipe = "recipe";
    for (const char* name : {"kb_inc/0/a.svh", "kb_inc/1/b.svh"}) {
      manifest_.files.emplace_back(name, *content_hash(names_.path_of(name)));
    }
    manifest_.absent = {"kb_inc/0/b.svh"};
    manifest_.hash = build_hash(manifest_.recipe, manifest_.files);
  }

  common::TempFolder folder_;
  SourceNames names_;
  Manifest manifest_;
};

TEST_F(ManifestOfFiles, IsCurrentUntilAFileChanges) {
  ASSERT_TRUE(is_current(manifest_, "recipe", names_));
  EXPECT_FALSE(is_current(manifest_, "another", names_));
  (void)folder_.write("two/b.svh", "c\n");
  EXPECT_FALSE(is_current(manifest_, "recipe", names_));
  (void)folder_.write("two/b.svh", "b\n");
  EXPECT_TRUE(is_current(manifest_, "recipe", names_));
  fs::remove(folder_.path() / "two/b.svh");
  EXPECT_FALSE(is_current(manifest_, "recipe", names_));
}

TEST_F(ManifestOfFiles, IsNotCurrentWhenAFileAppearsThatWouldBeFoundEarlier) {
  (void)folder_.write("one/b.svh", "b\n");
  EXPECT_FALSE(is_current(manifest_, "recipe", names_));
}

TEST_F(ManifestOfFiles, IsCurrentForTheSameFilesElsewhere) {
  const common::TempFolder other;
  fs::copy(folder_.path(), other.path(), fs::copy_options::recursive);
  SourceNames names;
  names.add("kb_inc/0", other.path() / "one");
  names.add("kb_inc/1", other.path() / "two");
  EXPECT_TRUE(is_current(manifest_, "recipe", names));
}

TEST_F(ManifestOfFiles, IsKeptOnDisk) {
  manifest_.files.emplace_back("kb_inc/0/odd\n\\name", "0123456789abcdef");
  const fs::path path = folder_.path() / "manifest";
  write_manifest(path, manifest_);
  const auto read = read_manifest(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->hash, manifest_.hash);
  EXPECT_EQ(read->recipe, manifest_.recipe);
  EXPECT_EQ(read->files, manifest_.files);
  EXPECT_EQ(read->absent, manifest_.absent);
}

TEST_F(ManifestOfFiles, IsNotReadWhenItIsDamagedOrNamesNoFile) {
  const fs::path path = folder_.path() / "manifest";
  EXPECT_FALSE(read_manifest(path));
  for (const char* text : {"", "hash\n", "hash\nrecipe r\nend\n", "hash\nrecipe r\nfile\nend\n",
                           "hash\nrecipe r\nfile 0123456789abcdef kb_root/a\n",
                           "hash\nwhat\nfile 0123456789abcdef kb_root/a\nend\n"}) {
    std::ofstream(path) << text;
    EXPECT_FALSE(read_manifest(path)) << text;
  }
}

TEST(FilesRead, AreThoseOfVerilatorsList) {
  const common::TempFolder folder;
  // As Verilator 5.006 and 5.051 write it.
  const std::string old = folder.write("old.dat",
                                       "# DESCRIPTION: Verilator output\nC \"-f model.args\"\n"
                                       "S  12 1 2 3 4 5 \"kb_inc/0/a b\".svh\"\n"
                                       "T  12 1 2 3 4 5 \"gen/V.cpp\"\n"
                                       "S  12 1 2 3 4 5 \"/abs/odd\nname.sv\"\n");
  EXPECT_THAT(files_read(old), ElementsAre("/abs/odd\nname.sv", "kb_inc/0/a b\".svh"));
  const std::string newer =
      folder.write("new.dat", "S  12 1 2 3 4 5 \"BlBePQGQ\" \"kb_inc/0/a b.svh\"\n");
  EXPECT_THAT(files_read(newer), ElementsAre("kb_inc/0/a b.svh"));
}

TEST(FilesRead, RefusesAListThatNamesNothing) {
  const common::TempFolder folder;
  const std::string empty = folder.write("empty.dat", "# DESCRIPTION\n");
  for (const std::string& list : {empty, folder.path().string() + "/missing.dat"}) {
    try {
      (void)files_read(list);
      ADD_FAILURE() << list;
    } catch (const common::BadInput& error) {
      EXPECT_EQ(std::string(error.what()),
                "error: " + list + ": Verilator does not tell which files it has read");
    }
  }
}

TEST(NamesBefore, AreThoseInFoldersAndOfSuffixesThatAreSearchedFirst) {
  const std::vector<std::string> folders = {"kb_inc/0", "kb_inc/1"};
  const std::vector<std::string> suffixes = {"", ".v", ".sv"};
  EXPECT_THAT(names_before("kb_inc/1/cfg/a.svh", folders, suffixes),
              ElementsAre("kb_inc/0/cfg/a.svh", "kb_inc/0/cfg/a.svh.v", "kb_inc/0/cfg/a.svh.sv"));
  EXPECT_THAT(names_before("kb_inc/0/sub.sv", folders, suffixes),
              ElementsAre("kb_inc/0/sub", "kb_inc/0/sub.v"));
  EXPECT_THAT(names_before("kb_src/0/topo.sv", folders, suffixes), IsEmpty());
}

}  // namespace
}  // namespace kernbench::sim
