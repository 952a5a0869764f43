// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "bench_fixture.hpp"
#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

inline constexpr runtime::LaunchGrid kOneProgram{1, 1};

/// A kernel on sip0.cube0.pe0 that fails, and the line of its invalid operation.
struct Bad {
  const char* name;
  void (*kernel)(Tl&, int& line);
  const char* message;  ///< expected message, with '@' for file and line
};

inline const Bad* running_bad = nullptr;  ///< global, as benches are plain functions
inline int bad_line = 0;

/// Expects the message of `bad`, with its line in `file` of this folder.
inline void expect_reported(const Bad& bad, const char* file) {
  running_bad = &bad;
  const std::string text = failure_of<bench::RunFailed>([](runtime::Context& kb) {
    kb.launch(
        "k", [](Tl& tl) { running_bad->kernel(tl, bad_line); }, kOneProgram);
  });
  const std::string message = bad.message;
  const std::size_t at = message.find('@');
  EXPECT_EQ(text, "kernel 'k' on sip0.cube0.pe0" + message.substr(0, at) +
                      fmt::format("tests/model/kernel/{}:{}", file, bad_line) +
                      message.substr(at + 1));
}

inline Tile ones(Tl& tl, std::uint64_t rows, std::uint64_t columns, DataType type = DataType::F32) {
  return tl.full(rows, columns, 1.0, type);
}

}  // namespace kernbench::model::kernel
