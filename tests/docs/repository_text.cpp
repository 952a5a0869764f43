// SPDX-License-Identifier: Apache-2.0
#include "repository_text.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "common/text_file.hpp"
#include "tests/places.hpp"

namespace kernbench::docs {

namespace fs = std::filesystem;

std::vector<SourceFile> repository_files(const std::vector<std::string>& folders,
                                         const std::vector<std::string>& endings) {
  const fs::path root = places::kSource;
  std::vector<fs::path> paths;
  for (const std::string& folder : folders) {
    if (folder == ".") {
      std::copy(fs::directory_iterator(root), {}, std::back_inserter(paths));
    } else if (fs::is_directory(root / folder)) {
      std::copy(fs::recursive_directory_iterator(root / folder), {}, std::back_inserter(paths));
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<SourceFile> files;
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    const bool wanted = std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
      return name.ends_with(ending);
    });
    if (!wanted || !fs::is_regular_file(path)) continue;
    files.push_back(
        {fs::relative(path, root).generic_string(), common::read_text_file(path.string())});
  }
  return files;
}

std::set<std::string> repository_paths() {
  const fs::path root = places::kSource;
  std::set<std::string> paths;
  for (auto entry = fs::recursive_directory_iterator(root);
       entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry.depth() == 0 && (name.starts_with("build") || name == ".git")) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      paths.insert(fs::relative(entry->path(), root).generic_string());
    }
  }
  return paths;
}

std::vector<std::string> row_cells(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, '|');) {
    const auto first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos
                        ? ""
                        : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

}  // namespace kernbench::docs
