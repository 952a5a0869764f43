// SPDX-License-Identifier: Apache-2.0
// Regions of shipped benches take these times, whether their initial tensors are uploaded or not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "group_fixture.hpp"
#include "model/ccl/process_group.hpp"

namespace kernbench::model::ccl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kCcl = "backend: ahbm\n";

bench::RunResult run_shipped(const char* name, std::uint32_t sips, bool upload,
                             const std::map<std::string, std::string>& parameters,
                             bool verify = true, trace::HopTrace* trace = nullptr) {
  bench::RunOptions options;
  options.verify = verify;
  options.upload = upload;
  options.trace = trace;
  options.parameters = parameters;
  options.ccl = {"ccl.yaml", kCcl};
  return bench::run_bench(bench::find_bench(name), small_system_of(sips, 2, 2), options);
}

/// Returns the times of all regions and their skew, as text.
std::vector<std::string> times_of(const bench::RunResult& result) {
  std::vector<std::string> lines;
  for (const runtime::MeasuredRegion& region : result.regions) {
    lines.push_back(fmt::format("{} {} {}", region.name, region.time().ps(), region.skew().ps()));
  }
  return lines;
}

TEST(ShippedRegions, TakeThesePicosecondsWithAndWithoutUpload) {
  const auto check = [](const char* name, std::uint32_t sips,
                        const std::map<std::string, std::string>& parameters,
                        const std::string& expected, bool has_data = true) {
    const bench::RunResult plain = run_shipped(name, sips, false, parameters);
    const bench::RunResult upload = run_shipped(name, sips, true, parameters);
    EXPECT_THAT(times_of(plain), ElementsAre(expected)) << name << sips;
    EXPECT_THAT(times_of(upload), ElementsAre(expected)) << name << sips;
    EXPECT_EQ(plain.regions[0].start < upload.regions[0].start, has_data) << name;
    EXPECT_EQ(plain.results, upload.results);
    for (const runtime::CheckReport& report : plain.checks) EXPECT_EQ(report.wrong, 0U);
  };
  const std::map<std::string, std::string> small = {{"m", "40"}, {"k", "72"}, {"n", "48"}};
  check("vector-add", 2, {{"rows", "40"}, {"columns", "48"}}, "vector-add 666962 0");
  check("vector-add", 4, {{"rows", "40"}, {"columns", "48"}}, "vector-add 666962 0");
  check("gemm", 2, small, "gemm 780061 0");
  check("gemm", 4, small, "gemm 780061 0");
  check("mlp", 2, {}, "forward 6260037 2125");
  check("mlp", 4, {}, "forward 6887153 5875");
  check("all-reduce", 4, {{"bytes", "4096"}}, "all-reduce 1657414 6375", false);
}

TEST(ShippedRegions, AreTheSameWithVerificationAndTrace) {
  trace::HopTrace trace;
  EXPECT_EQ(times_of(run_shipped("mlp", 4, false, {}, true)),
            times_of(run_shipped("mlp", 4, false, {}, false, &trace)));
}

TEST(ShippedRegions, HoldEveryLaunchOfTheirRanks) {
  const bench::RunResult result = run_shipped("mlp", 4, false, {});
  ASSERT_EQ(result.regions.size(), 1U);
  EXPECT_EQ(result.regions[0].ranks.size(), 4U);
  EXPECT_EQ(result.launches.size(), 12U);
  for (const runtime::LaunchRecord& launch : result.launches) {
    EXPECT_EQ(launch.region, 0U);
    EXPECT_GE(launch.start, result.regions[0].start);
    EXPECT_LE(launch.end, result.regions[0].end());
  }
}

TEST(MeasuredRanks, ARankThatNeverEntersIsNamedInTheDeadlock) {
  try {
    (void)run(
        small_system_of(4, 1, 1),
        [](runtime::Context& kb) {
          ProcessGroup group(kb.session(), "ahbm");
          spawn(kb, group, [](Worker& worker) {
            if (worker.rank() % 2 == 0) worker.kb().measure("forward", [] {});
          });
        },
        kCcl);
    FAIL() << "nothing was thrown";
  } catch (const bench::RunDeadlocked& error) {
    EXPECT_STREQ(error.what(),
                 "deadlock at 0 ps: nothing is scheduled, and 3 processes have to wait\n"
                 "  'bench test' waits for event 'the end of rank 0'\n"
                 "  'rank 0' waits for event 'the other ranks at the start of region forward'\n"
                 "  'rank 2' waits for event 'the other ranks at the start of region forward'\n"
                 "  the measured region 'forward' waits for ranks 1, 3, which never entered it");
  }
}

TEST(MeasuredRanks, CannotBeSpawnedInsideARegion) {
  try {
    (void)run(
        small_system_of(2, 1, 1),
        [](runtime::Context& kb) {
          ProcessGroup group(kb.session(), "ahbm");
          kb.measure("all", [&] { spawn(kb, group, [](Worker&) {}); });
        },
        kCcl);
    FAIL() << "nothing was thrown";
  } catch (const bench::RunFailed& error) {
    EXPECT_THAT(error.what(), HasSubstr("ranks begin inside the measured region 'all'; let each "
                                        "rank measure it instead"));
  }
}

}  // namespace
}  // namespace kernbench::model::ccl
