// SPDX-License-Identifier: Apache-2.0
#include "common/supervised_program.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string_view>
#include <system_error>

extern char**
    environ;  // NOLINT(readability-redundant-declaration): some unistd.h do not declare it

// Each program has a supervisor: a process between this one and the program, in a group of its own,
// which signals of the terminal do not reach. It reads commands from a socket whose other end this
// process holds. The end of that stream means that this process is gone.

namespace kernbench::common {
namespace {

constexpr int kLookMs = 50;  ///< between two looks at the children of a supervisor without signalfd

constexpr char kEndCommand = 'E';   ///< SIGTERM, and SIGKILL after the grace
constexpr char kKillCommand = 'K';  ///< SIGKILL
constexpr char kStopCommand = 'S';
constexpr char kContinueCommand = 'C';

/// Report of the supervisor.
struct EndReport {
  int error = 0;          ///< errno of a start that failed
  const char* step = "";  ///< the step that failed; a literal, which both processes have
  int status = 0;         ///< status of waitpid()
};

/// The socket to a supervisor; signal handlers read it.
struct ProgramSlot {
  std::atomic<bool> taken{false};
  std::atomic<int> socket{-1};
};
constexpr std::size_t kMostPrograms = 1024;
std::array<ProgramSlot, kMostPrograms> g_programs;

void send_command(int socket, char command) {
  (void)send(socket, &command, 1, MSG_NOSIGNAL);
}

/// Blocks all signals of this thread, so that no handler of this process runs in the child.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all{};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former_);
  }
  ~BlockedSignals() { restore(); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  void restore() const { pthread_sigmask(SIG_SETMASK, &former_, nullptr); }

 private:
  sigset_t former_{};
};

// The functions below run after fork(), so that they may only call what a signal handler may.

struct Prepared {
  std::vector<char*> words;
  std::vector<char*> environment;
  std::vector<std::string> files;  ///< where the program may be
  const char* folder = nullptr;
  ProgramStreams streams;
  ProgramEnding ending;
  int socket = -1;
};

void send_report(int socket, const EndReport& report) {
  (void)send(socket, &report, sizeof report, MSG_NOSIGNAL);
}

[[noreturn]] void fail_to_start(int socket, const char* step) {
  send_report(socket, {errno, step, 0});
  _exit(127);
}

[[noreturn]] void become_program(const Prepared& prepared, pid_t supervisor) {
  setpgid(0, 0);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != supervisor) _exit(127);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = SIG_DFL;
    action.sa_flags = 0;
    sigaction(number, &action, nullptr);
  }
  sigset_t none{};
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  // The descriptors may have the numbers that the streams get: move them out of the way first.
  const auto moved = [&](int descriptor) {
    return fcntl(descriptor >= 0 ? descriptor : nothing, F_DUPFD_CLOEXEC, kReportStream + 1);
  };
  const int socket = moved(prepared.socket);
  const int out = moved(prepared.streams.out);
  const int error = moved(prepared.streams.error);
  const int report = moved(prepared.streams.report);
  if (nothing < 0 || socket < 0 || out < 0 || error < 0 || report < 0 ||
      dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
      dup2(error, STDERR_FILENO) < 0 ||
      (prepared.streams.report >= 0 && dup2(report, kReportStream) < 0)) {
    fail_to_start(prepared.socket, "open its streams");
  }
  if (prepared.folder != nullptr && chdir(prepared.folder) != 0) {
    fail_to_start(socket, "enter its folder");
  }
  const unsigned first = prepared.streams.report >= 0 ? kReportStream + 1 : kReportStream;
  (void)close_range(first, ~0U, CLOSE_RANGE_CLOEXEC);
  int reason = ENOENT;
  for (const std::string& file : prepared.files) {
    execve(file.c_str(), prepared.words.data(), prepared.environment.data());
    if (errno != ENOENT && errno != ENOTDIR) reason = errno;
  }
  errno = reason;
  fail_to_start(socket, "start it");
}

