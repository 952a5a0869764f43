// SPDX-License-Identifier: Apache-2.0
#include "topology/rtl/generated_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::topology {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class GeneratedFolder : public ::testing::Test {
 protected:
  void append(const std::string& name) const { std::ofstream(out() / name, std::ios::app) << "x"; }
  [[nodiscard]] std::string error_of(const std::vector<GeneratedFile>& files) const {
    try {
      write_generated_folder(out(), files);
    } catch (const common::BadInput& error) {
      return error.what();
    }
    return "";
  }
  [[nodiscard]] std::vector<std::string> names(const fs::path& folder) const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder)) {
      found.push_back(entry.path().filename().string());
    }
    std::ranges::sort(found);
    return found;
  }

  common::TempFolder folder_;
  [[nodiscard]] fs::path out() const { return folder_.path() / "deep/out"; }
  const std::vector<GeneratedFile> one_{{"a.sv", "module a;\n"}, {"b.f", "a.sv\n"}};
};

TEST_F(GeneratedFolder, HasTheFilesAndTheirList) {
  write_generated_folder(out(), one_);
  EXPECT_THAT(names(out()), ElementsAre("GENERATED", "a.sv", "b.f"));
  EXPECT_THAT(names(out().parent_path()), ElementsAre("out"));
  EXPECT_EQ(common::read_text_file(out() / "a.sv"), "module a;\n");
  EXPECT_THAT(differences_of_folder(out(), one_), IsEmpty());
}

TEST_F(GeneratedFolder, IsReplacedAsAWhole) {
  write_generated_folder(out(), one_);
  write_generated_folder(out(), {{"c.sv", "module c;\n"}});
  EXPECT_THAT(names(out()), ElementsAre("GENERATED", "c.sv"));
  EXPECT_THAT(names(out().parent_path()), ElementsAre("out"));
}

TEST_F(GeneratedFolder, IsWrittenThroughALink) {
  fs::create_directories(folder_.path() / "real");
  fs::create_directory_symlink(folder_.path() / "real", folder_.path() / "link");
  write_generated_folder(folder_.path() / "link", one_);
  EXPECT_TRUE(fs::is_symlink(folder_.path() / "link"));
  EXPECT_THAT(names(folder_.path() / "real"), ElementsAre("GENERATED", "a.sv", "b.f"));
}

TEST_F(GeneratedFolder, DifferencesNameEachFile) {
  write_generated_folder(out(), one_);
  append("a.sv");
  append("mine.txt");
  fs::remove(out() / "b.f");
  EXPECT_THAT(differences_of_folder(out(), one_),
              ElementsAre("a.sv: edited by hand", "b.f: missing", "mine.txt: not generated"));
}

TEST_F(GeneratedFolder, DifferencesTellOtherInputsFromEdits) {
  write_generated_folder(out(), one_);
  EXPECT_THAT(differences_of_folder(out(), {{"a.sv", "module z;\n"}, {"b.f", "a.sv\n"}}),
              ElementsAre("a.sv: generated from something else"));
  append("GENERATED");
  EXPECT_THAT(differences_of_folder(out(), one_), ElementsAre("GENERATED: edited by hand"));
}

TEST_F(GeneratedFolder, FilesOfOthersAreLeftAlone) {
  write_generated_folder(out(), one_);
  append("mine.txt");
  append("a.sv");
  EXPECT_EQ(error_of(one_), "error: " + (out() / "a.sv").string() +
                                " was edited by hand; name another folder, or delete it\n"
                                "error: " +
                                (out() / "mine.txt").string() +
                                " was not generated; name another folder, or move it away");
  EXPECT_EQ(common::read_text_file(out() / "a.sv"), "module a;\nx");
  EXPECT_THAT(names(out()), ElementsAre("GENERATED", "a.sv", "b.f", "mine.txt"));
  EXPECT_THAT(names(out().parent_path()), ElementsAre("out"));
}

TEST_F(GeneratedFolder, AFolderThatWasNotGeneratedIsRefused) {
  fs::create_directories(out());
  append("GENERATED");
  EXPECT_EQ(error_of(one_), "error: " + (out() / "GENERATED").string() +
                                " was not generated; name another folder, or move it away");
}

TEST_F(GeneratedFolder, AnEmptyFolderIsFilled) {
  fs::create_directories(out());
  EXPECT_EQ(error_of(one_), "");
  EXPECT_THAT(differences_of_folder(out(), one_), IsEmpty());
}

TEST_F(GeneratedFolder, AnEmptyFolderDiffersInEachFile) {
  fs::create_directories(out());
  EXPECT_THAT(differences_of_folder(out(), one_), ElementsAre("a.sv: missing", "b.f: missing"));
}

TEST_F(GeneratedFolder, AFileInItsPlaceIsRefused) {
  fs::create_directories(out().parent_path());
  std::ofstream(out()) << "x";
  EXPECT_EQ(error_of(one_), "error: " + out().string() + " is not a folder");
  EXPECT_THROW((void)differences_of_folder(out(), one_), common::BadInput);
}

}  // namespace
}  // namespace kernbench::topology
