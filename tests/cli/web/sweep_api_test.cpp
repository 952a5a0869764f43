// SPDX-License-Identifier: Apache-2.0
// Tests what the viewer reads of databases of sweeps, and that reading disturbs nothing.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "cli/web/report_folder.hpp"
#include "common/diagnostics.hpp"
#include "farm/folder_vfs.hpp"
#include "farm/store.hpp"
#include "raw_client.hpp"
#include "running_viewer.hpp"
#include "sweep_file.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench {
namespace {

namespace fs = std::filesystem;
using cli_test::get;
using cli_test::HttpAnswer;
using nlohmann::json;
using ::testing::HasSubstr;

class SweepApi : public ::testing::Test {
 protected:
  SweepApi() { fs::create_directories(root_ / "night1"); }

  [[nodiscard]] HttpAnswer ask(const std::string& name) const {
    const cli_test::RunningViewer viewer(cli_test::small_system(), root_);
    return get(viewer.port(), "/api/sweep/" + name);
  }
  /// Returns the reason for which a database is refused.
  [[nodiscard]] std::string refusal(const std::string& name, int status = 422) const {
    const HttpAnswer answer = ask(name);
    EXPECT_EQ(answer.status, status) << answer.body;
    return json::parse(answer.body).value("error", "");
  }
  /// Returns what the list of reports has about the only file.
  [[nodiscard]] json listed() const {
    json list = cli::web::ReportFolder(root_).list();
    EXPECT_EQ(list.size(), 1U) << list.dump();
    list[0].erase("bytes");
    list[0].erase("modified");
    return list[0];
  }
  void sql(const std::string& name, const std::string& text) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((root_ / name).c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  common::TempFolder folder_;
  fs::path root_ = folder_.path() / "reports";
};

TEST_F(SweepApi, SendsTheRowsColumnByColumn) {
  cli_test::write_small_sweep(root_ / "night1/s.db");
  const HttpAnswer answer = ask("night1/s.db");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.head, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_EQ(
      answer.body,
      R"({"answers":["least data.end_ps: 1 us with bench.m=256, mode=b; data.hops 8.5",)"
      R"("most data.hops: 8.5 with bench.m=256, mode=b; data.end_ps 1 us"],)"
      R"("command":["run","gemm"],"former":0,"front":[1],"limits":[],)"
      R"("messages":{"2":"no event, <1> waits"},"outcomes":["pass","deadlock"],)"
      R"("plan":"command: [run, gemm]\n","planned":4,)"
      R"("keys":["k0","k1","k2"],"outcome":[0,0,1],"grades":["exact","exact",""],)"
      R"("parameters":[{"name":"bench.m","values":[128,256,512]},)"
      R"({"name":"mode","values":["a","b","a"]}],)"
      R"("targets":[{"name":"data.end_ps","direction":"min","values":[2000000,1000000,null]},)"
      R"({"name":"data.hops","direction":"max","values":[7,8.5,null]}]})");
}

TEST_F(SweepApi, SendsAsTextWhatIsNotTheSameNumberInAPage) {
  cli_test::write_sweep(root_ / "s.db", cli_test::gemm_plan(),
                        {{{"9007199254740993", "007"}, {9'007'199'254'740'993, "a\"b"}},
                         {{"1e+20", "2.5"}, {-9'007'199'254'740'992, 1e300}},
                         {{"0.5", "\xff"}, {std::numeric_limits<double>::infinity(), 0}}});
  const json sweep = json::parse(ask("s.db").body);
  EXPECT_EQ(sweep["parameters"][0]["values"], json::parse(R"(["9007199254740993", 1e20, 0.5])"));
  EXPECT_EQ(sweep["parameters"][1]["values"], json::parse(R"(["007", 2.5, "�"])"));
  EXPECT_EQ(sweep["targets"][0]["values"],
            json::parse(R"(["9007199254740993", -9007199254740992, "inf"])"));
  EXPECT_EQ(sweep["targets"][1]["values"], json::parse(R"(["a\"b", 1e300, 0])"));
}

TEST_F(SweepApi, ListsASweepWithItsRowsAndItsWorstOutcome) {
  cli_test::write_small_sweep(root_ / "s.db");
  EXPECT_EQ(listed(), json::parse(R"({"path": "s.db", "kind": "sweep", "rows": 3,
                                      "outcome": "deadlock"})"));
}

TEST_F(SweepApi, ASweepHasPassedWhenAllItsPointsHave) {
  const std::vector<cli_test::SweepPoint> points = {{{"1", "a"}, {1, 1}}, {{"2", "a"}, {2, 2}}};
  cli_test::write_sweep(root_ / "s.db", cli_test::gemm_plan(), points, 1);
  EXPECT_EQ(listed(), json::parse(R"({"path": "s.db", "kind": "sweep", "rows": 1})"));
  fs::remove(root_ / "s.db");
  cli_test::write_sweep(root_ / "s.db", cli_test::gemm_plan(), points);
  EXPECT_EQ(listed(),
            json::parse(R"({"path": "s.db", "kind": "sweep", "rows": 2, "outcome": "pass"})"));
}

TEST_F(SweepApi, ReadsWhileASweepWritesAndNeitherWaitsForTheOther) {
  farm::Plan plan = cli_test::gemm_plan();
  plan.points = {{{"1", 1.0}, {"a"}}, {{"2", 2.0}, {"a"}}};
  farm::Store sweep(root_ / "s.db", plan, {"k0", "k1"});
  farm::PointResult result;
  result.key = "k0";
  result.outcome = common::Outcome::Pass;
  result.targets = {5, 6};
  const cli_test::RunningViewer viewer(cli_test::small_system(), root_);
  const auto keys = [&viewer] {
    return json::parse(get(viewer.port(), "/api/sweep/s.db").body)["keys"];
  };
  EXPECT_EQ(keys(), json::array());
  sweep.add({result});
  EXPECT_EQ(keys(), json::array({"k0"}));
  result.key = "k1";
  sweep.add({result});
  EXPECT_EQ(keys(), json::array({"k0", "k1"}));
  EXPECT_EQ(cli::web::ReportFolder(root_).list()[0]["rows"], 2);
}

TEST_F(SweepApi, ATransactionThatHasNotEndedIsNotSeen) {
  cli_test::write_small_sweep(root_ / "s.db");
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open((root_ / "s.db").c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "BEGIN IMMEDIATE; DELETE FROM points", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_TRUE(fs::exists(root_ / "s.db-journal"));
  EXPECT_EQ(json::parse(ask("s.db").body)["keys"].size(), 3U);
  EXPECT_EQ(sqlite3_exec(writer, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(json::parse(ask("s.db").body)["keys"].size(), 0U);
  ASSERT_EQ(sqlite3_exec(writer, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(refusal("s.db"), "'s.db' is in use by another program; try again when that has ended");
  sqlite3_close(writer);
}

TEST_F(SweepApi, AReaderKeepsAWriterFromChangingTheRowsThatItReads) {
  cli_test::write_small_sweep(root_ / "s.db");
  const int folder = open(root_.c_str(), O_RDONLY | O_DIRECTORY);
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open((root_ / "s.db").c_str(), &writer), SQLITE_OK);
  {
    const farm::FolderVfs vfs(folder);
    sqlite3* reader = nullptr;
    ASSERT_EQ(sqlite3_open_v2("s.db", &reader, SQLITE_OPEN_READONLY, vfs.name()), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(reader, "BEGIN; SELECT * FROM meta", nullptr, nullptr, nullptr),
              SQLITE_OK);
    // Opening and closing the file elsewhere in this process leaves the lock.
    std::ifstream(root_ / "s.db").get();
    EXPECT_EQ(sqlite3_exec(writer, "DELETE FROM points", nullptr, nullptr, nullptr), SQLITE_BUSY);
    EXPECT_EQ(sqlite3_exec(reader, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(writer, "DELETE FROM points", nullptr, nullptr, nullptr), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(reader, "DELETE FROM meta", nullptr, nullptr, nullptr), SQLITE_READONLY);
    sqlite3_close(reader);
  }
  sqlite3_close(writer);
  close(folder);
}

TEST_F(SweepApi, SaysWhyADatabaseIsNotShown) {
  std::ofstream(root_ / "empty.db").close();
  EXPECT_EQ(refusal("empty.db"), "'empty.db' is empty: its sweep has not written to it yet");
  std::ofstream(root_ / "text.db") << std::string(5000, 'x');
  EXPECT_EQ(refusal("text.db"), "'text.db' is not the database of a sweep");
  sql("other.db", "CREATE TABLE a (b)");
  EXPECT_EQ(refusal("other.db"), "'other.db' is not the database of a sweep");
  cli_test::write_small_sweep(root_ / "newer.db");
  sql("newer.db", "PRAGMA user_version = 4");
  EXPECT_EQ(refusal("newer.db"),
            "'newer.db' is a database of version 4; this program uses version 3");
  cli_test::write_small_sweep(root_ / "night1/no-meta.db");
  sql("night1/no-meta.db", "DELETE FROM meta WHERE name = 'command'");
  EXPECT_THAT(refusal("night1/no-meta.db"), HasSubstr("'night1/no-meta.db' is damaged: "));
  cli_test::write_small_sweep(root_ / "cut.db");
  fs::resize_file(root_ / "cut.db", 8192);
  EXPECT_EQ(refusal("cut.db"),
            "'cut.db' cannot be used as a database: database disk image is malformed");
  cli_test::write_small_sweep(root_ / "wal.db");
  sql("wal.db", "PRAGMA journal_mode = WAL");
  EXPECT_EQ(refusal("wal.db"),
            "'wal.db' is in WAL mode; sqlite3 'wal.db' 'PRAGMA journal_mode = DELETE' changes "
            "that");
  EXPECT_FALSE(fs::exists(root_ / "wal.db-shm"));
  for (const json& one : cli::web::ReportFolder(root_).list()) {
    EXPECT_EQ(one.contains("kind"), one["path"] == "night1/no-meta.db") << one.dump();
  }
}

TEST_F(SweepApi, LeavesADatabaseToItsRepairThatAKilledProgramWasWriting) {
  cli_test::write_small_sweep(root_ / "s.db");
  const std::string database = root_ / "s.db";
  const std::string copy = folder_.path() / "copy.db";
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(database.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer,
                         "PRAGMA cache_size = 1; BEGIN; DELETE FROM points; "
                         "CREATE TABLE a (b); INSERT INTO a VALUES (zeroblob(100000))",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  fs::copy_file(database, root_ / "killed.db");
  fs::copy_file(database + "-journal", root_ / "killed.db-journal");
  sqlite3_exec(writer, "ROLLBACK", nullptr, nullptr, nullptr);
  sqlite3_close(writer);
  EXPECT_EQ(refusal("killed.db"),
            "'killed.db' was left by a killed program while it wrote; kernbench sweep show "
            "'killed.db' restores it");
  EXPECT_EQ(farm::Store(root_ / "killed.db").table().rows.size(), 3U);
  EXPECT_EQ(ask("killed.db").status, 200);
}

TEST_F(SweepApi, ReachesNoDatabaseOutside) {
  cli_test::write_small_sweep(folder_.path() / "secret.db");
  fs::create_symlink(folder_.path() / "secret.db", root_ / "link.db");
  fs::create_directory_symlink(folder_.path(), root_ / "up");
  fs::create_directory(root_ / "folder.db");
  ASSERT_EQ(mkfifo((root_ / "fifo.db").c_str(), 0600), 0);
  for (const char* const name : {"link.db", "up/secret.db", "folder.db", "fifo.db", "missing.db",
                                 "..%2fsecret.db", "../secret.db", "%2e%2e/secret.db",
                                 "night1/..%2f..%2fsecret.db", "", "night1", "secret.db%00.db"}) {
    EXPECT_THAT(ask(name).status, ::testing::AnyOf(400, 404)) << name;
  }
  EXPECT_EQ(refusal("link.db", 404), "sweep not found");
  // A database is not sent as a file.
  cli_test::write_small_sweep(root_ / "s.db");
  const cli_test::RunningViewer viewer(cli_test::small_system(), root_);
  EXPECT_EQ(get(viewer.port(), "/reports/s.db").status, 404);
  EXPECT_EQ(cli::web::ReportFolder(root_).list().size(), 1U);
}

TEST_F(SweepApi, SqliteFollowsNoLinkThatReplacesTheCheckedFile) {
  cli_test::write_small_sweep(folder_.path() / "secret.db");
  fs::create_symlink(folder_.path() / "secret.db", root_ / "link.db");
  const int folder = open(root_.c_str(), O_RDONLY | O_DIRECTORY);
  EXPECT_THROW(farm::Store(folder, "link.db"), common::BadInput);
  close(folder);
}

}  // namespace
}  // namespace kernbench
