// SPDX-License-Identifier: Apache-2.0
// Runs `kernbench web` as a process and checks its output and its exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "raw_client.hpp"
#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using cli_test::Finished;
using cli_test::Process;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class WebCommand : public ::testing::Test {
 protected:
  WebCommand() {
    (void)folder_.write("topology.yaml", "sip: {cube_mesh: {w: 2, h: 2}}\n");
    std::filesystem::create_directories(folder_.path() / "scratch");
  }
  /// Starts the program and waits until it has printed its address.
  [[nodiscard]] std::unique_ptr<Process> start(std::vector<std::string> more) {
    std::vector<std::string> words = {places::kKernbench, "web", "--topology", "topology.yaml"};
    words.insert(words.end(), more.begin(), more.end());
    auto process = std::make_unique<Process>(words, folder_.path(), folder_.path() / "scratch");
    for (int i = 0; i < 2000 && port() == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return process;
  }
  /// Returns the printed port, or 0 before it is printed.
  [[nodiscard]] int port() const {
    std::ifstream file(folder_.path() / "scratch" / "stdout");
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    const std::size_t at = all.find("  http://");
    const std::size_t end = all.find("\nPress Ctrl-C");
    if (at == std::string::npos || end == std::string::npos) return 0;
    return std::stoi(all.substr(all.find(':', all.find("//", at)) + 1));
  }

  common::TempFolder folder_;
};

TEST_F(WebCommand, PrintsWhereItListensAndEndsWith130WhenInterruptedAndWith0WhenTerminated) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto process = start({});
    EXPECT_EQ(cli_test::get(port(), "/api/topology?view=system").status, 200);
    process->send(signal);
    const Finished finished = process->wait();
    EXPECT_EQ(finished.exit_code, signal == SIGTERM ? 0 : 130);
    EXPECT_EQ(finished.err, "");
    EXPECT_THAT(finished.out,
                MatchesRegex("topology topology.yaml, reports in build/reports\n"
                             "  http://127.0.0.1:[0-9]+/\nPress Ctrl-C to stop\nstopped\n"));
    std::filesystem::remove(folder_.path() / "scratch" / "stdout");
  }
}

TEST_F(WebCommand, EndsWhileClientsWait) {
  const auto process = start({});
  const cli_test::RawClient half(port());
  half.send("GET / HTTP/1.1\r\n");
  process->send(SIGINT);
  EXPECT_EQ(process->wait().exit_code, 130);
}

TEST_F(WebCommand, ServesTheReportFolderThatItIsGivenOnThePortThatItIsGiven) {
  (void)folder_.write("scratch/a.txt", "hello");
  const auto first = start({"--report", "scratch", "--view", "cube"});
  EXPECT_EQ(cli_test::get(port(), "/reports/a.txt").body, "hello");
  const std::string taken = std::to_string(port());
  std::filesystem::create_directories(folder_.path() / "second");
  const Finished second =
      cli_test::kernbench({"web", "--topology", "topology.yaml", "--port", taken}, folder_.path(),
                          folder_.path() / "second");
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_EQ(second.err,
            "error: cannot listen on 127.0.0.1 port " + taken + ": Address already in use\n");
  first->send(SIGTERM);
  EXPECT_THAT(first->wait().out, HasSubstr("/#view=cube\n"));
}

TEST_F(WebCommand, AnswersUnderTheHostNamesThatItIsGiven) {
  const auto process = start({"--allow-host", "viewer.example.com", "--allow-host", "build-7"});
  for (const auto& [host, status] : std::initializer_list<std::pair<std::string, int>>{
           {"viewer.example.com", 200}, {"build-7:80", 200}, {"other.example.com", 403}}) {
    EXPECT_EQ(cli_test::exchange(port(), "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n").status,
              status);
  }
  process->send(SIGINT);
  (void)process->wait();
  for (const char* name : {"a b", "*.example.com", "viewer.example.com:80", "a..b", "http://a"}) {
    const Finished finished =
        cli_test::kernbench({"web", "--topology", "topology.yaml", "--allow-host", name},
                            folder_.path(), folder_.path() / "scratch");
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.err, std::string("error: --allow-host: '") + name +
                                "' is not a host name such as viewer.example.com\n");
  }
}

TEST_F(WebCommand, WarnsWhenOtherMachinesAreLetIn) {
  const auto process = start({"--bind", "0.0.0.0"});
  process->send(SIGINT);
  EXPECT_THAT(process->wait().err,
              StartsWith("warning: 0.0.0.0 is not a loopback address: anyone who can reach port "));
}

}  // namespace
}  // namespace kernbench
