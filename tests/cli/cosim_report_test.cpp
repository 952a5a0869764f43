// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench cosim --json --html` as a process, with the reference in place of the RTL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "common/atomic_file.hpp"
#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CosimReport : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> more) const {
    std::filesystem::create_directories(folder_.path() / "scratch");
    common::write_file_atomically(folder_.path() / "topology.yaml",
                                  "sip:\n  inter_cube: maze\n  cube_mesh: {w: 4, h: 3}\n");
    more.insert(more.begin(),
                {"cosim", "--nodes", "ideal", "--topology", "topology.yaml", "--model",
                 places::kReferenceModel, "--loads", "0.1,0.9", "--cycles", "100"});
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "scratch");
  }
  [[nodiscard]] nlohmann::json json(const char* name) const {
    return nlohmann::json::parse(common::read_text_file(folder_.path() / name));
  }
  common::TempFolder folder_;
};

TEST_F(CosimReport, IsWrittenAsJsonAndAsAPage) {
  const Finished finished = run({"--json", "cosim.json", "--html", "cosim.html"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const nlohmann::json report = json("cosim.json");
  EXPECT_EQ(report["kind"], "cosim-report");
  EXPECT_EQ(report["outcome"], "pass");
  EXPECT_EQ(report["seed"], 1);
  EXPECT_EQ(report["data"]["workloads"].size(), 2U);
  const std::string page = common::read_text_file(folder_.path() / "cosim.html");
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>\n"));
  EXPECT_THAT(page, HasSubstr(report["config_hash"].get<std::string>()));
}

TEST_F(CosimReport, TellsOfAFailureToo) {
  EXPECT_EQ(run({"--fault", "drop", "--json", "cosim.json", "--html", "cosim.html"}).exit_code, 1);
  EXPECT_EQ(json("cosim.json")["outcome"], "mismatch");
  EXPECT_THAT(common::read_text_file(folder_.path() / "cosim.html"),
              HasSubstr("<header class=\"card failed\">"));
}

TEST_F(CosimReport, HasTheOperationsOfAMachine) {
  const Finished finished =
      run({"--workload", "probe_at_once", "--bytes", "64", "--json", "cosim.json"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("equals cycle in every packet"));
  EXPECT_THAT(finished.out, HasSubstr("\nfunctional coverage of the RTL: "));
  const nlohmann::json workload = json("cosim.json")["data"]["workloads"][0];
  EXPECT_EQ(workload["operations"][0]["name"], "h2d cube 0");
  EXPECT_EQ(workload["operations"][0]["latency_ps"]["cycle"],
            workload["operations"][0]["latency_ps"]["rtl"]);
}

TEST_F(CosimReport, EndsWhenABenchTakesTooLongOnThisComputer) {
  const Finished finished = run({"--workload", "bench:gemm", "--fabric", "analytic", "--set",
                                 "m=2048", "--timeout-s", "0.001", "--json", "cosim.json"});
  EXPECT_EQ(finished.exit_code, 3) << finished.out << finished.err;
  EXPECT_THAT(finished.err,
              StartsWith("error: workload 'bench:gemm': the simulation took more than "
                         "0.001 s"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "cosim.json"));
}

TEST_F(CosimReport, LeavesWhatRepeatsRunsThatPart) {
  const Finished finished =
      run({"--fault", "receiver_sleeps:30", "--report", "reports", "--json", "cosim.json"});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.out,
              HasSubstr("reproduce the failure with waves: " + std::string(places::kKernbench) +
                        " replay reports/cosim-2.json --report reports --model "));
  const nlohmann::json file = json("reports/cosim-2.json")["data"];
  EXPECT_EQ(file["beside_reference"], true);
  const nlohmann::json workload = json("cosim.json")["data"]["workloads"][1];
  EXPECT_THAT(workload["reason"].get<std::string>(), HasSubstr(file["failure"].get<std::string>()));
  EXPECT_EQ(workload["parting"][0]["cycle"], file["cycle"]);
  EXPECT_EQ(workload["runs"][2]["failures"], nlohmann::json::array());

  const auto replay = [&](const char* waves) {
    return cli_test::kernbench({"replay", "reports/cosim-2.json", "--report", "reports", "--model",
                                places::kReferenceModel, "--waves", waves},
                               folder_.path(), folder_.path() / "scratch");
  };
  const Finished again = replay("off");
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_THAT(again.out, HasSubstr("\nSAME FAILURE  "));
  EXPECT_THAT(again.out, Not(HasSubstr("waves     ")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "reports/waves"));
  EXPECT_EQ(replay("some").exit_code, 2);
}

TEST_F(CosimReport, IsRefusedBeforeAnythingRunsWhereItCannotBeWritten) {
  const Finished finished = run({"--html", "cosim.html", "--json", "missing/cosim.json"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(finished.err, "error: cannot write 'missing/cosim.json': No such file or directory\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "cosim.html"));
}

}  // namespace
}  // namespace kernbench
