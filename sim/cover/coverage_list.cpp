// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "sim/cover/coverage_file.hpp"

namespace kernbench::sim {

namespace {

constexpr std::string_view kBlanks = " \t\r";

/// Returns the part of `line` before its comment.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || kBlanks.find(line[at - 1]) != std::string_view::npos) return line.substr(0, at);
  }
  return line;
}

}  // namespace

std::vector<std::filesystem::path> read_coverage_list(const std::filesystem::path& list) {
  const std::string text = common::read_text_file(list);
  common::Diagnostics diagnostics;
  diagnostics.add_source(list.string(), text);
  std::vector<std::filesystem::path> paths;
  std::map<std::filesystem::path, unsigned> lines;
  unsigned line_number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    std::string_view line = without_comment(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    ++line_number;

    const std::size_t start = line.find_first_not_of(kBlanks);
    if (start == std::string_view::npos) continue;
    line = line.substr(start, line.find_last_not_of(kBlanks) - start + 1);
    const common::SourcePosition position{list.string(), line_number,
                                          static_cast<unsigned>(start + 1)};
    const std::filesystem::path path = (list.parent_path() / line).lexically_normal();
    const auto [known, is_new] = lines.try_emplace(path, line_number);
    std::error_code ignored;
    if (!is_new) {
      diagnostics.error(
          position, fmt::format("'{}' is already listed in line {}", path.string(), known->second));
    } else if (!std::filesystem::is_regular_file(path, ignored)) {
      diagnostics.error(position, fmt::format("file '{}' does not exist", path.string()),
                        "paths are relative to the folder of the list");
    }
    paths.push_back(path);
  }
  if (paths.empty()) {
    diagnostics.error({list.string()}, "no coverage file is listed", "write one path a line");
  }
  diagnostics.throw_if_any();
  return paths;
}

}  // namespace kernbench::sim
