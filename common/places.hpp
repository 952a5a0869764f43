// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace kernbench::common {

/// The folder with the RTL, `Makefile.verilator` and `configs/`.
struct DataFolder {
  std::filesystem::path path;
  bool checkout = false;  ///< true in a checkout, false in an installation
};

/// Returns the path of the running program, without links.
[[nodiscard]] std::filesystem::path running_program();

/// Returns the data folder of `program`: PREFIX/share/kernbench if the program is
/// PREFIX/bin/kernbench, else the nearest checkout around it, else `named`, the value of
/// KERNBENCH_ROOT. Returns nothing if none of them has a `Makefile.verilator`.
[[nodiscard]] std::optional<DataFolder> find_data_folder(const std::filesystem::path& program,
                                                         const std::filesystem::path& named);

/// Returns true if `folder` is a checkout of this project.
[[nodiscard]] bool is_checkout(const std::filesystem::path& folder);

/// Returns $XDG_CACHE_HOME/kernbench, else ~/.cache/kernbench. Returns nothing if the environment
/// has neither variable. The folder need not exist.
[[nodiscard]] std::optional<std::filesystem::path> user_cache_folder();

/// Returns the folder of built models: that of a checkout which can be written, else that in the
/// user's cache folder.
[[nodiscard]] std::string default_models_folder(const DataFolder& data);

/// Returns true if files can be created in `folder`; "" is the current folder.
[[nodiscard]] bool is_writable_folder(const std::filesystem::path& folder);

/// Returns `path` relative to the current folder if it is inside it, else unchanged.
[[nodiscard]] std::string seen_from_here(const std::filesystem::path& path);

/// Replaces a leading "~" with the user's home folder, as a shell does; "~user" is left alone.
[[nodiscard]] std::filesystem::path expand_home(const std::filesystem::path& path);

}  // namespace kernbench::common
