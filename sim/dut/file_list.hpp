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
  /// Adds a C or C++ file.
  void add_dpi(const std::filesystem::path& path, const std::string& where);
  /// Adds a folder of headers.
  void add_include(const std::filesystem::path& path, const std::string& where);
  void add_define(const std::string& define) { sources_.defines.push_back(define); }
  /// Adds the files of `folder` that have names of the file list `topo_f`. Others are found by the
  /// name of their module.
  void add_rtl_folder(const std::filesystem::path& folder, const std::string& topo_f);
  /// Adds what a file list names. Paths in it are relative to its folder.
  void add_filelist(const std::filesystem::path& list);

  /// Returns the sources. Throws common::BadInput with all errors.
  [[nodiscard]] RtlSources finish();

 private:
  /// The words of a file list, and the one that is read.
  struct Reading;

  void add_if_file(std::vector<std::string>& files, const std::filesystem::path& path,
                   const std::string& where);
  void add_folder(std::vector<std::string>& folders, const std::filesystem::path& path,
                  const std::string& where);
  /// Adds the option that is read, if it has a path or a macro as its next word.
  bool add_option_with_word(Reading& reading);
  /// Adds +incdir+, +define+, +libext+, -I or -D with their values.
  bool add_option(const Reading& reading);
  /// Notes an option without effect.
  bool ignore(Reading& reading);
  void add_entry(const Reading& reading);

  RtlSources sources_;
  std::vector<std::string> errors_;
  std::vector<std::filesystem::path> open_;  ///< lists that name the one that is read
};

}  // namespace kernbench::sim
