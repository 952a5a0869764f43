// SPDX-License-Identifier: Apache-2.0
#include "common/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <thread>

#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/text_file.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::common {
namespace {

std::string text_of(const std::filesystem::path& path) {
  return std::filesystem::exists(path) ? read_text_file(path) : "";
}

TEST(RunProgram, RunsWordsWithoutAShellInAFolderWithALogAndVariables) {
  const TempFolder folder;
  setenv("KB_REMOVED", "yes", 1);
  const ChildEnd end = run_program(
      {.words = {"sh", "-c", R"(pwd; echo "$1|$KB_SET|$KB_REMOVED" >&2; exit 7)", "sh", "a b;$(c)"},
       .folder = folder.path(),
       .log = folder.path() / "log",
       .environment = {{"KB_SET", "x"}, {"KB_REMOVED", ""}}});
  EXPECT_EQ(end.exit_code, 7);
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(text_of(folder.path() / "log"),
            std::filesystem::canonical(folder.path()).string() + "\na b;$(c)|x|\n");
}

TEST(RunProgram, ReturnsTheSignalThatEndsAProgram) {
  const ChildEnd end = run_program({.words = {"sh", "-c", "kill -USR1 $$"}});
  EXPECT_EQ(end.exit_code, -1);
  EXPECT_EQ(end.signal, SIGUSR1);
}

TEST(RunProgram, SaysWhyAProgramCannotBeStarted) {
  const auto reason = [](const ProgramCall& call) -> std::string {
    try {
      (void)run_program(call);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "it ran";
  };
  EXPECT_EQ(reason({.words = {"no-such-program"}}),
            "cannot run 'no-such-program': cannot start it: No such file or directory");
  EXPECT_EQ(reason({.words = {"/etc/passwd"}}),
            "cannot run '/etc/passwd': cannot start it: Permission denied");
  EXPECT_EQ(reason({.words = {"true"}, .folder = "/no/such"}),
            "cannot run 'true': cannot enter its folder: No such file or directory");
  EXPECT_EQ(reason({.words = {"true"}, .log = "/no/such/log"}),
            "error: cannot write '/no/such/log': No such file or directory");
}

TEST(RunProgram, EndsWhatAProgramLeavesRunning) {
  const TempFolder folder;
  const auto fifo = folder.path() / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const int reader = open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  (void)run_program({.words = {"sh", "-c", "sleep 1000 > fifo &"}, .folder = folder.path()});
  char byte = 0;
  EXPECT_EQ(::read(reader, &byte, 1), 0);  // no writer is left
  close(reader);
}

/// A process that runs `sleep`, and a sleeping grandchild, with run_program(). Both hold the
/// writing end of a pipe.
class Waiting : public testing::Test {
 protected:
  /// The work of the process: returns its exit code.
  void start(int (*work)(const ProgramCall& call)) {
    ASSERT_EQ(mkfifo(fifo().c_str(), 0600), 0);
    reader_ = open(fifo().c_str(), O_RDONLY | O_NONBLOCK);
    process_ = fork();
    if (process_ == 0) {
      clean_up_on_signals();
      _exit(work({.words = {"sh", "-c", "trap '' TERM INT; exec > fifo; sleep 1000 & echo x; wait"},
                  .folder = folder_.path()}));
    }
    char byte = 0;
    while (::read(reader_, &byte, 1) != 1) std::this_thread::yield();  // "x"
  }
  ~Waiting() override { close(reader_); }
  [[nodiscard]] std::filesystem::path fifo() const { return folder_.path() / "fifo"; }
  /// Returns true if nothing that the program started runs any more.
  [[nodiscard]] bool nothing_runs() const {
    std::array<char, 64> bytes{};
    ssize_t count = 0;
    while ((count = ::read(reader_, bytes.data(), bytes.size())) > 0) {
    }
    return count == 0;
  }
  [[nodiscard]] int status() const {
    int status = 0;
    waitpid(process_, &status, 0);
    return status;
  }

  TempFolder folder_;
  pid_t process_ = -1;
  int reader_ = -1;
};

int throws_interrupted(const ProgramCall& call) {
  try {
    (void)run_program(call);
  } catch (const Interrupted&) {
    return 130;
  }
  return 1;
}

TEST_F(Waiting, EndsItsProgramsOnASignalBeforeItThrows) {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(fifo());
    start(throws_interrupted);
    kill(process_, signal);
    EXPECT_EQ(WEXITSTATUS(status()), 130);
    EXPECT_TRUE(nothing_runs());
  }
}

TEST_F(Waiting, EndsItsProgramsInAnyThread) {
  start([](const ProgramCall& call) {
    int result = 0;
    std::thread([&] { result = throws_interrupted(call); }).join();
    return result;
  });
  kill(process_, SIGTERM);
  EXPECT_EQ(WEXITSTATUS(status()), 130);
  EXPECT_TRUE(nothing_runs());
}

TEST_F(Waiting, EndsItsProgramsAtTheSecondSignal) {
  start(throws_interrupted);
  kill(process_, SIGTERM);
  kill(process_, SIGTERM);
  EXPECT_EQ(WEXITSTATUS(status()), 130);
  EXPECT_TRUE(nothing_runs());
}

TEST_F(Waiting, EndsItsProgramsWhenTheTerminalIsGone) {
  start(throws_interrupted);
  kill(process_, SIGHUP);
  EXPECT_EQ(WTERMSIG(status()), SIGHUP);
  EXPECT_TRUE(nothing_runs());
}

TEST_F(Waiting, EndsItsProgramsWhenItIsKilled) {
  start(throws_interrupted);
  kill(process_, SIGKILL);
  EXPECT_EQ(WTERMSIG(status()), SIGKILL);
  while (!nothing_runs()) std::this_thread::yield();
}

/// Returns the state of a process, such as 'T' for a stopped one.
char state_of(pid_t process) {
  const std::string text = text_of("/proc/" + std::to_string(process) + "/stat");
  const std::size_t name_end = text.rfind(')');
  return name_end == std::string::npos ? '?' : text[name_end + 2];
}

TEST(RunProgramStops, PassesCtrlZAndTheContinuationOn) {
  const TempFolder folder;
  const auto child_file = folder.path() / "pid";
  const pid_t process = fork();
  if (process == 0) {
    setpgid(0, 0);
    _exit(throws_interrupted(
        {.words = {"sh", "-c", "echo $$ > pid.new; mv pid.new pid; exec sleep 1000"},
         .folder = folder.path()}));
  }
  while (text_of(child_file).empty()) std::this_thread::yield();
  const pid_t child = std::stoi(text_of(child_file));
  kill(process, SIGTSTP);
  int status = 0;
  waitpid(process, &status, WUNTRACED);
  EXPECT_TRUE(WIFSTOPPED(status));
  while (state_of(child) != 'T') std::this_thread::yield();
  kill(process, SIGCONT);
  while (state_of(child) == 'T') std::this_thread::yield();
  kill(process, SIGTERM);
  waitpid(process, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

}  // namespace
}  // namespace kernbench::common
