// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// The files that a finished build has read, and those that it would have read had they existed.
/// File names are those of the build folder (SourceNames).
struct Manifest {
  std::string hash;    ///< that of the build: of its recipe and files
  std::string recipe;  ///< hash of all flags, arguments and tools
  std::vector<std::pair<std::string, std::string>> files;  ///< name and hash of the content
  /// Names that Verilator looks for before it finds a file: a file of such a name would replace it.
  std::vector<std::string> absent;
};

/// Returns the hash of a file's content; std::nullopt if it cannot be read.
[[nodiscard]] std::optional<std::string> content_hash(const std::filesystem::path& path);

/// Returns the hash of a build with this recipe and these files. It does not depend on where the
/// files are.
[[nodiscard]] std::string build_hash(const std::string& recipe,
                                     const std::vector<std::pair<std::string, std::string>>& files);

/// Returns true if a build would read the same files with the same content again.
[[nodiscard]] bool is_current(const Manifest& manifest, const std::string& recipe,
                              const SourceNames& names);

/// Reads a manifest; std::nullopt if there is none or it is damaged. Its first line is the hash.
[[nodiscard]] std::optional<Manifest> read_manifest(const std::filesystem::path& path);
void write_manifest(const std::filesystem::path& path, const Manifest& manifest);

/// Returns the names that a run of Verilator has opened or looked for, by the list that it leaves
/// (`*__verFiles.dat`). Throws common::BadInput when the list is missing or names nothing: then
/// nothing is known.
[[nodiscard]] std::vector<std::string> files_read(const std::filesystem::path& list);

/// Returns the names that Verilator looks for before it finds `file` by searching the folders
/// `searched`, in their order, with `suffixes`; empty if the file is not in one of them.
[[nodiscard]] std::vector<std::string> names_before(const std::string& file,
                                                    const std::vector<std::string>& searched,
                                                    const std::vector<std::string>& suffixes);

}  // namespace kernbench::sim
