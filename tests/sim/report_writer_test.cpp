// SPDX-License-Identifier: Apache-2.0
#include "sim/report/report_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "common/atomic_file.hpp"
#include "common/report_envelope.hpp"
#include "common/text_file.hpp"
#include "sim/report/html_report.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/text_report.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/sim/report_sample.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ReportWriterTest : public testing::Test {
 protected:
  static std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
  }
  static void write_all(const fs::path& folder, const RegressionResult& result,
                        const CoverageSummary& coverage) {
    EXPECT_THAT(write_reports(folder, result, coverage), testing::IsEmpty());
  }

  common::TempFolder folder_;
  const fs::path base_ = folder_.path();
};

TEST_F(ReportWriterTest, WritesAllFourReportsIntoANewFolder) {
  const RegressionResult r = sample::failing_result();
  const fs::path folder = base_ / "build" / "reports";
  write_all(folder, r, sample::coverage());
  EXPECT_EQ(names_in(folder),
            (std::set<std::string>{"junit.xml", "report.html", "report.json", "summary.txt"}));
  EXPECT_EQ(common::read_text_file(folder / "report.html"), html_report(r, sample::coverage()));
  EXPECT_EQ(common::read_text_file(folder / "junit.xml"), junit_report(r));
  EXPECT_EQ(common::read_text_file(folder / "summary.txt"),
            text_report(r, sample::coverage(), Colour::Off));
}

TEST_F(ReportWriterTest, TheJsonReportIsAnEnvelopeOfKindRegression) {
  const RegressionResult r = sample::failing_result();
  write_all(base_, r, sample::coverage());
  const common::ReportEnvelope back = common::read_report(base_ / "report.json", "regression");
  EXPECT_EQ(back.outcome, common::Outcome::Mismatch);
  EXPECT_EQ(back.seed, 7U);
  EXPECT_EQ(back.config_hash, "00000000000000aa");
  EXPECT_EQ(back.revision, "r1");
  EXPECT_EQ(back.command, r.command);
  EXPECT_EQ(back.data, regression_data(r, sample::coverage()));
}

TEST_F(ReportWriterTest, ReplacesOlderReports) {
  write_all(base_, sample::failing_result(), {});
  write_all(base_, sample::passing_result(), {});
  EXPECT_THAT(common::read_text_file(base_ / "summary.txt"), HasSubstr("\nPASS  2 cases"));
  EXPECT_EQ(names_in(base_).size(), 4U);
}

TEST_F(ReportWriterTest, AFolderThatCannotBeMadeIsOneError) {
  common::write_file_atomically(base_ / "taken", "a file");
  const fs::path folder = base_ / "taken" / "reports";
  EXPECT_THAT(write_reports(folder, sample::passing_result(), {}),
              testing::ElementsAre(HasSubstr(folder.string())));
  EXPECT_EQ(names_in(base_), std::set<std::string>{"taken"});
}

TEST_F(ReportWriterTest, AFileThatCannotBeWrittenIsNamedAndTheOthersAreWritten) {
  fs::create_directories(base_ / "summary.txt");
  EXPECT_THAT(write_reports(base_, sample::passing_result(), {}),
              testing::ElementsAre(HasSubstr((base_ / "summary.txt").string())));
  EXPECT_EQ(names_in(base_),
            (std::set<std::string>{"junit.xml", "report.html", "report.json", "summary.txt"}));
}

}  // namespace
}  // namespace kernbench::sim
