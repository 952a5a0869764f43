// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/child_process.hpp"
#include "common/supervised_program.hpp"

namespace kernbench::farm {

using common::ChildEnd;

/// A program in a process group of its own that ends with its parent, even when the parent is
/// killed. Its standard output is discarded. Its standard error, and what it writes to descriptor
/// 3, are collected.
class Child {
 public:
  static constexpr const char* kReportPath = "/dev/fd/3";

  /// Starts `words[0]`, a path, in `folder`. Throws std::runtime_error when the system cannot start
  /// a process.
  Child(std::vector<std::string> words, const std::filesystem::path& folder);
  /// Kills the group if the program still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits until one of the children writes or ends, at most `timeout_ms`, and collects the output.
  static void collect_of_any(const std::vector<Child*>& children, int timeout_ms);

  /// Returns true if both streams are closed, so that wait() returns soon.
  [[nodiscard]] bool closed() const { return error_.descriptor < 0 && report_.descriptor < 0; }
  /// Ends the group: SIGTERM, and SIGKILL after a second.
  void end() const { program_->end(); }
  /// Collects the rest of the output and returns how the program ended; with 127, and the reason as
  /// its standard error, if it could not be started.
  [[nodiscard]] ChildEnd wait();

  [[nodiscard]] const std::string& error_text() const { return error_.text; }
  [[nodiscard]] const std::string& report_text() const { return report_.text; }

 private:
  struct Stream {
    int descriptor = -1;
    std::size_t limit = 0;  ///< bytes that are kept
    std::string text{};
  };

  static void collect(Stream& stream);

  std::unique_ptr<common::SupervisedProgram> program_;
  Stream error_{-1, 65'536};
  Stream report_{-1, std::size_t{1} << 30U};
};

}  // namespace kernbench::farm
