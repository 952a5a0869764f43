// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kernbench::cli_test {

/// State of a GTKWave that has opened a save file.
struct Shown {
  std::uint64_t marker = 0;
  std::uint64_t first = 0;  ///< time at the left edge of the window
  std::uint64_t last = 0;   ///< time at its right edge
  std::uint64_t dump_end = 0;
  std::vector<std::string> rows;  ///< signals; a row of some bits of a vector has each of them
  std::string log;                ///< output of GTKWave, for messages of a failing test
};

/// Runs the shell command `view` in a GTKWave on a screen of its own, from the folder `/`, and asks
/// it. `screenshot`, if not empty, is the path of a PNG that ImageMagick's `import` writes.
[[nodiscard]] Shown open_in_gtkwave(const std::string& view, const std::filesystem::path& scratch,
                                    const std::string& screenshot = "");

/// Returns the path of a screenshot in the folder that the environment variable
/// KERNBENCH_SCREENSHOTS names; empty if it names none.
[[nodiscard]] std::string screenshot(const std::string& name);

}  // namespace kernbench::cli_test
