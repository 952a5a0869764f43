// SPDX-License-Identifier: Apache-2.0
// The pages name only commands, options, folders, files and counts that exist.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "common/text_file.hpp"
#include "model/bench/registry.hpp"
#include "page_code.hpp"
#include "sim/cover/coverage_data.hpp"
#include "sim/fault/fault_spec.hpp"
#include "sim/regression/regression_spec.hpp"
#include "stale_check.hpp"
#include "tests/places.hpp"
#include "topology/maze_links.hpp"
#include "topology/zoo/zoo_kinds.hpp"

namespace kernbench::docs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace fs = std::filesystem;

/// Returns the pages without the changelog, which names former things.
std::vector<SourceFile> current_pages() {
  std::vector<SourceFile> found = repository_files({".", "docs", "benchmarks"}, {".md"});
  std::erase_if(found, [](const SourceFile& page) { return page.path == "CHANGELOG.md"; });
  return found;
}

std::set<std::string> script_options() {
  std::set<std::string> options;
  const std::regex form("add_argument\\(\"(--[a-z-]+)\"");
  for (const SourceFile& file : repository_files({"scripts", "formal"}, {".py"})) {
    for (auto match = std::sregex_iterator(file.text.begin(), file.text.end(), form);
         match != std::sregex_iterator(); ++match) {
      options.insert((*match)[1]);
    }
  }
  return options;
}

std::uint64_t matches(const std::string& text, const std::string& pattern) {
  const std::regex form(pattern);
  return static_cast<std::uint64_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), form), std::sregex_iterator()));
}

/// Returns the kinds of mutants.
std::uint64_t mutant_kinds(const std::string& yaml) {
  std::set<std::string> kinds;
  const std::regex form("\n +kind: ([a-z_]+)");
  for (auto match = std::sregex_iterator(yaml.begin(), yaml.end(), form);
       match != std::sregex_iterator(); ++match) {
    kinds.insert((*match)[1]);
  }
  return kinds.size();
}

