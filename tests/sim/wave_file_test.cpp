// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/wave_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <fstream>
#include <string>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

/// Returns a part of an FST: its kind, its length with the eight bytes of the length, its content.
std::string part(char kind, std::size_t content) {
  std::string text(1, kind);
  const std::uint64_t length = 8 + content;
  for (int shift = 56; shift >= 0; shift -= 8) {
    text += static_cast<char>(length >> static_cast<unsigned>(shift) & 0xffU);
  }
  return text + std::string(content, 'x');
}

std::string whole_fst() {
  return part(0, 321) + part(8, 40) + part(3, 20) + part(6, 30);
}

TEST(IsWholeFst, RefusesEachShorterFileAndMissingParts) {
  const common::TempFolder folder;
  const std::string whole = whole_fst();
  EXPECT_TRUE(is_whole_fst(folder.write("whole", whole)));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(is_whole_fst(folder.write("cut", whole.substr(0, size)))) << size;
  }
  EXPECT_FALSE(is_whole_fst(folder.write("longer", whole + "x")));
  EXPECT_FALSE(is_whole_fst(folder.write("no-hierarchy", part(0, 321) + part(3, 20))));
  EXPECT_FALSE(is_whole_fst(folder.write("no-geometry", part(0, 321) + part(6, 30))));
  EXPECT_FALSE(is_whole_fst(folder.write("no-header", part(3, 20) + part(6, 30))));
  EXPECT_FALSE(is_whole_fst(folder.path() / "missing"));
}

TEST(WaveFile, AppearsWhenItIsCommitted) {
  const common::TempFolder folder;
  const auto path = folder.write("a.fst", "former");
  {
    WaveFile wave(path);
    std::ofstream(wave.written_path()) << whole_fst();
    EXPECT_EQ(common::read_text_file(path), "former");
    wave.commit();
  }
  EXPECT_EQ(common::read_text_file(path), whole_fst());
  EXPECT_EQ(folder.files(), 1U);
}

TEST(WaveFile, IsDeletedAndNamedWithTheReasonWhenItsDiskIsFull) {
  const common::TempFolder folder;
  const auto path = folder.path() / "a.fst";
  const auto said = folder.path() / "said";
  const pid_t process = fork();
  if (process == 0) {
    (void)std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{200, 200};
    setrlimit(RLIMIT_FSIZE, &small);
    try {
      WaveFile wave(path);
      std::ofstream(wave.written_path()) << whole_fst();
      wave.commit();
    } catch (const common::BadInput& error) {
      std::ofstream(said) << error.what();
    }
    _exit(0);
  }
  waitpid(process, nullptr, 0);
  EXPECT_EQ(common::read_text_file(said),
            "error: cannot write '" + path.string() + "': File too large");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(WaveFile, SaysWhyItCannotBeginOrThatItIsIncomplete) {
  const common::TempFolder folder;
  const auto text_of = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const common::BadInput& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(text_of([] { const WaveFile wave("/no/such/a.fst"); }),
            "error: cannot write '/no/such/a.fst': No such file or directory");
  const auto path = folder.path() / "a.fst";
  EXPECT_EQ(text_of([&] { WaveFile(path).commit(); }),
            "error: cannot write '" + path.string() + "': it is incomplete");
}

}  // namespace
}  // namespace kernbench::sim
