// SPDX-License-Identifier: Apache-2.0
// Every option that takes a path is known as an input, an output or a folder, and every input is
// read within limits.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "all_commands.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::cli {
namespace {

using cli_test::Finished;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// An option of a command, such as --json of "topology export".
struct Place {
  std::string command;
  std::string option;  ///< its name, or that of the argument
  const Option* is = nullptr;
};

/// All commands, which run nothing.
class Commands {
 public:
  Commands() {
    for (const Command* const command : all_commands(commands_.program())) {
      for (const auto& option : command->options()) {
        if (option->is_flag()) continue;
        places_.push_back({command->parent() == nullptr ? "kernbench" : command->path(),
                           option->name(), option.get()});
      }
    }
  }

  /// Options and arguments with a value.
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }

 private:
  AllCommands commands_;
  std::vector<Place> places_;
};

/// Options whose values are texts of other kinds, so that they name no file.
const std::set<std::string> kTexts = {"--allow-host",
                                      "--bind",
                                      "--fabric",
                                      "--fail-if",
                                      "--fault",
                                      "--from",
                                      "--hotspot-share",
                                      "--loads",
                                      "--module",
                                      "--node",
                                      "--nodes",
                                      "--over",
                                      "--part",
                                      "--pattern",
                                      "--plusarg",
                                      "--suite",
                                      "--to",
                                      "--trace-window",
                                      "--view",
                                      "--waves",
                                      "--what-if",
                                      "-D",
                                      "bad",
                                      "command",
                                      "good",
                                      "SETTING",
                                      "keys",
                                      "name",
                                      "topology"};

TEST(PathOptions, EveryOptionOfTextNamesAPathOrIsKnownNotTo) {
  std::set<std::string> texts;
  const Commands commands;
  for (const Place& place : commands.places()) {
    if (place.is->path() != nullptr || place.is->kind() != ValueKind::Text) continue;
    // The --set of a command without benches has only keys of a topology.
    const bool is_topology_key = place.option == "--set";
    if (!is_topology_key) texts.insert(place.option);
  }
  EXPECT_THAT(texts, ElementsAreArray(kTexts))
      << "Give a new option that takes a path one of the checks of cli/line/path_kinds.hpp, and "
         "list another text "
         "here.";
}

/// The words beside an option that make its command read the option's file.
Words other_words(const std::string& command, const std::string& option) {
  if (option == "--set") {
    return command == "serve" ? Words{} : Words{"transformer"};
  }
  if (option == "--plugin" && command == "kernbench") return {"list"};
  if (option == "--spec" || option == "topology") return {};
  if (command == "run" || command == "kernel record") return {"vector-add"};
  if (command == "traffic") return {"Mesh2D(2,2)"};
  if (command == "coverage merge") return {"-o", "merged.json"};
  if (command == "evaluate") {
    return option == "--figures" ? Words{"gemm", "--plots", "plots"}
                                 : Words{"gemm", "--json", "gemm.json"};
  }
  if (command == "topology route") return {"--from", "sip0.cube0.pe0", "--to", "sip0.cube0.m_cpu"};
  if (command == "replay") {
    if (option == "file") return {};
    return {option == "--topology" || option == "--ccl" ? "in.et" : "in.json"};
  }
  if (command == "structure") return {"--models", "models"};
  if (command == "sim" && option == "--noc") {
    return {places::source("/configs/regressions/noc.yaml"), "--models", "models", "--report",
            "report"};
  }
  if (command == "sim") return {"--models", "models", "--report", "report"};
  if (command == "cosim" && option == "--ccl") {
    return {"--workload", "bench:all-reduce", "--models", "models"};
  }
  if (command == "cosim") return {"--models", "models", "--report", "report"};
  if (command == "sweep compare") return {"in.db"};
  if (command == "sweep rm") return {"--failed"};
  if (command == "sweep" && option == "--engine") return {"plan.yaml"};
  if (command == "job run" && option == "--engine") return {"job.json"};
  return {};
}

