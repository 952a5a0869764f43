// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/rtl_sources.hpp"

#include "sim/dut/file_list.hpp"

namespace kernbench::sim {
namespace {

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
