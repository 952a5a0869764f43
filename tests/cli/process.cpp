// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "tests/places.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace kernbench::cli_test {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void redirect(const fs::path& path, int to) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || dup2(file, to) < 0) _exit(127);
  close(file);
}

}  // namespace

Process::Process(const std::vector<std::string>& words, const fs::path& where, fs::path scratch)
    : scratch_(std::move(scratch)) {
  std::vector<std::string> owned = words;
  std::vector<char*> argv;
  for (std::string& word : owned) argv.push_back(word.data());
  argv.push_back(nullptr);
  const fs::path out = scratch_ / "stdout";
  const fs::path err = scratch_ / "stderr";
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("cannot fork");
  if (child_ != 0) return;
  redirect(out, STDOUT_FILENO);
  redirect(err, STDERR_FILENO);
  if (chdir(where.c_str()) != 0) _exit(127);
  execv(argv[0], argv.data());
  _exit(127);
}

Process::~Process() {
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

void Process::send(int signal) const {
  kill(child_, signal);
}

Finished Process::wait() {
  int status = 0;
  while (waitpid(child_, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("cannot wait for the program");
  }
  child_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(scratch_ / "stdout"),
          content(scratch_ / "stderr")};
}

Finished kernbench(std::vector<std::string> arguments, const fs::path& where,
                   const fs::path& scratch) {
  arguments.insert(arguments.begin(), places::kKernbench);
  return Process(arguments, where, scratch).wait();
}

std::vector<std::string> files_under(const fs::path& folder) {
  std::vector<std::string> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) files.push_back(fs::relative(entry.path(), folder).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace kernbench::cli_test
