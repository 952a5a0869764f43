// SPDX-License-Identifier: Apache-2.0
// The key of a point depends on the content of every file that its command reads.
#include "cli/farm/point_inputs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::cli {
namespace {

class PointKeys : public ::testing::Test {
 protected:
  PointKeys() {
    invocation_.root = places::kSource;
    invocation_.parts = all_parts();
  }

  [[nodiscard]] std::string key(const Words& words) const {
    return PointInputs(invocation_).key(words);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  /// Expects another key when a byte of `file` changes.
  void expect_to_count(const Words& words, const std::string& file, const std::string& before,
                       const std::string& after) const {
    (void)folder_.write(file, before);
    const std::string first = key(words);
    (void)folder_.write(file, after);
    EXPECT_NE(key(words), first) << fmt::format("{}: {}", fmt::join(words, " "), file);
  }

  Invocation invocation_;
  common::TempFolder folder_;
};

TEST_F(PointKeys, DependOnEveryInputOfEveryCommandOfASweep) {
  std::size_t tried = 0;
  Command program("kernbench", "All commands");
  add_commands(program, invocation_);
  const std::map<std::string, Words> commands = {
      {"run", {"run", "transformer"}},          {"traffic", {"traffic"}}, {"probe", {"probe"}},
      {"evaluate", {"evaluate", "all-reduce"}}, {"cosim", {"cosim"}},
  };
  for (const auto& [name, begin] : commands) {
    const Command* command = program.find(begin.front());
    for (const auto& option : command->options()) {
      const std::string& as = option->name();
      if (option->path() == nullptr || option->path()->path->use != PathUse::Input) continue;
      if (as == "--figures" || as == "--engine") continue;  // not of a point
      if (as == "bench") continue;                          // tests/python/files_test.py
      Words words = begin;
      std::string file = "in.json";
      std::string value = path(file);
      if (name == "traffic" && as != "--spec") words.emplace_back("Mesh2D(2,2)");
      if (as == "--set") {
        value = "model=" + value;
      }
      words.insert(words.end(), {as, value});
      if (as == "--spec") {
        expect_to_count(words, file, "topology: {kind: BidirectionalLine, n: 4}",
                        "topology: {kind: BidirectionalLine, n: 5}");
      } else {
        expect_to_count(words, file, "a", "b");
      }
      ++tried;
    }
  }
  EXPECT_GT(tried, 15U);
}

TEST_F(PointKeys, DependOnFilesThatOnlyOtherFilesName) {
  (void)folder_.write("zoo.yaml", "topology: {kind: CustomTopology, edges_from: graph.csv}\n");
  expect_to_count({"traffic", "--spec", path("zoo.yaml")}, "graph.csv", "src,dst\n0,1\n1,0\n",
                  "src,dst\n0,1\n1,0\n1,2\n2,1\n");
}

TEST_F(PointKeys, DependOnTheModelOfABenchThatCosimRuns) {
  expect_to_count({"cosim", "--workload", "bench:transformer", "--set", "model=" + path("m.yaml")},
                  "m.yaml", "a", "b");
}

TEST_F(PointKeys, AreRefusedForACommandThatWritesAFileOrHasNothingToRun) {
  const auto problem = [&](const Words& words) -> std::string {
    try {
      return key(words);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(problem({"run", "gemm", "--export-chakra", "t"}),
            "a sweep does not take '--export-chakra' of a command");
  EXPECT_EQ(problem({"evaluate", "gemm", "--plots", "t"}),
            "a sweep does not take '--plots' of a command");
  EXPECT_EQ(problem({"cosim", "--calibrate", "t"}),
            "a sweep does not take '--calibrate' of a command");
  EXPECT_EQ(problem({"run", "--device", "0"}), "kernbench run needs the argument bench");
  EXPECT_EQ(problem({"traffic"}),
            "give either a topology, such as 'Mesh2D(4,4)', or a --spec file");
}

}  // namespace
}  // namespace kernbench::cli