/// Closes all descriptors above the standard streams but one: pipes and locks of this process would
/// otherwise stay open until the program ends.
void close_others(int kept) {
  const auto number = static_cast<unsigned>(kept);
  if (number > 3) (void)close_range(3, number - 1, 0);
  (void)close_range(number + 1, ~0U, 0);
}

/// Returns milliseconds of a monotonic clock.
std::int64_t now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// Ends the group and waits until no process of it is left: those whose parent ended have become
/// children of the supervisor.
void end_group(pid_t group) {
  kill(-group, SIGKILL);
  while (waitpid(-group, nullptr, 0) >= 0 || errno == EINTR) {
  }
}

/// Reaps the children that have ended. Returns true and the status of the program if it has.
bool reap(pid_t program, int& status) {
  int one = 0;
  for (pid_t ended = 0; (ended = waitpid(-1, &one, WNOHANG)) > 0;) {
    if (ended != program) continue;
    status = one;
    return true;
  }
  return false;
}

[[noreturn]] void supervise(const Prepared& prepared) {
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t self = getpid();
  sigset_t child{};
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const pid_t program = fork();
  if (program < 0) fail_to_start(prepared.socket, "start a process");
  if (program == 0) become_program(prepared, self);
  setpgid(program, program);
  close_others(prepared.socket);
  const int children = signalfd(-1, &child, SFD_NONBLOCK);
  std::int64_t kill_at = -1;
  bool told_to_end = false;
  for (;;) {
    int wait_ms = children < 0 ? kLookMs : -1;
    if (kill_at >= 0) wait_ms = static_cast<int>(std::max<std::int64_t>(kill_at - now_ms(), 0));
    std::array<pollfd, 2> polled{{{prepared.socket, POLLIN, 0}, {children, POLLIN, 0}}};
    (void)poll(polled.data(), polled.size(), wait_ms);
    signalfd_siginfo told{};
    while (children >= 0 && read(children, &told, sizeof told) > 0) {
    }
    int status = 0;
    if (reap(program, status)) {
      if (told_to_end || !prepared.ending.leaves_background) end_group(program);
      send_report(prepared.socket, {0, "", status});
      _exit(0);
    }
    if (kill_at >= 0 && now_ms() >= kill_at) {
      kill(-program, SIGKILL);
      kill_at = -1;
    }
    if (polled[0].revents == 0) continue;
    char command = 0;
    if (read(prepared.socket, &command, 1) <= 0) command = kKillCommand;
    switch (command) {
      case kEndCommand:
        kill(-program, SIGTERM);
        kill(-program, SIGCONT);
        told_to_end = true;
        kill_at = now_ms() + prepared.ending.grace_ms;
        break;
      case kKillCommand:
        end_group(program);
        _exit(0);
      case kStopCommand:
        kill(-program, SIGTSTP);
        break;
      default:
        kill(-program, SIGCONT);
    }
  }
}

// The functions above run after fork().

/// Returns the environment of the program, "NAME=VALUE" each.
std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> all;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::string_view name = text.substr(0, text.find('='));
    const bool replaced = std::any_of(changes.begin(), changes.end(),
                                      [&](const auto& one) { return one.first == name; });
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (!value.empty()) all.push_back(name + "=" + value);
  }
  return all;
}

/// Returns the files that may be the program, in the order of PATH.
std::vector<std::string> files_of(const std::string& word) {
  if (word.find('/') != std::string::npos) return {word};
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  const std::string folders = path == nullptr ? "/usr/bin:/bin" : path;
  std::vector<std::string> files;
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    files.push_back((folder.empty() ? "." : folder) + "/" + word);
    begin = end + 1;
  }
  return files;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void tell_programs(char command) {
  for (ProgramSlot& slot : g_programs) {
    const int socket = slot.socket.load();
    if (socket >= 0) send_command(socket, command);
  }
}

extern "C" void stop_with_programs(int signal) {
  const int kept = errno;
  tell_programs(kStopCommand);
  struct sigaction by_default {};
  struct sigaction own {};
  by_default.sa_handler = SIG_DFL;
  sigaction(signal, &by_default, &own);
  sigset_t only{};
  sigset_t former{};
  sigemptyset(&only);
  sigaddset(&only, signal);
  (void)raise(signal);
  pthread_sigmask(SIG_UNBLOCK, &only, &former);  // stops here until SIGCONT
  pthread_sigmask(SIG_SETMASK, &former, nullptr);
  sigaction(signal, &own, nullptr);
  tell_programs(kContinueCommand);
  errno = kept;
}

