// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench doctor` as a process, in an environment with chosen tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

namespace fs = std::filesystem;
using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::Not;

class DoctorCommand : public ::testing::Test {
 protected:
  DoctorCommand() {
    fs::create_directories(folder_.path() / "bin");
    fs::create_directories(folder_.path() / "scratch");
  }

  /// Runs the command with the tools of bin/ alone. HOME is the folder of the test.
  [[nodiscard]] Finished run() const {
    cli_test::Process process({"/usr/bin/env", "-i", "PATH=" + (folder_.path() / "bin").string(),
                               "HOME=" + folder_.path().string(), places::kKernbench, "doctor"},
                              folder_.path(), folder_.path() / "scratch");
    return process.wait();
  }
  /// Adds a tool that prints `version`.
  void add_tool(const std::string& name, const std::string& version) const {
    const fs::path path = folder_.path() / "bin" / name;
    std::ofstream(path) << "#!/bin/sh\necho '" << version << "'\n";
    fs::permissions(path, fs::perms::owner_all);
  }
  void add_all_tools() const {
    add_tool("verilator", "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)");
    add_tool("g++", "g++ (Debian 12.2.0-14) 12.2.0");
    add_tool("make", "GNU Make 4.3");
    add_tool("yosys", "Yosys 0.23 (git sha1 7ce5011c24b)");
    for (const char* name : {"ccache", "gtkwave", "dot", "berkeley-abc"}) add_tool(name, "");
  }

  common::TempFolder folder_;
};

TEST_F(DoctorCommand, FindsAllThatEveryCommandNeeds) {
  add_all_tools();
  const Finished finished = run();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("  verilator      5.006     models of the RTL\n"
                                      "  g++            12.2.0    models of the RTL\n"
                                      "  make           4.3       models of the RTL\n"));
  EXPECT_THAT(finished.out, HasSubstr("\n  cache          " + folder_.path().string() +
                                      "/.cache/kernbench, writable\n"));
  EXPECT_THAT(finished.out, Not(HasSubstr("missing")));
  EXPECT_THAT(finished.out, HasSubstr("\nAll are ready.\n"));
}

TEST_F(DoctorCommand, SaysWhatIsMissingForWhichCommand) {
  add_all_tools();
  fs::remove(folder_.path() / "bin" / "gtkwave");
  const Finished finished = run();
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("  gtkwave        missing   looking at waves; to install it: "
                                      "apt-get install gtkwave\n"));
  EXPECT_THAT(finished.out,
              HasSubstr("  sim, soak, cosim                                             "
                        "ready\n"));
  EXPECT_THAT(finished.out,
              HasSubstr("  make wave                                                    "
                        "needs gtkwave\n"));
  EXPECT_THAT(finished.out, HasSubstr("\n1 of these is not ready.\n"));
}

TEST_F(DoctorCommand, ComparesVersionsPartByPart) {
  add_all_tools();
  add_tool("verilator", "Verilator 5.005 2022-12-31");
  const Finished old = run();
  EXPECT_EQ(old.exit_code, 1);
  EXPECT_THAT(old.out, HasSubstr("  verilator      5.005     models of the RTL; too old, expected "
                                 "5.006 or newer\n"));
  EXPECT_THAT(old.out, HasSubstr("needs verilator\n"));
  add_tool("verilator", "Verilator 5.051 devel");
  EXPECT_EQ(run().exit_code, 0);
  add_tool("g++", "g++ 11.4.0");
  EXPECT_THAT(run().out,
              HasSubstr("  g++            11.4.0    models of the RTL; too old, expected "
                        "12 or newer\n"));
}

TEST_F(DoctorCommand, NamesPlacesThatCannotBeWritten) {
  add_all_tools();
  std::ofstream(folder_.path() / ".cache") << "a file where the cache folder would be\n";
  EXPECT_THAT(run().out, HasSubstr("\n  cache          " + folder_.path().string() +
                                   "/.cache/kernbench, NOT writable\n"));
}

}  // namespace
}  // namespace kernbench
