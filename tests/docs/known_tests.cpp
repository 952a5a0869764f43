// SPDX-License-Identifier: Apache-2.0
#include "known_tests.hpp"

#include <regex>

#include "repository_text.hpp"

namespace kernbench::docs {

void add_matches(const std::string& text, const char* pattern, const char* format,
                 std::set<std::string>& names) {
  const std::regex form(pattern);
  for (auto match = std::sregex_iterator(text.begin(), text.end(), form);
       match != std::sregex_iterator(); ++match) {
    names.insert(match->format(format));
  }
}

std::set<std::string> test_names() {
  std::set<std::string> names;
  for (const SourceFile& file : repository_files({"tests"}, {".cpp", "CMakeLists.txt"})) {
    add_matches(file.text, R"(\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\))", "$1.$2", names);
    add_matches(file.text, R"(add_test\(\s*NAME\s+([\w.]+))", "$1", names);
  }
  for (const SourceFile& file : repository_files({"tests"}, {".py"})) {
    add_matches(file.text, R"(\bdef (test_\w+)\()", (file.path + " $1").c_str(), names);
  }
  return names;
}

}  // namespace kernbench::docs
