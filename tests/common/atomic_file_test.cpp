// SPDX-License-Identifier: Apache-2.0
#include "common/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "common/declared_outputs.hpp"
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

TEST(AtomicFile, WritesTheFileThatALinkLeadsToAndKeepsItsMode) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.path() / "store");
  const auto target = folder.write("store/real.json", "former");
  std::filesystem::create_symlink("store/real.json", folder.path() / "second");
  std::filesystem::create_symlink("second", folder.path() / "report.json");
  constexpr auto kMode = std::filesystem::perms(0640);
  std::filesystem::permissions(target, kMode);
  write_file_atomically(folder.path() / "report.json", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "report.json"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "second"));
  EXPECT_EQ(read_text_file(target), "new");
  EXPECT_EQ(std::filesystem::status(target).permissions(), kMode);
  EXPECT_EQ(folder.files(), 3U);
}

TEST(AtomicFile, CreatesTheFileThatALinkLeadsTo) {
  const TempFolder folder;
  std::filesystem::create_symlink("new.json", folder.path() / "report.json");
  write_file_atomically(folder.path() / "report.json", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "report.json"));
  EXPECT_EQ(read_text_file(folder.path() / "new.json"), "new");
}

TEST(AtomicFile, RefusesALoopOfLinksALongNameAndAnEmptyPath) {
  const TempFolder folder;
  const auto loop = folder.path() / "loop";
  std::filesystem::create_symlink("loop", loop);
  EXPECT_EQ(bad_input_of([&] { write_file_atomically(loop, ""); }),
            "error: cannot write '" + loop.string() + "': Too many levels of symbolic links");
  const auto longer = folder.path() / std::string(300, 'n');
  EXPECT_EQ(bad_input_of([&] { write_file_atomically(longer, ""); }),
            "error: cannot write '" + longer.string() + "': File name too long");
  EXPECT_EQ(bad_input_of([&] { write_file_atomically("", ""); }),
            "error: cannot write a file: its path is empty");
}

TEST(AtomicFile, AcceptsTheLongestName) {
  const TempFolder folder;
  write_file_atomically(folder.path() / std::string(255, 'n'), "text");
  EXPECT_EQ(read_text_file(folder.path() / std::string(255, 'n')), "text");
}

TEST(AtomicFile, WritesIntoAPipeAndKeepsIt) {
  const TempFolder folder;
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_file_atomically(pipe, "text");
  std::array<char, 8> seen{};
  EXPECT_EQ(::read(reader, seen.data(), seen.size()), 4);
  EXPECT_EQ(std::string_view(seen.data(), 4), "text");
  close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_EQ(folder.files(), 1U);
}

TEST(AtomicFile, WritesADeviceDirectlyAndReportsThatItIsFull) {
  write_file_atomically("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(bad_input_of([&] { write_file_atomically("/dev/full", "text"); }),
            "error: cannot write '/dev/full': No space left on device");
  // More than the buffer takes, so that a write in the middle fails.
  EXPECT_EQ(bad_input_of([&] { write_file_atomically("/dev/full", std::string(1'000'000, 'x')); }),
            "error: cannot write '/dev/full': No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFile, DeclaredOutputsAppearTogetherAtTheEndOfTheCommand) {
  const TempFolder folder;
  const auto declared = folder.path() / "report.json";
  declare_outputs({{"--json", declared}});
  write_file_atomically(declared, "text");
  write_file_atomically(folder.path() / "other", "text");
  EXPECT_FALSE(std::filesystem::exists(declared));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "other"));
  EXPECT_EQ(folder.files(), 2U);  // one of them temporary
  commit_declared_outputs();
  EXPECT_EQ(read_text_file(folder.path() / "other"), "text");
  EXPECT_TRUE(std::filesystem::exists(declared));
  EXPECT_EQ(folder.files(), 2U);

  write_file_atomically(declared, "later");
  std::filesystem::remove(declared);
  std::filesystem::create_directory(declared);
  EXPECT_EQ(bad_input_of([] { commit_declared_outputs(); }),
            "error: cannot write '" + declared.string() + "': Is a directory");
  EXPECT_EQ(folder.files(), 2U);
  declare_outputs({});
}

TEST(AtomicFile, ReportsAFullDisk) {
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
  EXPECT_EQ(bad_input_of([&] { (void)read_text_file("/dev/zero"); }),
            "error: cannot read '/dev/zero': it has more than 4194304 bytes");
}

}  // namespace
}  // namespace kernbench::common
