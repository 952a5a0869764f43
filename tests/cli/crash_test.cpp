// SPDX-License-Identifier: Apache-2.0
// Kernels that crash: `kernbench_mistakes` is `kernbench` with a bench of mistakes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/model/run_end.hpp"
#include "common/atomic_file.hpp"
#include "common/crash_handler.hpp"
#include "common/text_file.hpp"
#include "model/bench/runner.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Returns true if the handler cannot be installed. Asks in a child process, which it changes.
bool is_sanitized() {
  const auto exit_with_answer = [] {
    std::_Exit(common::report_crashes([](const void* /*address*/, common::CrashScene& /*scene*/) {})
                   ? 0
                   : 1);
  };
  const pid_t child = fork();
  if (child == 0) exit_with_answer();
  int status = 0;
  return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 1;
}

/// Crashes of a copy of the test itself, which removes no folder.
class CrashHere : public ::testing::Test {
 protected:
  void SetUp() override {
    if (is_sanitized()) GTEST_SKIP() << "sanitizers report crashes themselves";
  }
};

class Crash : public CrashHere {
 protected:
  [[nodiscard]] Finished run(const std::string& kind, std::vector<std::string> more = {}) const {
    (void)folder_.write("topology.yaml",
                        "sip: {cube_mesh: {w: 2, h: 1}}\n"
                        "cube: {pe_layout: {pe_per_corner: 1}, "
                        "memory_map: {slices_per_cube: 4}}\n");
    std::filesystem::create_directories(folder_.path() / "scratch");
    std::vector<std::string> words = {places::kMistakes, "run",   "--topology",  "topology.yaml",
                                      "mistakes",        "--set", "kind=" + kind};
    words.insert(words.end(), more.begin(), more.end());
    return cli_test::Process(words, folder_.path(), folder_.path() / "scratch").wait();
  }
  common::TempFolder folder_;
};

/// Returns the place of the line of mistakes.cpp that contains `text`, for example
/// "tests/cli/mistakes.cpp:80".
std::string place_of(const std::string& text) {
  const std::string source = common::read_text_file(places::source("/tests/cli/mistakes.cpp"));
  const std::size_t at = source.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  return fmt::format("tests/cli/mistakes.cpp:{}",
                     1 + std::count(source.begin(), source.begin() + static_cast<long>(at), '\n'));
}

std::string place_of_load() {
  return place_of("tl.load(x.local(tl))");
}

struct Fault {
  const char* kind;
  const char* reason;
};

const Fault kFaults[] = {
    {"segv", "segmentation fault at address 0x0, a null pointer"},
    {"wild", "segmentation fault at address 0x123456789000"},
    {"recursion",
     "stack overflow: the stack has 256 KiB; the reason is endless recursion or a large local "
     "variable"},
    {"large-local",
     "stack overflow: the stack has 256 KiB; the reason is endless recursion or a large local "
     "variable"},
    {"division", "integer division by 0"},
    {"illegal",
     "illegal instruction, which compilers insert for code whose behaviour is undefined"},
    {"abort", "abort() was called"},
    {"terminate",
     "std::terminate() was called for an exception that cannot be caught: thrown by a noexcept "
     "function"},
};

TEST_F(Crash, OfAKernelNamesKernelPeLastOperationAndLineAndEndsWith1) {
  for (const Fault& fault : kFaults) {
    SCOPED_TRACE(fault.kind);
    const Finished finished = run(fault.kind);
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_EQ(cli_test::first_line(finished.err),
              fmt::format("error: bench 'mistakes': kernel 'crash' on sip0.cube0.pe1 crashed after "
                          "tl.load at {}: {}",
                          place_of_load(), fault.reason));
    EXPECT_EQ(finished.out, "");
  }
}

