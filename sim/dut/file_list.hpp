// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/dut/rtl_sources.hpp"

namespace kernbench::sim {

/// Collects the sources that options and file lists name, and all errors in them.
class SourceFinder {
 public:
  /// Adds a file to compile. `where` begins the error if it does not exist.
  void add_file(const std::filesystem::path& path, const std::string& where);
  /// Adds a folder of headers.
  void add_include(const std::filesystem::path& path, const std::string& where);
  void add_define(const std::string& define) { sources_.defines.push_back(define); }
  /// Adds the files of `folder` that have names of the file list `topo_f`. Others are found by the
  /// name of their module.
  void add_rtl_folder(const std::filesystem::path& folder, const std::string& topo_f);
  /// Adds what a file list names. Paths in it are relative to its folder.
  void add_filelist(const std::filesystem::path& list) { add_filelist(list, 0); }

  /// Returns the sources. Throws common::BadInput with all errors.
  [[nodiscard]] RtlSources finish();

 private:
  void add_filelist(const std::filesystem::path& list, int nesting);
  void add_folder(std::vector<std::string>& folders, const std::filesystem::path& path,
                  const std::string& where);
  void add_path_option(char option, const std::filesystem::path& path, const std::string& where,
                       int nesting);
  /// Adds +incdir+, +define+, +libext+, -I or -D. Returns false if `text` is the name of a file.
  bool add_option(const std::string& text, const std::filesystem::path& folder,
                  const std::string& where);

  RtlSources sources_;
  std::vector<std::string> errors_;
};

}  // namespace kernbench::sim
