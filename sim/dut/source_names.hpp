// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kernbench::sim {

/// The names under which a build sees the user's files and folders. A build runs in a folder of its
/// own, in which `kb_src/0/topo.sv` is a link to a file, and `kb_inc/0` one to a folder. So no
/// character of a user's path reaches a makefile or a shell, and two checkouts with equal files
/// build equal models. Messages are translated back by user_text().
class SourceNames {
 public:
  /// Adds a file or folder. `name` has letters, digits and the characters "_./-" only; `path` is
  /// absolute.
  void add(std::string name, std::filesystem::path path);

  [[nodiscard]] const std::vector<std::pair<std::string, std::filesystem::path>>& all() const {
    return names_;
  }
  /// Returns the user's path of a name, or of a file below a named folder. A name that is not in
  /// the list, such as the absolute path of an included file, is returned as it is.
  [[nodiscard]] std::filesystem::path path_of(std::string_view name) const;
  /// Returns a text with all names replaced by the paths that users know: those of the repository
  /// relative to the current folder if they are below it, all others absolute.
  [[nodiscard]] std::string user_text(std::string_view text) const;

  /// Reads what write() has left in the folder of a model; empty without such a file.
  [[nodiscard]] static SourceNames read(const std::filesystem::path& folder);
  /// Writes the names to a folder unless they are there already. Throws common::BadInput.
  void write(const std::filesystem::path& folder) const;

 private:
  std::vector<std::pair<std::string, std::filesystem::path>> names_;
};

/// The name of the folder with the repository's `rtl/`, `tb/` and `sim/`.
inline constexpr const char* kRootName = "kb_root";

/// Returns "node_if[3]" for Verilator's "node_if__BRA__3__KET__", without suffixes of its own.
[[nodiscard]] std::string source_name(std::string name);

}  // namespace kernbench::sim
