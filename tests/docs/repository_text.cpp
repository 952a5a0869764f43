// SPDX-License-Identifier: Apache-2.0
#include "repository_text.hpp"

#include <algorithm>
#include <filesystem>

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

}  // namespace kernbench::docs
