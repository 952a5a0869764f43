#pragma once

#include <fmt/format.h>

#include <string>

#include "bench_fixture.hpp"
#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

/// A kernel on sip0.cube0.pe0 that fails, and the line at which it asks for what it must not.
struct Bad {
  const char* name;
  void (*kernel)(Tl&, int& line);
  const char* message;  ///< '@' for the file and the line
};

inline const Bad* running_bad = nullptr;  ///< benches are plain functions
inline int bad_line = 0;

/// Fails unless the run says just that, with the line of `file` in this folder.
inline void expect_reported(const Bad& bad, const char* file) {
  running_bad = &bad;
  const std::string text = failure_of<bench::RunFailed>([](runtime::Context& kb) {
    kb.launch("k", [](Tl& tl) { running_bad->kernel(tl, bad_line); }, {1, 1});
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
