// SPDX-License-Identifier: Apache-2.0
// Libraries of --plugin: what the program exports to them, and what it says of those it cannot use.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/hash.hpp"
#include "common/sanitized.hpp"
#include "common/text_file.hpp"
#include "model/plugin/plugin.hpp"
#include "model/plugin/plugin_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using common::kSanitized;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::string library(const std::string& name) {
  return fmt::format("{}/plugin_{}.so", places::kPlugins, name);
}

class PluginOption : public ::testing::Test {
 protected:
  [[nodiscard]] Finished kernbench(std::vector<std::string> words) const {
    std::filesystem::create_directories(folder_.path() / "scratch");
    return cli_test::kernbench(std::move(words), folder_.path(), folder_.path() / "scratch");
  }
  [[nodiscard]] Finished crash(const std::string& where) const {
    (void)folder_.write("topology.yaml",
                        "sip: {cube_mesh: {w: 2, h: 1}}\n"
                        "cube: {pe_layout: {pe_per_corner: 1}, "
                        "memory_map: {slices_per_cube: 4}}\n");
    return kernbench({"run", "--plugin", library("crashing"), "--topology", "topology.yaml",
                      "crash", "--set", "where=" + where});
  }
  /// Writes a copy of a library in which `from` is replaced by `to` of the same length.
  [[nodiscard]] std::string edited(const std::string& name, std::string_view from,
                                   std::string_view to) const {
    std::string bytes = common::read_text_file(library(name));
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    EXPECT_EQ(from.size(), to.size());
    return folder_.write("edited.so", bytes.replace(at, from.size(), to)).string();
  }
  /// Expects that `list` with these plugins ends with these errors and exit code 2.
  void expect_refused(const std::vector<std::string>& paths, const std::string& errors) const {
    std::vector<std::string> words = {"list"};
    for (const std::string& path : paths) words.insert(words.end(), {"--plugin", path});
    const Finished finished = kernbench(words);
    EXPECT_EQ(finished.err, errors);
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(finished.exit_code, 2);
  }
  common::TempFolder folder_;
};

const std::string kLabel = fmt::format("plugin 'crashing' 2.1 ({})", library("crashing"));

TEST_F(PluginOption, IsAcceptedBeforeAndAfterTheCommand) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--plugin", library("crashing"), "list"},
        {"list", "--plugin", library("crashing")},
        {"list", "--plugin=" + library("crashing")}}) {
    const Finished finished = kernbench(words);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_THAT(finished.out, HasSubstr("  crash                Crashes\n"));
  }
  EXPECT_THAT(kernbench({"list"}).out, Not(HasSubstr("Crashes")));
}

TEST_F(PluginOption, IsRecordedInReports) {
  const Finished finished = kernbench({"traffic", "Mesh2D(2,2)", "--loads", "0.1", "--plugin",
                                       library("crashing"), "--json", "report.json"});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const auto json = nlohmann::json::parse(common::read_text_file(folder_.path() / "report.json"));
  const nlohmann::json expected = {
      {{"name", "crashing"},
       {"version", "2.1"},
       {"hash", common::hex64(common::hash_bytes(common::read_text_file(library("crashing"))))}}};
  EXPECT_EQ(json.at("plugins"), expected);
}

TEST_F(PluginOption, MustNameAPlugin) {
  const std::string text = folder_.write("text.so", "not a library").string();
  const std::string half =
      folder_.write("half.so", common::read_text_file(library("throwing")).substr(0, 2000))
          .string();
  expect_refused(
      {"missing.so", ".", text, half, places::kNotAModel},
      fmt::format("error: --plugin: cannot read 'missing.so': No such file or directory\n"
                  "error: --plugin: cannot read '.': it is a folder\n"
                  "error: --plugin: '{}' is not a shared library of this machine\n"
                  "error: --plugin: '{}' is not a plugin: it has no KERNBENCH_PLUGIN(\"name\", "
                  "\"version\")\n"
                  "error: --plugin: '{}' is not a plugin: it has no KERNBENCH_PLUGIN(\"name\", "
                  "\"version\")\n",
                  text, half, places::kNotAModel));
}

TEST_F(PluginOption, OfOtherHeadersIsRefusedBeforeItsCodeRuns) {
  const std::string path = edited("throwing", model::plugin::api_hash(), "0123456789abcdef");
  expect_refused({path}, fmt::format("error: --plugin: plugin 'throwing' 1.0 ({}) was built "
                                     "against headers 0123456789abcdef, but this kernbench has "
                                     "headers {}; rebuild it against the headers of this "
                                     "kernbench\n",
                                     path, model::plugin::api_hash()));
}

TEST_F(PluginOption, OfAnotherAbiIsRefusedBeforeItsCodeRuns) {
  const std::string path = edited("throwing", "CXX11_ABI=1", "CXX11_ABI=0");
  expect_refused({path}, fmt::format("error: --plugin: plugin 'throwing' 1.0 ({}) was compiled for "
                                     "libstdc++, _GLIBCXX_USE_CXX11_ABI=0, "
                                     "EIGEN_MAX_ALIGN_BYTES=16, but this kernbench for libstdc++, "
                                     "_GLIBCXX_USE_CXX11_ABI=1, EIGEN_MAX_ALIGN_BYTES=16; compile "
                                     "it with the options of KernBench::api\n",
                                     path));
}

