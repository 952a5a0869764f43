// SPDX-License-Identifier: Apache-2.0
// Tests which files of a report folder are listed and that no other file can be read.
#include "cli/web/report_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "raw_client.hpp"
#include "running_viewer.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

namespace fs = std::filesystem;
using cli::web::ReportFolder;
using cli_test::get;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ReportFolderTest : public ::testing::Test {
 protected:
  ReportFolderTest() {
    fs::create_directories(root_ / "night1");
    (void)folder_.write("secret.json", "{\"secret\": true}");
    (void)folder_.write("reports/night1/report.json",
                        "{\n \"schema\": 1,\n \"kind\": \"regression\",\n \"outcome\": \"pass\"}");
  }
  [[nodiscard]] std::string content(std::string_view name) const {
    const auto file = ReportFolder(root_).open(name);
    return file == nullptr ? "none" : file->read(0, 1000);
  }

  common::TempFolder folder_;
  fs::path root_ = folder_.path() / "reports";
};

TEST_F(ReportFolderTest, ListsReportsWithTheirKindTheLatestFirst) {
  (void)folder_.write("reports/old.svg", "<svg/>");
  fs::last_write_time(root_ / "old.svg", fs::file_time_type::clock::now() - std::chrono::hours(1));
  (void)folder_.write("reports/program.sh", "no report");
  (void)folder_.write("reports/.hidden.json", "{}");
  const nlohmann::json list = ReportFolder(root_).list();
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]["path"], "night1/report.json");
  EXPECT_EQ(list[0]["kind"], "regression");
  EXPECT_EQ(list[0]["outcome"], "pass");
  EXPECT_EQ(list[1]["path"], "old.svg");
  EXPECT_EQ(list[1]["bytes"], 6);
  EXPECT_FALSE(list[1].contains("kind"));
}

TEST_F(ReportFolderTest, KnowsATimelineAndTakesNoOtherFileForAReport) {
  (void)folder_.write("reports/hops.json", "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n]}");
  (void)folder_.write("reports/other.json", "{\"data\": 1, \"kind\": \"probe\"}");
  std::map<std::string, std::string> kinds;
  for (const auto& report : ReportFolder(root_).list()) {
    kinds[report["path"]] = report.value("kind", "");
  }
  EXPECT_EQ(kinds["hops.json"], "timeline");
  EXPECT_EQ(kinds["other.json"], "");
}

TEST_F(ReportFolderTest, AMissingFolderHasNoReportsUntilItAppears) {
  const ReportFolder folder(folder_.path() / "later");
  EXPECT_TRUE(folder.list().empty());
  fs::create_directory(folder_.path() / "later");
  (void)folder_.write("later/a.json", "{}");
  EXPECT_EQ(folder.list().size(), 1U);
}

TEST_F(ReportFolderTest, OpensWhatIsInside) {
  EXPECT_THAT(content("night1/report.json"), HasSubstr("regression"));
}

TEST_F(ReportFolderTest, RefusesNamesThatLeadOutside) {
  const std::string absolute = (folder_.path() / "secret.json").string();
  using std::string_view_literals::operator""sv;
  for (const std::string_view name :
       {"../secret.json"sv, "night1/../../secret.json"sv, "..\\secret.json"sv,
        "./night1/report.json"sv, "night1//report.json"sv, "/night1/report.json"sv,
        "night1/./report.json"sv, ""sv, "/"sv, "night1"sv, "night1/"sv, "night1/report.json/"sv,
        "night1/report.json/x.json"sv, "night1/report.json\0.json"sv, "\0/secret.json"sv,
        "%2e%2e/secret.json"sv}) {
    EXPECT_EQ(content(name), "none") << name;
  }
  EXPECT_EQ(content(absolute), "none");
  EXPECT_EQ(content("/" + absolute), "none");
}

