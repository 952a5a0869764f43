// SPDX-License-Identifier: Apache-2.0
#include "common/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <thread>

#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/progress.hpp"

namespace kernbench::common {
namespace {

constexpr std::chrono::milliseconds kRetry{50};

std::string machine_name() {
  utsname names{};
  return uname(&names) == 0 ? static_cast<const char*>(names.nodename) : "?";
}

/// Returns "process 123, which builds this model" from the text of a lock: "123 node7 builds ...".
std::string holder_in(const std::string& text) {
  const std::size_t machine = text.find(' ');
  const std::size_t work = text.find(' ', machine == std::string::npos ? machine : machine + 1);
  if (work == std::string::npos) return "another process";
  const std::string where = text.substr(machine + 1, work - machine - 1);
  return fmt::format("process {}{}, which {}", text.substr(0, machine),
                     where == machine_name() ? "" : " on " + where,
                     text.substr(work + 1, text.find('\n') - work - 1));
}

std::string start_of(int file) {
  std::array<char, 512> text{};
  const ssize_t count = pread(file, text.data(), text.size(), 0);
  return {text.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

void print_waiting(int file) {
  Progress::make_room();
  const std::string line = "waiting for " + holder_in(start_of(file)) + "\n";
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
  (void)std::fflush(stderr);
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& file, const std::string& work)
    : file_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  const auto fail = [&](int error) {
    if (file_ >= 0) close(file_);
    throw BadInput(
        fmt::format("cannot lock '{}': {}", file.string(), std::generic_category().message(error)));
  };
  if (file_ < 0) fail(errno);
  for (unsigned attempt = 0; flock(file_, LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) fail(errno);
    // The holder has written what it does by the second attempt.
    if (attempt == 1) print_waiting(file_);
    std::this_thread::sleep_for(kRetry);
    if (interrupted()) {
      close(file_);
      throw Interrupted();
    }
  }
  const std::string text = fmt::format("{} {} {}\n", getpid(), machine_name(), work);
  // A disk that is full leaves it empty: the lock holds all the same.
  (void)!ftruncate(file_, 0);
  (void)!pwrite(file_, text.data(), text.size(), 0);
}

FileLock::~FileLock() {
  (void)!ftruncate(file_, 0);
  (void)flock(file_, LOCK_UN);  // also for copies of the descriptor in forked processes
  close(file_);
}

}  // namespace kernbench::common