TEST_F(PluginOption, MayUseOnlyWhatIsMarkedForPlugins) {
  expect_refused(
      {library("unresolved")},
      fmt::format("error: --plugin: plugin 'unresolved' 1.0 ({}) cannot be loaded: undefined "
                  "symbol: kernbench::cli::exit_code_text[abi:cxx11](); the headers of kernbench "
                  "mark what a plugin may use by KERNBENCH_API\n",
                  library("unresolved")));
}

TEST_F(PluginOption, MustRegisterNewNames) {
  const std::string label =
      fmt::format("error: --plugin: plugin 'refused' 1.0 ({}): ", library("refused"));
  std::string errors;
  for (const char* const error : {
           "the bench name 'gemm' is already registered",
           "the bench name 'GEMM' is not in kebab-case",
           "the bench 'empty' has no function",
           "there is no component 'hbm_ctl' to replace; did you mean 'hbm_ctrl'?",
           "the component 'sram' is already replaced",
           "the traffic name 'transpose' is already registered",
           "the traffic name 'bit reverse' is not lower-case words such as 'bit_reverse' or "
           "'booksim.tornado'",
           "the traffic name 'all_to_all' is that of another workload",
           "the traffic name 'my.csv' is not lower-case words such as 'bit_reverse' or "
           "'booksim.tornado'",
           "the traffic 'no_way' has no function",
           "the collective 'all_reduce' is already registered",
           "the neighbour kind 'ring' is already registered",
           "the algorithm 'pairwise' is already registered",
       }) {
    errors += label + error + "\n";
  }
  expect_refused({library("refused")}, errors);
}

TEST_F(PluginOption, MustRegisterWholeCollectives) {
  expect_refused(
      {library("incomplete")},
      "error: --plugin: the neighbour kind 'nowhere' has no function\n"
      "error: --plugin: the collective 'nothing' lacks a function of its contract: input_blocks, "
      "output_blocks and after are needed\n"
      "error: --plugin: the collective 'nothing' has no algorithm\n"
      "error: --plugin: the algorithm 'idle' has no kernel\n"
      "error: --plugin: the algorithm 'idle' is for the collective 'noting', which is unknown\n"
      "error: --plugin: the algorithm 'idle' has no neighbour kind\n"
      "error: --plugin: the algorithm 'lost' needs the neighbour kind 'rings', which is unknown\n");
}

TEST_F(PluginOption, IsLoadedOnce) {
  expect_refused({library("crashing"), library("crashing")},
                 fmt::format("error: --plugin: {}: a plugin of this name is already loaded from "
                             "{}\n",
                             kLabel, library("crashing")));
}

TEST_F(PluginOption, IsNotOverwrittenByAReport) {
  const std::string copy =
      folder_.write("copy.so", common::read_text_file(library("crashing"))).string();
  const Finished finished = kernbench({"traffic", "Mesh2D(2,2)", "--plugin", copy, "--json", copy});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            fmt::format("error: --json: '{}' is also the input of --plugin, which it would "
                        "overwrite\n",
                        copy));
}

TEST_F(PluginOption, ReportsTrafficToNoEndpoint) {
  const Finished finished = kernbench(
      {"traffic", "Mesh2D(2,2)", "--plugin", library("crashing"), "--pattern", "outside"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.err,
            "error: outside sends from endpoint 0 to endpoint 4, but Mesh2D(2,2) has 4\n");
}

class PluginCrash : public PluginOption {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "sanitizers report crashes themselves";
  }
};

TEST_F(PluginCrash, NamesThePlugin) {
  const std::string fault = "segmentation fault at address 0x0, a null pointer";
  const struct {
    const char* where;
    std::string error;
  } cases[] = {
      {"host", "bench 'crash': the host's part of the bench crashed, in " + kLabel + ": " + fault},
      {"component", "bench 'crash': " + kLabel + " crashed: " + fault},
      {"terminate",
       "bench 'crash': the host's part of the bench crashed, in " + kLabel +
           ": std::terminate() was called for an exception that cannot be caught: thrown by a "
           "noexcept function"},
  };
  for (const auto& [where, error] : cases) {
    const Finished finished = crash(where);
    EXPECT_EQ(cli_test::first_line(finished.err), "error: " + error);
    EXPECT_THAT(finished.err, HasSubstr("\n  at plugin_crashing.so+0x"));
    EXPECT_EQ(finished.exit_code, 1) << where;
  }
  const Finished kernel = crash("kernel");
  EXPECT_THAT(cli_test::first_line(kernel.err),
              ::testing::MatchesRegex(
                  "error: bench 'crash': kernel 'crash' on sip0.cube0.pe1 crashed after tl.load at "
                  ".*tests/cli/plugins/crashing.cpp:[0-9]+, in plugin 'crashing' 2.1 .*: "
                  "segmentation fault at address 0x0, a null pointer"));
  EXPECT_EQ(kernel.exit_code, 1);
}