TEST_F(ReportFolderTest, FollowsNoSymbolicLinkWhereverItLeads) {
  fs::create_symlink(folder_.path() / "secret.json", root_ / "link.json");
  fs::create_directory_symlink(folder_.path(), root_ / "up");
  fs::create_symlink("night1/report.json", root_ / "inside.json");
  fs::create_directory_symlink("night1", root_ / "latest");
  for (const char* name : {"link.json", "up/secret.json", "inside.json", "latest/report.json",
                           "up/reports/night1/report.json"}) {
    EXPECT_EQ(content(name), "none") << name;
  }
  EXPECT_EQ(ReportFolder(root_).list().size(), 1U);
}

TEST_F(ReportFolderTest, TheFolderItselfMayBeALink) {
  fs::create_directory_symlink(root_, folder_.path() / "shown");
  EXPECT_NE(ReportFolder(folder_.path() / "shown").open("night1/report.json"), nullptr);
}

TEST_F(ReportFolderTest, RefusesWhatIsNoRegularFileWithoutWaitingForIt) {
  ASSERT_EQ(mkfifo((root_ / "fifo.json").c_str(), 0600), 0);
  fs::create_directory(root_ / "folder.json");
  EXPECT_EQ(content("fifo.json"), "none");
  EXPECT_EQ(content("folder.json"), "none");
  EXPECT_EQ(ReportFolder(root_).list().size(), 1U);
}

TEST_F(ReportFolderTest, SendsAReportWholeAndWithoutRights) {
  const std::string large(3'000'000, 'x');
  (void)folder_.write("reports/large.html", large);
  (void)folder_.write("reports/empty.txt", "");
  const cli_test::RunningViewer viewer(cli_test::small_system(), root_);
  const cli_test::HttpAnswer answer = get(viewer.port(), "/reports/large.html");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, large);
  EXPECT_THAT(answer.head, HasSubstr("Content-Security-Policy: sandbox; default-src 'none'"));
  EXPECT_THAT(answer.head, HasSubstr("X-Content-Type-Options: nosniff"));
  EXPECT_EQ(get(viewer.port(), "/reports/empty.txt").status, 200);
  EXPECT_EQ(get(viewer.port(), "/reports/missing.html").status, 404);
}

TEST_F(ReportFolderTest, NoRequestReachesAFileOutside) {
  fs::create_symlink(folder_.path() / "secret.json", root_ / "link.json");
  const cli_test::RunningViewer viewer(cli_test::small_system(), root_);
  const std::string absolute = (folder_.path() / "secret.json").string();
  EXPECT_EQ(get(viewer.port(), "/reports/night1/report.json").status, 200);
  EXPECT_EQ(get(viewer.port(), "/reports/night1%2Freport.json").status, 200);  // decoded once
  for (const std::string& target :
       {std::string("/reports/../secret.json"), std::string("/reports/%2e%2e/secret.json"),
        std::string("/reports/%2e%2e%2fsecret.json"), std::string("/reports/..%2fsecret.json"),
        std::string("/reports/%252e%252e/secret.json"), std::string("/reports/..%5csecret.json"),
        std::string("/reports/night1/..%2f..%2fsecret.json"), "/reports/" + absolute,
        "/reports" + absolute, "/reports/%2f" + absolute.substr(1), "//reports/" + absolute,
        std::string("/reports/%00/../secret.json"), std::string("/reports/link.json"),
        std::string("/reports/..%c0%afsecret.json"), std::string("/../secret.json"),
        std::string("/reports/night1/report.json%00.html"), std::string("/reports/"),
        "file://" + absolute, std::string("http://localhost/reports/../secret.json")}) {
    const cli_test::HttpAnswer answer = get(viewer.port(), target);
    EXPECT_THAT(answer.status, ::testing::AnyOf(400, 404)) << target;
    EXPECT_EQ(answer.body.find("secret\": true"), std::string::npos) << target;
  }
}

}  // namespace
}  // namespace kernbench
