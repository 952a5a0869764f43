// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench probe` as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ProbeCommand : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> more) const {
    (void)folder_.write("topology.yaml", "sip: {cube_mesh: {w: 2, h: 2}}\n");
    std::filesystem::create_directories(folder_.path() / "scratch");
    more.insert(more.begin(), {"probe", "--topology", "topology.yaml"});
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "scratch");
  }
  common::TempFolder folder_;
};

TEST_F(ProbeCommand, PrintsEveryCaseAndThatAllEqualTheirClosedForm) {
  const Finished finished = run({"--bytes", "256"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out,
              StartsWith("machine: 2 SIPs of 2x2 cubes of 8 PEs at 1 GHz; HBM of each cube 48 GB, "
                         "1,024 GB/s\nLatency of 256 B in ns on an idle machine, and its parts\n"));
  EXPECT_THAT(finished.out, HasSubstr("\npe_dma\n  own slice                  2  52.146 "));
  EXPECT_THAT(finished.out,
              EndsWith("PASS  10 cases at 10 sizes, each simulated and compared with "
                       "its closed form; 150 pairs compared\n      with each other\n"));
}

TEST_F(ProbeCommand, WritesAllResultsAsJson) {
  EXPECT_EQ(run({"--json", "probe.json"}).exit_code, 0);
  const nlohmann::json json =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "probe.json"));
  EXPECT_EQ(json["kind"], "probe");
  EXPECT_EQ(json["outcome"], "pass");
  EXPECT_EQ(json["data"]["cases"].size(), 10U);
  for (const auto& probe : json["data"]["cases"]) {
    EXPECT_EQ(probe["results"].size(), 10U);
    for (const auto& result : probe["results"]) {
      EXPECT_EQ(result["actual_ps"], result["analytic_ps"]);
    }
  }
}

TEST_F(ProbeCommand, SaysTheSameForAnyNumberOfJobs) {
  EXPECT_EQ(run({"--jobs", "1"}).out, run({"--jobs", "3"}).out);
}

TEST_F(ProbeCommand, WritesTheHopsAsATimelineWhoseHashNeverChanges) {
  const Finished one = run({"--bytes", "4096", "--trace", "hops.json", "--jobs", "1"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("wrote hops.json for Perfetto or chrome://tracing; hash of the "
                                 "trace: 37c4edf8015737ff\n"));
  EXPECT_EQ(run({"--bytes", "4096", "--trace", "hops.json", "--jobs", "3"}).out, one.out);
  const nlohmann::json json =
      nlohmann::json::parse(common::read_text_file(folder_.path() / "hops.json"));
  std::size_t processes = 0;
  for (const auto& event : json.at("traceEvents")) processes += event.at("name") == "process_name";
  EXPECT_EQ(processes, 10U);
}

}  // namespace
}  // namespace kernbench