TEST_F(PluginCrash, InTheProgramNamesThePluginThatCalledIt) {
  const Finished finished = crash("program");
  EXPECT_THAT(cli_test::first_line(finished.err),
              StartsWith("error: bench 'crash': the host's part of the bench crashed, called by " +
                         kLabel + ": segmentation fault at address 0x"));
  EXPECT_EQ(finished.exit_code, 5);
}

TEST_F(PluginCrash, OfTrafficNamesThePlugin) {
  const Finished finished =
      kernbench({"traffic", "Mesh2D(2,2)", "--plugin", library("crashing"), "--pattern", "crash"});
  EXPECT_EQ(cli_test::first_line(finished.err),
            "error: " + kLabel + " crashed: segmentation fault at address 0x0, a null pointer");
  EXPECT_EQ(finished.exit_code, 1);
}

TEST_F(PluginCrash, WhileItIsLoadedNamesThePlugin) {
  const Finished finished = kernbench({"list", "--plugin", library("throwing")});
  EXPECT_EQ(
      cli_test::first_line(finished.err),
      fmt::format("error: plugin 'throwing' 1.0 ({}) crashed: std::terminate() was called for "
                  "an exception that cannot be caught: no licence",
                  library("throwing")));
  EXPECT_EQ(finished.exit_code, 1);
}

/// Returns the defined dynamic symbols of the program, demangled.
std::vector<std::string> exported_symbols() {
  const common::TempFolder folder;
  const Finished finished = cli_test::Process({"/usr/bin/nm", "-DC", "--defined-only",
                                               "--format=posix", places::kKernbench},
                                              folder.path(), folder.path())
                                .wait();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  std::vector<std::string> symbols;
  std::istringstream lines(finished.out);
  for (std::string line; std::getline(lines, line);) {
    // "NAME TYPE VALUE SIZE"
    symbols.push_back(std::regex_replace(line, std::regex(R"( \w [0-9a-f]+( [0-9a-f]*)?$)"), ""));
  }
  return symbols;
}

/// Returns the words of all headers for plugins.
std::set<std::string> words_of_headers() {
  std::set<std::string> words;
  const std::regex word(R"(\w+)");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(places::kApiInclude)) {
    if (entry.path().extension() != ".hpp") continue;
    const std::string text = common::read_text_file(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) {
      words.insert(at->str());
    }
  }
  return words;
}

/// Returns the names in a symbol of ours: "kernbench", "model", "Tl" and "load" of
/// "kernbench::model::kernel::Tl::load(...) const".
std::vector<std::string> names_in(const std::string& symbol) {
  std::vector<std::string> names;
  static const std::regex name(R"(~?\w+)");
  const std::size_t begin = symbol.find("kernbench::");
  const std::string qualified = symbol.substr(begin, symbol.find_first_of("(<[ ", begin) - begin);
  for (std::sregex_iterator at(qualified.begin(), qualified.end(), name), end; at != end; ++at) {
    names.push_back(at->str().front() == '~' ? at->str().substr(1) : at->str());
  }
  return names;
}

TEST(PluginExports, AreThoseOfTheHeadersAndOfTheStandardLibraries) {
  if (kSanitized) GTEST_SKIP() << "sanitizers export their own";
  const std::set<std::string> known = words_of_headers();
  std::size_t ours = 0;
  for (const std::string& symbol : exported_symbols()) {
    if (symbol.find("kernbench::") == std::string::npos) {
      // Symbols of the program that the system's libraries use.
      EXPECT_THAT(symbol, ::testing::ContainsRegex("std::|@GLIBC|^_IO_stdin_used"));
      continue;
    }
    if (symbol.find(" std::") != std::string::npos || symbol.starts_with("std::")) continue;
    ++ours;
    for (const std::string& name : names_in(symbol)) EXPECT_THAT(known, Contains(name)) << symbol;
  }
  EXPECT_GT(ours, 200U);
}

TEST(PluginExports, LeaveOutWhatIsNotForPlugins) {
  if (kSanitized) GTEST_SKIP() << "sanitizers export their own";
  const std::vector<std::string> symbols = exported_symbols();
  EXPECT_THAT(symbols, Contains(StartsWith("kernbench::model::runtime::Context::launch(")));
  for (const char* const hidden :
       {"kernbench::cli::", "kernbench::cosim::", "kernbench::sim::",
        "kernbench::model::bench::run_bench", "kernbench::model::bench::find_bench",
        "kernbench::model::plugin::"}) {
    EXPECT_THAT(symbols, Not(Contains(HasSubstr(hidden))));
  }
}

TEST(PluginFile, WithoutItsEndIsNoPlugin) {
  const std::string whole = common::read_text_file(library("throwing"));
  ASSERT_TRUE(model::plugin::read_facts(whole));
  EXPECT_EQ(model::plugin::read_facts(whole)->name, "throwing");
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    EXPECT_FALSE(model::plugin::read_facts(std::string_view(whole).substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace kernbench
