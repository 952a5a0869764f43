// SPDX-License-Identifier: Apache-2.0
// The database of a sweep: rows in the order of the plan, whatever the order of results.
#include "farm/store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <memory>

#include "common/text_file.hpp"
#include "farm/csv.hpp"
#include "farm/local_engine.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::farm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Plan a_plan(const std::string& points = "[8, 16, 2.5]") {
  return parse_plan("command: [run, gemm]\nparameters: {bench.m: " + points +
                        "}\ntargets: {data.end_ps: min, data.name: none}\n",
                    "p.yaml");
}

PointResult result_of(const std::string& key, nlohmann::json value) {
  PointResult result;
  result.key = key;
  result.outcome = common::Outcome::Pass;
  result.grade = "within 1.0 %";
  result.targets = {std::move(value), "a,b"};
  result.report = "{\"a\": 1}\n";
  result.seconds = 0.5;
  result.worker = "host";
  return result;
}

PointResult start_of(const std::string& key, std::uint32_t attempt) {
  PointResult result;
  result.key = key;
  result.attempt = attempt;
  return result;
}

class StoreTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "s.db"; }
  [[nodiscard]] std::string file_named(const char* name) const {
    return (folder_.path() / name).string();
  }

  common::TempFolder folder_;
};

TEST_F(StoreTest, HasTheRowsInTheOrderOfThePlan) {
  Store store(path(), a_plan(), {"k1", "k2", "k3"});
  store.add({result_of("k3", 0.1)});
  PointResult failed = result_of("k1", nullptr);
  failed.outcome = common::Outcome::Deadlock;
  failed.grade.clear();
  store.add({failed, result_of("other", 1)});
  EXPECT_EQ(csv_of(store.table()),
            "key,bench.m,outcome,grade,data.end_ps,data.name\n"
            "k1,8,deadlock,,,\"a,b\"\n"
            "k3,2.5,pass,within 1.0 %,0.1,\"a,b\"\n");
  EXPECT_THAT(store.finished(), ElementsAre(Pair("k1", common::Outcome::Deadlock),
                                            Pair("k3", common::Outcome::Pass)));
  EXPECT_EQ(store.report("k3"), "{\"a\": 1}\n");
  EXPECT_EQ(store.report("k2"), "");
  EXPECT_EQ(store.table().planned, 3U);
}

TEST_F(StoreTest, CountsTheStartsOfPoints) {
  Store store(path(), a_plan(), {"k1", "k2", "k3"});
  store.add({start_of("k1", 1), start_of("k2", 1), result_of("k2", 5)});
  store.add({start_of("k1", 2)});
  EXPECT_THAT(store.attempts(), ElementsAre(Pair("k1", 2), Pair("k2", 1)));
  EXPECT_THAT(store.finished(), ElementsAre(Pair("k2", common::Outcome::Pass)));
}

TEST_F(StoreTest, ARowIsKeptWhenItsPointComesTwice) {
  Store store(path(), a_plan(), {"k1", "k2", "k3"});
  store.add({result_of("k1", 5)});
  store.add({result_of("k1", 6), start_of("k1", 2)});
  EXPECT_EQ(store.table().rows[0].targets[0], 5);
  EXPECT_THAT(store.attempts(), ElementsAre(Pair("k1", 2)));
}

TEST_F(StoreTest, KeepsRowsOfAFormerPlanOutOfTheTable) {
  { Store(path(), a_plan(), {"k1", "k2", "k3"}).add({result_of("k1", 5), result_of("k2", 6)}); }
  const Store store(path(), a_plan("[16, 4]"), {"k2", "k4"});
  const Table table = store.table();
  EXPECT_EQ(csv_of(table),
            "key,bench.m,outcome,grade,data.end_ps,data.name\nk2,16,pass,within 1.0 %,6,\"a,b\"\n");
  EXPECT_EQ(table.former, 1U);
  EXPECT_THAT(store.finished(), ElementsAre(Pair("k2", common::Outcome::Pass)));
}

TEST_F(StoreTest, RemovesRows) {
  Store store(path(), a_plan(), {"k1", "k2", "k3"});
  store.add({result_of("k1", 5), result_of("k2", 6)});
  EXPECT_EQ(store.remove({"k1", "none"}), 1U);
  EXPECT_THAT(store.finished(), ElementsAre(Pair("k2", common::Outcome::Pass)));
  EXPECT_EQ(store.report("k1"), "");
  EXPECT_THAT(store.attempts(), ElementsAre(Pair("k2", 1)));
}

TEST_F(StoreTest, RefusesAFileThatIsNotADatabaseOfASweep) {
  const auto text = folder_.write("text.db", "hello, this is a file with some text in it");
  EXPECT_EQ(common::bad_input_of([&] { const Store store(text); }),
            "error: '" + file_named("text.db") + "' is not the database of a sweep");
  EXPECT_EQ(
      common::bad_input_of([&] { const Store store(folder_.path() / "none.db"); }),
      "error: cannot open database '" + file_named("none.db") + "': unable to open database file");
}

