// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace kernbench::common {

/// A loop over independent parts of a command's work, numbered from 0, whose results can come from
/// other processes.
struct PartLoop {
  std::size_t count = 0;
  /// Computes a part in this process, in any thread. Returns false if no further part is to start.
  std::function<bool(std::size_t)> compute;
  /// Returns the result of a computed part as bytes.
  std::function<std::string(std::size_t)> bytes_of;
  /// Takes the result of a part that another process has computed.
  std::function<void(std::size_t, const std::string&)> take;
  /// Takes the reason why a part has no result although it was started several times. Without this
  /// function, it ends the command.
  std::function<void(std::size_t, const std::string&)> give_up = {};
};

/// Runs the loops of a command in other processes, one loop after the other.
class Parts {
 public:
  Parts() = default;
  virtual ~Parts() = default;
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// Returns false after an interruption. Some parts have no result then.
  virtual bool run(const PartLoop& loop) = 0;
};

/// Thrown when a command that computes only one part has computed it. It is not an error, and not
/// a std::exception.
struct PartComputed {};
/// Thrown when the user interrupts a loop whose command has no result without all parts.
struct PartsInterrupted {};

/// Runs a loop in other processes or, if `parts` is null, on up to `jobs` threads. Returns false
/// after an interruption.
bool run_loop(Parts* parts, unsigned jobs, const PartLoop& loop);

}  // namespace kernbench::common
