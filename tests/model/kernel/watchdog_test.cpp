// SPDX-License-Identifier: Apache-2.0
// Kernels that never end: the watchdog ends the process.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "bench_fixture.hpp"
#include "model/bench/host_time_limit.hpp"

namespace kernbench::model::kernel {
namespace {

using std::chrono::milliseconds;

TEST(Watchdog, ActsWhenItsTimeIsOver) {
  std::atomic<bool> acted = false;
  const bench::HostTimeLimit limit(milliseconds(1), [&] { acted = true; });
  while (!acted) std::this_thread::sleep_for(milliseconds(1));
}

TEST(Watchdog, DoesNotActWhenItIsStoppedBefore) {
  bool acted = false;
  {
    const bench::HostTimeLimit limit(std::chrono::hours(1), [&] { acted = true; });
  }
  EXPECT_FALSE(acted);
}

void loop_without_asking(runtime::Context& kb) {
  kb.launch("spin",
            [](Tl& tl) {
              if (tl.program_id(0) == 1) return;
              (void)tl.arange(3, DataType::F32);
              for (std::atomic<int> turns = 0;;) ++turns;
            },
            {1, 2});
}

void run_with_a_limit() {
  bench::RunOptions options;
  options.host_time_limit = milliseconds(300);
  options.on_host_timeout = [](const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::_Exit(3);
  };
  const bench::Bench bench{"test", "", {}, loop_without_asking};
  (void)bench::run_bench(bench, small_graph(), options);
}

TEST(WatchdogDeathTest, NamesTheKernelThatLoopsWithoutAskingForAnything) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(run_with_a_limit(), ::testing::ExitedWithCode(3),
              "the simulation took more than 0\\.3 s; running:\n  kernel 'spin' on "
              "sip0\\.cube0\\.pe0: computes after tl\\.arange at "
              "tests/model/kernel/watchdog_test\\.cpp:[0-9]+");
}

}  // namespace
}  // namespace kernbench::model::kernel
