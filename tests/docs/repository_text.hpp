// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

namespace kernbench::docs {

/// A text file of the repository; `path` is relative to its root.
struct SourceFile {
  std::string path;
  std::string text;
};

/// Returns the files below `folders` whose names end in one of `endings`, by path. "." means the
/// root's own files, without its folders.
[[nodiscard]] std::vector<SourceFile> repository_files(const std::vector<std::string>& folders,
                                                       const std::vector<std::string>& endings);

/// Returns the paths of all files of the repository, without build folders.
[[nodiscard]] std::set<std::string> repository_paths();

/// Returns the cells of a row of a Markdown table without the spaces around them. The first one,
/// ahead of the first bar, is empty.
[[nodiscard]] std::vector<std::string> row_cells(const std::string& line);

}  // namespace kernbench::docs
