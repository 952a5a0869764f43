// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kernbench::topology {

/// A file of a folder that a generator writes as a whole.
struct GeneratedFile {
  std::string name;
  std::string text;
};

/// Name of the list of the other files, each with the hash of its text.
inline constexpr const char* kGeneratedList = "GENERATED";

/// Writes a folder with these files and their list. The folder appears complete or not at all.
/// Replaces a folder that has no other files than those of its list, each unchanged.
/// Throws common::BadInput that names the files of others, and those that were edited.
void write_generated_folder(const std::filesystem::path& folder,
                            const std::vector<GeneratedFile>& files);

/// Compares a folder with what write_generated_folder() would write. Returns a line for each
/// difference, in the order of the files: "noc_top.sv: edited by hand".
/// Throws common::BadInput if the folder does not exist.
[[nodiscard]] std::vector<std::string> differences_of_folder(
    const std::filesystem::path& folder, const std::vector<GeneratedFile>& files);

}  // namespace kernbench::topology
