// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace kernbench::cli_test {

/// The exit code and the output of a program.
struct Finished {
  int exit_code = -1;  ///< -1 if a signal ended the program
  std::string out;
  std::string err;
};

/// A child process whose output goes to files in `scratch`.
class Process {
 public:
  /// Starts the program `words[0]` in the folder `where`. Throws std::runtime_error on failure.
  Process(const std::vector<std::string>& words, const std::filesystem::path& where,
          std::filesystem::path scratch);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;
  [[nodiscard]] Finished wait();

 private:
  std::filesystem::path scratch_;
  pid_t child_ = -1;
};

/// Runs the `kernbench` under test and waits for it.
[[nodiscard]] Finished kernbench(std::vector<std::string> arguments,
                                 const std::filesystem::path& where,
                                 const std::filesystem::path& scratch);

[[nodiscard]] inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// Returns the sorted relative paths of all files below `folder`; empty if it does not exist.
[[nodiscard]] std::vector<std::string> files_under(const std::filesystem::path& folder);

}  // namespace kernbench::cli_test