/// Passes Ctrl-Z on while a program runs. The handler stays: without programs it only stops.
void pass_stops_on() {
  struct sigaction present {};
  sigaction(SIGTSTP, nullptr, &present);
  if (present.sa_handler != SIG_DFL) return;
  struct sigaction action {};
  action.sa_handler = stop_with_programs;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTSTP, &action, nullptr);
}

}  // namespace

SupervisedProgram::SupervisedProgram(
    std::vector<std::string> words, const std::filesystem::path& folder,
    const std::vector<std::pair<std::string, std::string>>& environment,
    const ProgramStreams& streams, const ProgramEnding& ending) {
  pass_stops_on();
  std::vector<std::string> variables = environment_with(environment);
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::runtime_error("cannot make a socket: " + std::generic_category().message(errno));
  }
  socket_ = ends[0];
  const std::string place = folder.string();
  const Prepared prepared{.words = pointers_to(words),
                          .environment = pointers_to(variables),
                          .files = files_of(words.at(0)),
                          .folder = place.empty() ? nullptr : place.c_str(),
                          .streams = streams,
                          .ending = ending,
                          .socket = ends[1]};
  const BlockedSignals blocked;
  supervisor_ = fork();
  if (supervisor_ == 0) supervise(prepared);
  const int reason = errno;
  close(ends[1]);
  if (supervisor_ < 0) {
    close(socket_);
    throw std::runtime_error("cannot start a process: " + std::generic_category().message(reason));
  }
  for (slot_ = 0; slot_ < kMostPrograms; ++slot_) {
    if (g_programs.at(slot_).taken.exchange(true)) continue;
    g_programs.at(slot_).socket.store(socket_);
    break;
  }
}

SupervisedProgram::~SupervisedProgram() {
  if (supervisor_ < 0) return;
  send_command(socket_, kKillCommand);
  close_supervisor();
}

void SupervisedProgram::close_supervisor() {
  if (slot_ < kMostPrograms) {
    g_programs.at(slot_).socket.store(-1);
    g_programs.at(slot_).taken.store(false);
  }
  close(socket_);
  while (waitpid(supervisor_, nullptr, 0) < 0 && errno == EINTR) {
  }
  supervisor_ = -1;
}

void SupervisedProgram::end() const {
  if (supervisor_ >= 0) send_command(socket_, kEndCommand);
}

bool SupervisedProgram::has_ended(int wait_ms) const {
  pollfd polled{socket_, POLLIN, 0};
  return poll(&polled, 1, wait_ms) > 0;
}

ProgramEnd SupervisedProgram::wait() {
  EndReport report;
  ssize_t count = 0;
  do {
    count = recv(socket_, &report, sizeof report, MSG_WAITALL);
  } while (count < 0 && errno == EINTR);
  close_supervisor();
  // Without a report, somebody has killed the supervisor, and the program with it.
  if (count != static_cast<ssize_t>(sizeof report)) return {.exit_code = -1, .signal = SIGKILL};
  if (report.error != 0) {
    return {.exit_code = 127,
            .not_started = std::string("cannot ") + report.step + ": " +
                           std::generic_category().message(report.error)};
  }
  if (WIFSIGNALED(report.status)) return {.exit_code = -1, .signal = WTERMSIG(report.status)};
  return {.exit_code = WEXITSTATUS(report.status)};
}

void end_programs() {
  constexpr int kMostMs = 1000;
  tell_programs(kKillCommand);
  for (ProgramSlot& slot : g_programs) {
    const int socket = slot.socket.load();
    if (socket < 0) continue;
    pollfd polled{socket, 0, 0};  // the supervisor closes its end when it ends
    (void)poll(&polled, 1, kMostMs);
  }
}

}  // namespace kernbench::common
