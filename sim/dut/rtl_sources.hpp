// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kernbench::sim {

/// The RTL of a model, as a user names it. Exactly one of `files`, `filelist` and `folder` is set;
/// none means the repository's own.
struct RtlRequest {
  std::vector<std::string> files;
  std::string filelist;
  std::string folder;  ///< with the file names of rtl/topo.f
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;    ///< NAME or NAME=VALUE
  std::vector<std::string> dpi_files;  ///< C and C++ files with functions that the RTL imports
  bool assertions = true;              ///< check those of other RTL

  [[nodiscard]] bool shipped() const { return files.empty() && filelist.empty() && folder.empty(); }
};

/// RTL for Verilator. All paths are absolute.
struct RtlSources {
  std::vector<std::string> files;  ///< in the order of their compilation
  std::vector<std::string> include_dirs;
  std::vector<std::string> library_files;  ///< searched for modules that `files` lack
  std::vector<std::string> library_dirs;
  std::vector<std::string> library_suffixes;
  std::vector<std::string> defines;
  std::vector<std::string> dpi_files;  ///< C and C++ with functions that the RTL imports
  std::string ignored;  ///< options of file lists without effect, in one line; empty if none

  /// Returns true if there is no source, so that the repository's own are meant.
  [[nodiscard]] bool empty() const {
    return files.empty() && library_files.empty() && library_dirs.empty();
  }
  /// Returns Verilator's arguments, each quoted and on a line of its own.
  [[nodiscard]] std::string arguments() const;
};

/// Finds the sources. `topo_f` is the path of rtl/topo.f. Throws common::BadInput with all files
/// and folders that do not exist and all entries of a file list that are not understood, or that
/// name a variable of the environment that is not set.
[[nodiscard]] RtlSources find_rtl(const RtlRequest& request, const std::string& topo_f);

}  // namespace kernbench::sim
