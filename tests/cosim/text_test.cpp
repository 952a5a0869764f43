// SPDX-License-Identifier: Apache-2.0
// The terminal report names what stands under its verdict without having been compared.
#include "cosim/report/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cosim_sample.hpp"

namespace kernbench::cosim {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const std::vector<WorkloadResult>& results) {
  return text_report(results, sample::small_sip(), common::Colour::Off);
}

TEST(CosimText, NamesWhatWasComparedWithNothing) {
  WorkloadResult result = sample::passing("tiny");
  EXPECT_THAT(text_of({result}), Not(HasSubstr("compared with nothing")));
  result.runs[2].rtl->checkers.push_back({"watchdog", 0, 0});
  EXPECT_THAT(text_of({result}),
              HasSubstr("  watchdog                  not checked: no run was as long as its "
                        "window\n"));
  result.runs.resize(1);
  EXPECT_THAT(text_of({result}), EndsWith("\none fabric: its times are compared with nothing\n"
                                          "\nPASS  1 of 1 workloads\n"));
}

TEST(CosimText, SaysHowExactTheTimesAre) {
  WorkloadResult result = sample::passing("tiny");
  EXPECT_THAT(text_of({result}),
              HasSubstr("\ntimes: estimate: the MAZE is analytic, mean latencies "
                        "-4.2 to +3.3 % off\n"));
  std::erase_if(result.runs,
                [](const FabricRun& run) { return run.fabric == FabricKind::Analytic; });
  EXPECT_THAT(text_of({result}), HasSubstr("\ntimes: exact\n"));
}

TEST(CosimText, OfNoWorkloadDoesNotPass) {
  EXPECT_THAT(text_of({}), EndsWith("\nFAIL  0 of 0 workloads\n"));
}

}  // namespace
}  // namespace kernbench::cosim