TEST_F(StoreTest, RefusesOtherColumns) {
  { const Store store(path(), a_plan(), {"k1", "k2", "k3"}); }
  EXPECT_EQ(
      common::bad_input_of([&] {
        const Store store(path(),
                          parse_plan("command: [run]\nparameters: {seed: [1]}\n"
                                     "targets: {data.end_ps: min, data.name: none}\n",
                                     "p.yaml"),
                          {"k1"});
      }),
      "error: '" + file_named("s.db") +
          "' has the parameters bench.m, but the plan has seed; name another file by --output");
}

TEST_F(StoreTest, RefusesTheDatabaseOfAnotherVersion) {
  { const Store store(path(), a_plan(), {"k1", "k2", "k3"}); }
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "PRAGMA user_version = 7", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  EXPECT_EQ(common::bad_input_of([&] { const Store store(path()); }),
            "error: '" + file_named("s.db") +
                "' is a database of version 7; this program uses version 3");
}

TEST_F(StoreTest, RefusesADatabaseThatAnotherProgramMade) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "CREATE TABLE a (b)", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  EXPECT_EQ(common::bad_input_of([&] { const Store store(path()); }),
            "error: '" + file_named("s.db") + "' is not the database of a sweep");
}

TEST_F(StoreTest, RefusesADamagedDatabaseAndWritesNothing) {
  const std::vector<std::pair<std::string, std::string>> damages = {
      {"DROP TABLE host", "it has no table 'host'"},
      {"DROP TABLE reports", "it has no table 'reports'"},
      {"DROP TABLE points", "it has no table 'points'"},
      {"DROP TABLE meta", "it has no table 'meta'"},
      {"DELETE FROM meta", "'parameters' of its table 'meta' is not a list of names"},
      {"UPDATE meta SET value = ''", "'parameters' of its table 'meta' is not a list of names"},
      {"UPDATE meta SET value = '[1]' WHERE name = 'parameters'",
       "'parameters' of its table 'meta' is not a list of names"},
      {"UPDATE meta SET value = '{' WHERE name = 'targets'",
       "'targets' of its table 'meta' is not a list of targets"},
      {"UPDATE meta SET value = '[{\"path\": 1}]' WHERE name = 'targets'",
       "'targets' of its table 'meta' is not a list of targets"},
      {"UPDATE meta SET value = 'run' WHERE name = 'command'",
       "'command' of its table 'meta' is not a list of names"},
      {"ALTER TABLE points RENAME COLUMN message TO text",
       "its table 'points' has no column 'message'"},
      {"ALTER TABLE points RENAME COLUMN \"bench.m\" TO m",
       "its table 'points' has no column 'bench.m'"},
  };
  for (const auto& [sql, problem] : damages) {
    std::filesystem::remove(path());
    { const Store store(path(), a_plan(), {"k1", "k2", "k3"}); }
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
    const std::string before = common::read_text_file(path());
    const std::string expected =
        fmt::format("error: '{}' is damaged: {}", file_named("s.db"), problem);
    EXPECT_EQ(common::bad_input_of([&] { const Store store(path(), a_plan(), {"k1"}); }), expected)
        << sql;
    EXPECT_EQ(common::bad_input_of([&] { const Store store(path()); }), expected) << sql;
    EXPECT_EQ(common::read_text_file(path()), before) << sql;
  }
}

TEST_F(StoreTest, RefusesADamagedReport) {
  {
    Store store(path(), a_plan(), {"k1", "k2", "k3"});
    store.add({result_of("k1", 1)});
  }
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "UPDATE reports SET text = x'00'", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  EXPECT_EQ(
      common::bad_input_of([&] { (void)Store(path()).report("k1"); }),
      "error: '" + file_named("s.db") + "' is damaged: the report of point k1 cannot be read");
}

TEST_F(StoreTest, OneSweepAtATimeHasTheFolderOfItsJobs) {
  const JobFolder folder(path());
  EXPECT_THAT(folder.left_results(), IsEmpty());
  EXPECT_EQ(common::bad_input_of([&] { const JobFolder second(path()); }),
            "error: '" + file_named("s.db") +
                "' is in use by another sweep; wait for its end or name another file by --output");
}

// A process that a killed sweep was starting has its descriptors for a moment.
TEST_F(StoreTest, TheFolderOfJobsIsWaitedForShortly) {
  auto first = std::make_unique<JobFolder>(path());
  std::future<bool> second = std::async(std::launch::async, [this] {
    const JobFolder folder(path());
    return std::filesystem::exists(folder.path());  // the first one removes it at its end
  });
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  first.reset();
  EXPECT_TRUE(second.get());
}

}  // namespace
}  // namespace kernbench::farm