std::vector<Count> repository_counts() {
  const topology::MazeLinks links(8, 8);
  const std::string mutants = common::read_text_file(places::source("/tests/mutants/mutants.yaml"));
  const auto regression = sim::load_regression(places::source("/configs/regressions/default.yaml"));
  sim::CoverageData coverage({8, 8, 8}, links, regression.packets_per_link);
  coverage.deep().emplace(coverage.shape(), links);
  return {
      {links.links().size(), "links", 100},
      {links.links().size(), "directed links", 100},
      {links.total_stages(), "stages", 1000, " of tiles"},
      {links.total_stages(), "IRS stages", 1000},
      {links.wires(), "plain wires", 100},
      {matches(mutants, "\n +- id: "), "mutants", 10},
      {mutant_kinds(mutants), "kinds of mutants", 0},
      {sim::all_fault_kinds().size(), "kinds of faults", 0},
      {regression.suites.size(), "suites", 10},
      {coverage.total_bins(), "bins", 10'000},
      {topology::zoo::zoo_kinds().size(), "base topologies", 0},
      {repository_files({"model/bench/benches"}, {".cpp"}).size(), "benches", 0},
  };
}

TEST(Pages, NameCommandsAndOptionsThatExist) {
  EXPECT_THAT(program_commands().options, SizeIs(testing::Ge(15U)));
  EXPECT_THAT(unknown_commands(current_pages(), program_commands(), script_options()), IsEmpty());
}

TEST(Pages, NameFoldersAndFilesThatExist) {
  // Made by commands, or by readers who follow the page.
  const std::set<std::string> outputs = {
      "waves/",   "my/if.sv", "my/irs.sv", "my/topo.sv", "noc_top_pkg.sv",   "noc_top.sv",
      "noc_*.sv", "irs_*.sv", "meshes/",   "models/",    "share/kernbench/", "share/doc/kernbench/",
      "bin/"};
  EXPECT_THAT(unknown_paths(current_pages(), repository_paths(), outputs), IsEmpty());
}

TEST(Makefile, RunsOnlyScriptsThatMayBeExecuted) {
  const std::string makefile = common::read_text_file(places::source("/Makefile"));
  const std::regex script(R"(\n\t@?([a-z_/-]+\.(?:py|sh))\b)");
  unsigned scripts = 0;
  for (auto match = std::sregex_iterator(makefile.begin(), makefile.end(), script);
       match != std::sregex_iterator(); ++match, ++scripts) {
    const fs::perms mode = fs::status(fs::path(places::kSource) / (*match)[1].str()).permissions();
    EXPECT_NE(mode & fs::perms::owner_exec, fs::perms::none) << (*match)[1];
  }
  EXPECT_GE(scripts, 6U);
}

TEST(Pages, CountWhatTheSourcesCount) {
  EXPECT_THAT(wrong_counts(current_pages(), repository_counts()), IsEmpty());
}

TEST(Pages, ListTheBenchesAsTheProgramDoes) {
  const std::string page = common::read_text_file(places::source("/docs/benches.md"));
  const auto& benches = model::bench::benches();
  for (std::size_t i = 0; i < benches.size(); ++i) {
    EXPECT_THAT(page, testing::HasSubstr(fmt::format("    {:>3}  {:<20} {}\n", i, benches[i].name,
                                                     benches[i].description)));
  }
}

const ProgramCommands kProgram = {.options = {{"run", {"--bench", "--timeout-s"}},
                                              {"topology", {}},
                                              {"topology route", {"--from", "--to"}}},
                                  .parents = {"topology"}};

TEST(StaleCheck, NoticesACommandThatDoesNotExist) {
  EXPECT_THAT(unknown_commands({{"docs/a.md",
                                 "Use `kernbench rnu` and `build/x/kernbench run --bench a`.\n\n"
                                 "    kernbench topology rout --from a\n"
                                 "    kernbench topology route --from a  # --off\n"}},
                               kProgram, {}),
              ElementsAre("docs/a.md:1: there is no kernbench rnu",
                          "docs/a.md:3: there is no kernbench topology rout"));
}

TEST(StaleCheck, NoticesAnOptionThatDoesNotExist) {
  EXPECT_THAT(unknown_commands({{"docs/a.md",
                                 "```\n$ kernbench run --from x --timeout-s 3\n```\n"
                                 "`--bench NAME` and `--bunch` and `--max-bytes 3`\n"
                                 "`verilator --lint-only`\n"}},
                               kProgram, {"--max-bytes"}),
              ElementsAre("docs/a.md:2: there is no option --from of kernbench run",
                          "docs/a.md:4: there is no option --bunch"));
}

TEST(StaleCheck, NoticesAFolderOrAFileThatDoesNotExist) {
  const std::set<std::string> paths = {"sim/check/lockstep.cpp", "configs/zoo/a.yaml", ".ci/run",
                                       "sim/fault/fault_spec.hpp"};
  EXPECT_THAT(unknown_paths({{"docs/a.md",
                              "`check/` `sim/check/` `lockstep.cpp` `sim/check/lockstep` `.ci/run` "
                              "`sim/fault/fault_spec.*` `fault/fault_*` `n/a` `build/x/y.cpp` "
                              "`configs/zoo/` `mine.yaml` `waves/`\n"}},
                            paths, {"waves/"}),
              IsEmpty());
  EXPECT_THAT(
      unknown_paths({{"docs/a.md",
                      "`checks/` `sim/checks/a` `lockstop.cpp` `x/a.yaml`\n\n"
                      "    run configs/b.yaml other/c.yaml\n"}},
                    paths, {}),
      ElementsAre("docs/a.md:1: there is no checks/", "docs/a.md:1: there is no sim/checks/a",
                  "docs/a.md:1: there is no lockstop.cpp", "docs/a.md:1: there is no x/a.yaml",
                  "docs/a.md:3: there is no configs/b.yaml"));
}

TEST(StaleCheck, NoticesACountThatIsNotThatOfTheSources) {
  const std::vector<Count> counts = {
      {896, "links", 100}, {1152, "stages", 1000, " of tiles"}, {13, "base topologies", 0}};
  EXPECT_THAT(wrong_counts({{"docs/a.md",
                             "All 896 links, 14 links of a node, 1,152 stages, 2944 stages of "
                             "tiles.\nThirteen base topologies, linksome 897 linksome.\n"}},
                           counts),
              IsEmpty());
  EXPECT_THAT(
      wrong_counts({{"docs/a.md", "All\n897 links, 1,153 stages.\nTwelve base topologies.\n"}},
                   counts),
      ElementsAre("docs/a.md:2: '897 links': there are 896",
                  "docs/a.md:2: '1,153 stages': there are 1152",
                  "docs/a.md:3: 'Twelve base topologies': there are 13"));
}

}  // namespace
}  // namespace kernbench::docs
