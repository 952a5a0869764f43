#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace kernbench::cli_test {

/// What a finished program left behind.
struct Finished {
  int exit_code = -1;  ///< -1 when a signal ended it
  std::string out;
  std::string err;
};

/// A program that runs beside the test, its outputs in files of `scratch`.
class Process {
 public:
  /// Starts `words[0]` in the folder `where`. Throws std::runtime_error when that fails.
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

/// Runs the `kernbench` under test to its end.
[[nodiscard]] Finished kernbench(std::vector<std::string> arguments,
                                 const std::filesystem::path& where,
                                 const std::filesystem::path& scratch);

/// Files under `folder`, relative to it and sorted; empty when there is no such folder.
[[nodiscard]] std::vector<std::string> files_under(const std::filesystem::path& folder);

}  // namespace kernbench::cli_test
