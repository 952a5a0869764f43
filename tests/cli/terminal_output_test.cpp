// SPDX-License-Identifier: Apache-2.0
// Commands show colour and progress on a terminal only, and follow --quiet and --verbose.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;
namespace fs = std::filesystem;

/// Runs kernbench with stdout and stderr on a pseudo-terminal of 100 columns. Returns what it
/// prints.
std::string on_terminal(const std::vector<std::string>& arguments,
                        const std::map<std::string, std::string>& environment) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) return "no terminal";
  const winsize size{24, 100, 0, 0};
  ioctl(terminal, TIOCSWINSZ, &size);
  const std::string name = ptsname(terminal);
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), places::kKernbench);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int side = open(name.c_str(), O_RDWR | O_NOCTTY);
    dup2(side, STDOUT_FILENO);
    dup2(side, STDERR_FILENO);
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    for (const auto& [variable, value] : environment) setenv(variable.c_str(), value.c_str(), 1);
    if (chdir(places::kSource) != 0) _exit(127);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t got = 0; (got = read(terminal, piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  waitpid(child, nullptr, 0);
  close(terminal);
  return std::regex_replace(text, std::regex("\r\n"), "\n");
}

const std::vector<std::string> kTraffic = {"traffic",  "Mesh2D(3,3)", "--loads",  "0.1",
                                           "--cycles", "200",         "--warmup", "0"};

class TerminalOutputTest : public ::testing::Test {
 protected:
  cli_test::Finished run(std::vector<std::string> arguments, const std::string& option = {}) {
    if (!option.empty()) arguments.push_back(option);
    return cli_test::kernbench(arguments, places::kSource, folder_.path());
  }

  common::TempFolder folder_;
};

TEST_F(TerminalOutputTest, TablesAndVerdictsHaveColourOnATerminal) {
  const std::string text = on_terminal(kTraffic, {});
  EXPECT_THAT(text, HasSubstr("\x1b[1mload  offered  accepted"));
  EXPECT_THAT(text, HasSubstr("\n\x1b[32mPASS\x1b[0m  "));
}

TEST_F(TerminalOutputTest, ErrorsHaveColourOnATerminal) {
  EXPECT_EQ(on_terminal({"list", "--quiet", "--verbose"}, {}),
            "\x1b[1;31merror:\x1b[0m --quiet and --verbose cannot be combined\n");
  EXPECT_THAT(
      on_terminal({"topology", "show", "--topology", "tests/bad_input/topology/unknown_key.yaml"},
                  {}),
      HasSubstr(": \x1b[1;31merror:\x1b[0m "));
}

TEST_F(TerminalOutputTest, NoColorAndDumbTerminalsAndFilesHaveNone) {
  EXPECT_THAT(on_terminal(kTraffic, {{"NO_COLOR", "1"}}),
              AllOf(HasSubstr("\nPASS  "), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(on_terminal(kTraffic, {{"TERM", "dumb"}}),
              AllOf(HasSubstr("\nPASS  "), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(run(kTraffic).out, AllOf(HasSubstr("\nPASS  "), Not(HasSubstr("\x1b"))));
}

TEST_F(TerminalOutputTest, ARunOfMoreThanTwoSecondsShowsProgressAndRemovesIt) {
  std::vector<std::string> slow = kTraffic;
  slow[3] = "0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3";
  std::string text;
  // As many cycles as this computer needs two seconds and more for.
  for (std::uint64_t cycles = 50'000; cycles < 4'000'000; cycles *= 2) {
    slow[5] = std::to_string(cycles);
    text = on_terminal(slow, {});
    if (text.find(" left, ") != std::string::npos) break;
  }
  EXPECT_THAT(text, HasSubstr("/8 loads\x1b[?7h"));
  EXPECT_THAT(text, HasSubstr("\r\x1b[K\x1b[?7l["));
  // Only results remain on the screen: each line of progress is removed before other text.
  const std::string kept =
      std::regex_replace(text, std::regex("\r\x1b\\[K\x1b\\[\\?7l[^\x1b]*\x1b\\[\\?7h"), "");
  EXPECT_THAT(kept, HasSubstr("\r\x1b[K"));
  EXPECT_THAT(std::regex_replace(kept, std::regex("\r\x1b\\[K|\x1b\\[[0-9;]*m"), ""),
              run(slow).out);
  EXPECT_EQ(run(slow).err, "");
}

TEST_F(TerminalOutputTest, QuietPrintsTheVerdictOnly) {
  const std::string verdict = run(kTraffic, "-q").out;
  EXPECT_THAT(verdict, MatchesRegex("PASS  [0-9]+ transfers, each done exactly once\n"));
  EXPECT_THAT(run(kTraffic).out, EndsWith("\n" + verdict));
  EXPECT_EQ(run({"-q", "topology", "check", "--topology", "configs/topology-maze-8x8.yaml"}).out,
            "PASS\n");
  EXPECT_EQ(run({"topology", "zoo", "UnidirectionalTorus1D(4)", "--no-vcs", "-q"}).out, "FAIL\n");
  EXPECT_EQ(run({"topology", "zoo", "UnidirectionalTorus1D(4)", "-q"}).out, "PASS\n");
  EXPECT_EQ(run({"run", "vector-add", "-q"}).out, "");
  EXPECT_THAT(run({"run", "vector-add", "--verify", "-q"}).out, StartsWith("PASS  "));
  EXPECT_EQ(run({"list", "-q"}).out, run({"list"}).out);
  EXPECT_THAT(run({"cosim", "--fabric", "cycle", "--loads", "0.1", "--cycles", "100", "-q"}).out,
              "PASS  1 of 1 workloads\n");
}

TEST_F(TerminalOutputTest, VerboseNamesFilesAndTheTime) {
  const std::string json = (folder_.path() / "traffic.json").string();
  std::vector<std::string> words = kTraffic;
  words.insert(words.end(), {"--json", json, "-v"});
  const cli_test::Finished finished = run(words);
  EXPECT_THAT(finished.err, MatchesRegex("wrote " + json + "\ntook [0-9.]+ s\n"));
  EXPECT_EQ(finished.out, run(kTraffic).out);
  EXPECT_THAT(run({"topology", "show", "-v"}).err,
              MatchesRegex("(.*\n)*read .*configs/topology.yaml: [0-9]+ bytes\n(.*\n)*"));
}

}  // namespace
}  // namespace kernbench
