// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kernbench::docs {

/// A folder of the sources and one line on what it holds.
struct Room {
  std::string folder;  ///< relative to the root of the repository, "model/engine"
  std::string holds;
};

/// The folders that each folder includes files of.
using Dependencies = std::map<std::string, std::set<std::string>>;

/// Reads the `#include "folder/..."` lines of all C++ files below the rooms. Files outside the
/// rooms do not count.
[[nodiscard]] Dependencies read_dependencies(const std::filesystem::path& root,
                                             const std::vector<Room>& rooms);

/// Draws the rooms as a staircase, each below all rooms that include it, with an arrow for each
/// dependency: to the right out of the room that includes, and down into the included one. Throws
/// std::invalid_argument when rooms include each other in a circle.
[[nodiscard]] std::string layer_diagram(std::string_view title, const std::vector<Room>& rooms,
                                        const Dependencies& dependencies);

/// The diagram of the top-level folders, read from the sources below `root`.
[[nodiscard]] std::string repository_layers(const std::filesystem::path& root);
/// The diagram of the folders of `model/`.
[[nodiscard]] std::string model_layers(const std::filesystem::path& root);

}  // namespace kernbench::docs
