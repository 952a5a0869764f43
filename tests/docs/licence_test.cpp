// SPDX-License-Identifier: Apache-2.0
// Every source names the licence, in its first line that may hold a comment.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "repository_text.hpp"

namespace kernbench::docs {
namespace {

/// Returns the paths of `files` whose first line, or second after `#!` or `<!doctype html>`, is not
/// a comment with the licence.
std::vector<std::string> without_licence(const std::vector<SourceFile>& files) {
  std::vector<std::string> paths;
  for (const SourceFile& file : files) {
    std::istringstream lines(file.text);
    std::string line;
    std::getline(lines, line);
    if (line.starts_with("#!") || line.starts_with("<!doctype")) std::getline(lines, line);
    const std::string licence = "SPDX-License-Identifier: Apache-2.0";
    if (line != "// " + licence && line != "# " + licence && line != "/* " + licence + " */" &&
        line != "<!-- " + licence + " -->") {
      paths.push_back(file.path);
    }
  }
  return paths;
}

TEST(Licence, StandsInEverySource) {
  const std::vector<SourceFile> files = repository_files(
      {".",    ".ci",     ".github", "benchmarks", "cli",   "common",   "cosim",
       "docs", "farm",    "formal",  "maze",       "model", "plot",     "python",
       "rtl",  "scripts", "sim",     "tb",         "tests", "topology", "viewer"},
      {".cpp", ".hpp", ".sv", ".svh", ".v", ".f", ".vlt", ".py", ".sh", ".cmake", ".js", ".css",
       ".html", "CMakeLists.txt", "Makefile", "Makefile.verilator", "Dockerfile", "run"});
  EXPECT_GE(files.size(), 1200U);
  EXPECT_THAT(without_licence(files), testing::IsEmpty());
}

TEST(Licence, IsMissedWhereAnotherOneOrNoneStands) {
  const std::string licence = "SPDX-License-Identifier: ";
  EXPECT_THAT(without_licence({{"a.cpp", "// " + licence + "Apache-2.0\n"},
                               {"b.py", "#!/usr/bin/env python3\n# " + licence + "Apache-2.0\n"},
                               {"c.cpp", "// " + licence + "MIT\n"},
                               {"d.cpp", "#pragma once\n// " + licence + "Apache-2.0\n"},
                               {"e.cpp", ""}}),
              testing::ElementsAre("c.cpp", "d.cpp", "e.cpp"));
}

}  // namespace
}  // namespace kernbench::docs
