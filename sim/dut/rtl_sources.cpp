// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/rtl_sources.hpp"

#include <filesystem>
#include <set>

#include "sim/dut/file_list.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

bool is_verilog(const fs::path& path) {
  static const std::set<std::string> kSuffixes = {".v", ".vh", ".sv", ".svh", ".inc"};
  return kSuffixes.count(path.extension().string()) != 0;
}

/// Returns an argument that Verilator reads from a file as one word.
std::string quoted_argument(const std::string& argument) {
  std::string quoted = "\"";
  for (const char c : argument) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"\n";
}

}  // namespace

std::string RtlSources::arguments() const {
  std::string text;
  for (const std::string& define : defines) text += quoted_argument("-D" + define);
  for (const std::string& folder : include_dirs) text += quoted_argument("-I" + folder);
  for (const std::string& suffix : library_suffixes) text += quoted_argument("+libext+" + suffix);
  for (const std::string& folder : library_dirs) text += "-y " + quoted_argument(folder);
  for (const std::string& file : library_files) text += "-v " + quoted_argument(file);
  for (const std::string& file : files) text += quoted_argument(file);
  for (const std::string& file : dpi_files) text += quoted_argument(file);
  return text;
}

std::string RtlSources::all_files() const {
  std::set<std::string> all(files.begin(), files.end());
  all.insert(library_files.begin(), library_files.end());
  all.insert(dpi_files.begin(), dpi_files.end());
  for (const auto* folders : {&include_dirs, &library_dirs}) {
    for (const std::string& folder : *folders) {
      for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file() && is_verilog(entry.path())) all.insert(entry.path().string());
      }
    }
  }
  std::string text;
  for (const std::string& file : all) text += file + "\n";
  return text;
}

RtlSources find_rtl(const RtlRequest& request, const std::string& topo_f) {
  SourceFinder finder;
  for (const std::string& define : request.defines) finder.add_define(define);
  for (const std::string& folder : request.include_dirs) finder.add_include(folder, "-I");
  for (const std::string& file : request.files) finder.add_file(file, "--rtl");
  for (const std::string& file : request.dpi_files) finder.add_dpi(file, "--dpi");
  if (!request.folder.empty()) finder.add_rtl_folder(request.folder, topo_f);
  if (!request.filelist.empty()) finder.add_filelist(request.filelist);
  return finder.finish();
}

}  // namespace kernbench::sim