TEST_F(Crash, BeforeTheFirstOperationOfAKernelSaysSo) {
  const Finished finished = run("segv", {"--set", "where=start"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(cli_test::first_line(finished.err),
            "error: bench 'mistakes': kernel 'crash' on sip0.cube0.pe1 crashed before its first "
            "operation: segmentation fault at address 0x0, a null pointer");
}

TEST_F(Crash, OutsideOfKernelsEndsWith5AndABackTrace) {
  for (const Fault& fault : kFaults) {
    SCOPED_TRACE(fault.kind);
    const Finished finished = run(fault.kind, {"--set", "where=host"});
    EXPECT_EQ(finished.exit_code, 5);
    EXPECT_EQ(cli_test::first_line(finished.err),
              fmt::format("error: bench 'mistakes': the host's part of the bench crashed: {}",
                          fault.reason));
    EXPECT_THAT(finished.err, HasSubstr("\n  at kernbench_mistakes+0x"));
    EXPECT_THAT(
        finished.err,
        HasSubstr("\n  `addr2line -Cfpe PROGRAM OFFSET` names the function of an offset\n"));
  }
}

TEST_F(Crash, PrintsTheSameInEachRun) {
  EXPECT_EQ(run("recursion").err, run("recursion").err);
}

TEST_F(Crash, KeepsWhatTheKernelPrinted) {
  EXPECT_EQ(run("printed").out, "printed by the kernel\n");
}

TEST_F(Crash, LeavesNoFiles) {
  const Finished finished =
      run("segv", {"--json", "run.json", "--oplog", "log.json", "--trace", "trace.json"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(
      cli_test::files_under(folder_.path()),
      ElementsAre("scratch/stderr", "scratch/stdout", "topology.cube_mesh.yaml", "topology.yaml"));
}

TEST_F(Crash, OfAnUnknownExceptionIsAFailureOfTheKernel) {
  const Finished finished = run("unknown-exception");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.err,
            fmt::format("error: bench 'mistakes': kernel 'crash' on sip0.cube0.pe1 threw after "
                        "tl.load at {}: an exception that is not a std::exception\n",
                        place_of_load()));
}

TEST_F(Crash, AnEndlessLoopIsATimeoutThatNamesThePe) {
  const Finished finished = run("spin", {"--timeout-s", "0.2"});
  EXPECT_EQ(finished.exit_code, 3);
  EXPECT_EQ(finished.err,
            fmt::format("error: bench 'mistakes': the simulation took more than 0.2 s; running:\n"
                        "  kernel 'crash' on sip0.cube0.pe1: computes after tl.load at {}\n",
                        place_of_load()));
}

TEST_F(Crash, EndsByItsSignalForACoreFileIfAskedTo) {
  ASSERT_EQ(setenv("KERNBENCH_CORE", "1", 1), 0);
  for (const char* const kind : {"segv", "abort"}) {
    const Finished finished = run(kind);
    EXPECT_EQ(finished.exit_code, -1) << "not ended by a signal";
    EXPECT_THAT(cli_test::first_line(finished.err),
                HasSubstr("kernel 'crash' on sip0.cube0.pe1 crashed"));
  }
  ASSERT_EQ(unsetenv("KERNBENCH_CORE"), 0);
}

TEST_F(CrashHere, IsThatOfTheKernelInTheSameThread) {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = 1;
  spec.sip.cube_mesh_h = 1;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  // One thread simulates until it is killed; a kernel of the other one crashes.
  const model::bench::Bench busy{"busy", "", {}, [](model::runtime::Context& kb) {
                                   for (;;) {
                                     kb.launch("busy", [](model::kernel::Tl& tl) {
                                       (void)tl.full(8, 8, 1.0, model::data::DataType::F32);
                                     });
                                     kb.synchronize();
                                   }
                                 }};
  const model::bench::Bench bad{"bad", "", {}, [](model::runtime::Context& kb) {
                                  kb.launch("bad", [](model::kernel::Tl& tl) {
                                    if (tl.program_id(0) == 3) raise(SIGSEGV);
                                  });
                                }};
  const auto crash = [&] {
    cli::report_kernel_crashes();
    model::bench::RunOptions options;
    options.time_limit = common::SimTime::from_ps(std::int64_t{1} << 60U);
    std::thread([&] { (void)model::bench::run_case("first", busy, graph, options); }).detach();
    (void)model::bench::run_case("second", bad, graph, options);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(crash(), ::testing::ExitedWithCode(1),
              "error: second: kernel 'bad' on sip0.cube0.pe3 crashed before its first operation: "
              "the signal SIGSEGV was raised");
}

[[gnu::noinline]] int overflow(int depth) {
  volatile char kept[256] = {};
  kept[depth % 256] = 1;
  return depth < 0 ? 0 : overflow(depth + 1) + kept[0];
}

TEST_F(CrashHere, OfAStackInAnyThreadIsReportedFromAnotherStack) {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = 1;
  spec.sip.cube_mesh_h = 1;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  const model::bench::Bench bench{"deep", "", {}, [](model::runtime::Context& kb) {
                                    kb.launch("deep", [](model::kernel::Tl& tl) {
                                      if (tl.program_id(0) == 5) (void)overflow(0);
                                    });
                                  }};
  const auto crash = [&] {
    cli::report_kernel_crashes();
    std::thread([&] { (void)model::bench::run_bench(bench, graph, {}); }).join();
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(crash(), ::testing::ExitedWithCode(1),
              "error: bench 'deep': kernel 'deep' on sip0.cube0.pe5 crashed before its first "
              "operation: stack overflow: the stack has 256 KiB; ");
}

TEST_F(Crash, OfNoKernelIsAnInternalErrorAndLeavesNoTemporaryFile) {
  const auto crash = [this] {
    cli::report_kernel_crashes();
    common::AtomicFile file((folder_.path() / "half-written").string());
    file.stream() << "half" << std::flush;
    raise(SIGSEGV);
  };
  EXPECT_EXIT(crash(), ::testing::ExitedWithCode(5),
              "error: internal error: the signal SIGSEGV was raised\n  at ");
  EXPECT_THAT(cli_test::files_under(folder_.path()), ::testing::IsEmpty());
}

TEST_F(Crash, BySignalOfAnotherProcessEndsByThatSignal) {
  const auto wait_for_signal = [] {
    cli::report_kernel_crashes();
    const pid_t parent = getpid();
    if (fork() == 0) {
      kill(parent, SIGABRT);
      _exit(0);
    }
    for (;;) pause();
  };
  EXPECT_EXIT(wait_for_signal(), ::testing::KilledBySignal(SIGABRT), "^$");
}

class RaceOption : public Crash {
 protected:
  void SetUp() override {}
};

TEST_F(RaceOption, NamesBothOperationsAndTheirElementsAlsoIfTheValuesAreEqual) {
  const std::string store = place_of("tl.store(x.whole().block(3, 0, 1, 8), zeros(8))");
  const std::string tensor =
      place_of("const runtime::Tensor x = kb.tensor(8, 8, DataType::F32, rows");
  const Finished finished = run("race", {"--races", "--verify"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("\nPASS  x: 64 elements, 0 wrong, "));
  EXPECT_THAT(finished.out, ::testing::EndsWith("\nFAIL  races: 1 between 2 accesses of 2 PEs\n"));
  EXPECT_EQ(
      finished.err,
      fmt::format("error: bench 'mistakes': race 1 of 1: two PEs access the same 16 bytes "
                  "without an order\n"
                  "  kernel 'race' on sip0.cube0.pe2 writes them in tl.store at {}\n"
                  "  kernel 'race' on sip0.cube0.pe1 writes them in tl.store at {}\n"
                  "  elements [3, 2] to [3, 5] of the tensor of 8 x 8 of f32 made at {}\n",
                  place_of("tl.store(x.whole().block(3, 2, 1, 4), zeros(4))"), store, tensor));
}

TEST_F(RaceOption, NamesAReadBesideAWrite) {
  const Finished finished = run("race-read", {"--races", "--json", "run.json"});
  EXPECT_EQ(finished.exit_code, 1);
  const std::string read =
      fmt::format("kernel 'race' on sip0.cube0.pe2 reads them in tl.load at {}",
                  place_of("tl.load(x.whole().block(2, 0, 2, 8))"));
  EXPECT_THAT(finished.err, HasSubstr("the same 32 bytes without an order\n"));
  EXPECT_THAT(finished.err, HasSubstr("  " + read + "\n"));
  const nlohmann::json report =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "run.json"));
  EXPECT_EQ(report["outcome"], "mismatch");
  const nlohmann::json& races = report["data"]["races"];
  EXPECT_EQ(races["count"], 1);
  EXPECT_EQ(races["accesses"], 2);
  EXPECT_EQ(races["pes"], 2);
  EXPECT_EQ(races["shown"][0]["bytes"], 32);
  EXPECT_EQ(races["shown"][0]["earlier"], read);
}

TEST_F(RaceOption, CountsAllRacesAndShowsTen) {
  const Finished finished = run("races", {"--races"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out, HasSubstr("\nFAIL  races: 14 between 16 accesses of 8 PEs\n"));
  EXPECT_THAT(finished.err, HasSubstr("error: bench 'mistakes': race 10 of 14: "));
  EXPECT_THAT(finished.err, ::testing::Not(HasSubstr("race 11 of 14")));
  EXPECT_THAT(finished.err,
              ::testing::EndsWith("error: bench 'mistakes': 4 more races are not shown\n"));
}

TEST_F(RaceOption, WithoutItTheRunPasses) {
  const Finished finished = run("race", {"--verify"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.err, "");
}

TEST_F(RaceOption, AVerificationWithoutExpectationsSaysSo) {
  const Finished finished = run("races", {"--verify"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_EQ(finished.err,
            "error: bench 'mistakes': --verify compared no numbers: the bench expects no results; "
            "kb.expect() tells it what to compare\n");
}

}  // namespace
}  // namespace kernbench