class InputOptions : public ::testing::Test {
 protected:
  InputOptions() {
    std::filesystem::create_directories(scratch());
    (void)folder_.write(
        "plan.yaml", "command: [probe]\nparameters: {bytes: [64]}\ntargets: {config_hash: none}\n");
    (void)folder_.write("job.json",
                        R"({"schema": 1, "kind": "job", "folder": ".", "results": "r",
                            "targets": [], "points": []})");
  }
  [[nodiscard]] std::filesystem::path scratch() const { return folder_.path() / "scratch"; }

  /// Makes the names of inputs lead to `target`.
  void link_inputs(const std::string& target) const {
    for (const char* name :
         {"in.csv", "in.json", "in.yaml", "in.f", "in.sv", "in.so", "in.db", "in.0.et"}) {
      std::filesystem::create_symlink(target, folder_.path() / name);
    }
  }

  /// Runs the command of each option that takes an input with it, in 1 GB of memory.
  void expect_each_refused(const std::set<std::string>& left_out = {}) const {
    static const std::map<std::string, std::string> kFiles = {
        {"--topology", "in.yaml"},   {"--ccl", "in.yaml"},     {"--spec", "in.yaml"},
        {"regression", "in.yaml"},   {"plan", "in.yaml"},      {"--engine", "in.yaml"},
        {"--requests", "in.csv"},    {"--workload", "in.csv"}, {"--model", "./in.so"},
        {"--plugin", "./in.so"},     {"--rtl", "in.sv"},       {"--filelist", "in.f"},
        {"--set", "model=in.yaml"},  {"file", "in.json"},      {"database", "in.db"},
        {"before", "in.db"},         {"after", "in.db"},       {"--list", "in.f"},
        {"--parameters", "in.yaml"}, {"--noc", "in.yaml"}};
    std::size_t tried = 0;
    const Commands commands;
    for (const Place& place : commands.places()) {
      const Check* const path = place.is->path();
      if (path == nullptr || path->path->use != PathUse::Input) continue;
      if (left_out.contains(place.option)) continue;
      Words words = {"/bin/sh", "-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", places::kKernbench};
      std::string name;
      if (place.command != "kernbench") {
        for (const char c : place.command + " ") {
          if (c != ' ') {
            name += c;
          } else {
            words.push_back(std::exchange(name, {}));
          }
        }
      }
      const auto file = kFiles.find(place.option);
      const std::string value = file == kFiles.end() ? "in.json" : file->second;
      const Words others = other_words(place.command, place.option);
      if (place.option == "after") words.insert(words.end(), others.begin(), others.end());
      if (place.option.starts_with("-")) words.push_back(place.option);
      words.push_back(value);
      if (place.option != "after") words.insert(words.end(), others.begin(), others.end());
      const Finished finished = cli_test::Process(words, folder_.path(), scratch()).wait();
      const std::string text = fmt::format("{}: {}", fmt::join(words, " "), finished.err);
      EXPECT_EQ(finished.exit_code, 2) << text;
      EXPECT_THAT(finished.err, HasSubstr("error: ")) << text;
      EXPECT_THAT(finished.err, Not(HasSubstr("internal error"))) << text;
      EXPECT_LT(finished.err.size(), 2000U) << text;
      // Nothing is built before all inputs are read.
      EXPECT_THAT(cli_test::files_under(folder_.path() / "models"), IsEmpty()) << text;
      ++tried;
    }
    EXPECT_GT(tried, 45U);
  }

  common::TempFolder folder_;
};

TEST_F(InputOptions, ADeviceWithoutAnEndIsRefused) {
  link_inputs("/dev/zero");
  expect_each_refused();
}

TEST_F(InputOptions, AnEmptyFileIsRefused) {
  (void)folder_.write("empty", "");
  link_inputs("empty");
  expect_each_refused({"--rtl"});  // an empty source is one
}

TEST_F(InputOptions, AFolderIsRefused) {
  std::filesystem::create_directories(folder_.path() / "folder");
  link_inputs("folder");
  expect_each_refused();
}

}  // namespace
}  // namespace kernbench::cli
