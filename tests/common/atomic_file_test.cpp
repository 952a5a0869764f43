// SPDX-License-Identifier: Apache-2.0
#include "common/atomic_file.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "common/text_file.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::common {
namespace {

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TempFolder folder;
  const auto path = folder.path() / "report.json";
  AtomicFile file(path);
  file.stream() << "whole";
  EXPECT_FALSE(std::filesystem::exists(path));
  file.commit();
  EXPECT_EQ(read_text_file(path), "whole");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(AtomicFile, LeavesTheFormerFileAndNothingElseAfterAnException) {
  const TempFolder folder;
  const auto path = folder.write("report.json", "former");
  EXPECT_THROW(
      {
        AtomicFile file(path);
        file.stream() << "half";
        throw std::runtime_error("stop");
      },
      std::runtime_error);
  EXPECT_EQ(read_text_file(path), "former");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(AtomicFile, ReplacesAFormerFile) {
  const TempFolder folder;
  const auto path = folder.write("report.json", "former and longer");
  write_file_atomically(path, "new");
  EXPECT_EQ(read_text_file(path), "new");
}

TEST(AtomicFile, RefusesAMissingFolderByName) {
  const TempFolder folder;
  const auto path = folder.path() / "missing" / "report.json";
  EXPECT_EQ(bad_input_of([&] { write_file_atomically(path, ""); }),
            "error: cannot write '" + path.string() + "': No such file or directory");
}

TEST(AtomicFile, RefusesAFolderInItsPlace) {
  const TempFolder folder;
  EXPECT_EQ(bad_input_of([&] { write_file_atomically(folder.path(), ""); }),
            "error: cannot write '" + folder.path().string() + "': Is a directory");
}

TEST(AtomicFile, ReportsAFullDisk) {
  // The temporary file cannot be located from here, so fail the write in the stream.
  const TempFolder folder;
  const auto path = folder.path() / "report.json";
  EXPECT_NE(bad_input_of([&] {
              AtomicFile file(path);
              file.stream().setstate(std::ios::badbit);
              file.commit();
            }).find("cannot write '" + path.string() + "'"),
            std::string::npos);
  EXPECT_EQ(folder.files(), 0U);
}

TEST(EnsureDirectory, CreatesTheWholePathAndAcceptsAnExistingOne) {
  const TempFolder folder;
  ensure_directory(folder.path() / "a" / "b");
  ensure_directory(folder.path() / "a" / "b");
  EXPECT_TRUE(std::filesystem::is_directory(folder.path() / "a" / "b"));
}

TEST(EnsureDirectory, RefusesAFileInThePath) {
  const TempFolder folder;
  const auto file = folder.write("file", "");
  EXPECT_EQ(bad_input_of([&] { ensure_directory(file); }),
            "error: cannot create folder '" + file.string() + "': Not a directory");
  EXPECT_EQ(bad_input_of([&] { ensure_directory(file / "below"); }),
            "error: cannot create folder '" + (file / "below").string() + "': Not a directory");
}

TEST(ReadTextFile, RefusesMissingFilesAndFolders) {
  const TempFolder folder;
  EXPECT_EQ(
      bad_input_of([&] { (void)read_text_file(folder.path() / "none"); }),
      "error: cannot read '" + (folder.path() / "none").string() + "': No such file or directory");
  EXPECT_EQ(bad_input_of([&] { (void)read_text_file(folder.path()); }),
            "error: cannot read '" + folder.path().string() + "': it is a folder");
}

}  // namespace
}  // namespace kernbench::common
