// SPDX-License-Identifier: Apache-2.0
#include "farm/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace kernbench::farm {
namespace {

constexpr int kReportDescriptor = 3;

std::array<int, 2> new_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("cannot make a pipe: " + std::generic_category().message(errno));
  }
  return ends;
}

/// Becomes the program. Runs after fork(), so that it may only call what a signal handler may.
[[noreturn]] void become(char* const* words, const char* folder, pid_t parent, int error,
                         int report) {
  constexpr int kCannotStart = 127;
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(kCannotStart);
  const int nothing = open("/dev/null", O_RDWR);
  // The pipes may have the numbers that the streams get: move them out of the way first.
  const int error_copy = fcntl(error, F_DUPFD_CLOEXEC, kReportDescriptor + 1);
  const int report_copy = fcntl(report, F_DUPFD_CLOEXEC, kReportDescriptor + 1);
  if (nothing < 0 || error_copy < 0 || report_copy < 0 || chdir(folder) != 0 ||
      dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0 ||
      dup2(error_copy, STDERR_FILENO) < 0 || dup2(report_copy, kReportDescriptor) < 0) {
    _exit(kCannotStart);
  }
  execv(words[0], words);
  _exit(kCannotStart);
}

}  // namespace

Child::Child(std::vector<std::string> words, const std::filesystem::path& folder) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::array<int, 2> error = new_pipe();
  const std::array<int, 2> report = new_pipe();
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become(argv.data(), folder.c_str(), parent, error[1], report[1]);
  const int reason = errno;
  close(error[1]);
  close(report[1]);
  error_.descriptor = error[0];
  report_.descriptor = report[0];
  if (pid_ < 0) {
    close(error[0]);
    close(report[0]);
    throw std::runtime_error("cannot start a process: " + std::generic_category().message(reason));
  }
}

Child::~Child() {
  for (const Stream* stream : {&error_, &report_}) {
    if (stream->descriptor >= 0) close(stream->descriptor);
  }
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Child::collect(Stream& stream) {
  std::array<char, 65'536> buffer{};
  const ssize_t count = read(stream.descriptor, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) {
    close(stream.descriptor);
    stream.descriptor = -1;
    return;
  }
  const std::size_t kept =
      std::min(static_cast<std::size_t>(count), stream.limit - stream.text.size());
  stream.text.append(buffer.data(), kept);
}

void Child::collect_of_any(const std::vector<Child*>& children, int timeout_ms) {
  std::vector<pollfd> polled;
  std::vector<Stream*> streams;
  for (Child* child : children) {
    for (Stream* stream : {&child->error_, &child->report_}) {
      if (stream->descriptor < 0) continue;
      polled.push_back({stream->descriptor, POLLIN, 0});
      streams.push_back(stream);
    }
  }
  if (poll(polled.data(), polled.size(), timeout_ms) <= 0) return;
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents != 0) collect(*streams[i]);
  }
}

void Child::send(int signal) const {
  if (pid_ > 0) kill(pid_, signal);
}

ChildEnd Child::wait() {
  while (!closed()) collect_of_any({this}, -1);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) {
      throw std::runtime_error("cannot wait for a process: " +
                               std::generic_category().message(errno));
    }
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) return {-1, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace kernbench::farm
