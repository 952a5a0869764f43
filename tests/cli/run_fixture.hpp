// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "tests/cli/process.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::cli_test {

/// Runs `kernbench run` on a small system, in a folder of its own.
class RunCommand : public ::testing::Test {
 protected:
  [[nodiscard]] Finished run(std::vector<std::string> more) const {
    (void)folder_.write("topology.yaml",
                        "sip: {cube_mesh: {w: 2, h: 1}}\n"
                        "cube: {pe_layout: {pe_per_corner: 1}, "
                        "memory_map: {slices_per_cube: 4}}\n");
    std::filesystem::create_directories(folder_.path() / "scratch");
    if (more.front() != "--topology") {
      more.insert(more.begin(), {"--topology", "topology.yaml"});
    }
    more.insert(more.begin(), "run");
    return cli_test::kernbench(more, folder_.path(), folder_.path() / "scratch");
  }
  [[nodiscard]] nlohmann::json json(const char* name) const {
    return nlohmann::json::parse(common::read_text_file(folder_.path() / name));
  }
  /// Returns how often `part` occurs in `text`.
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
  common::TempFolder folder_;
};

}  // namespace kernbench::cli_test
