// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/model_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <thread>
#include <vector>

#include "common/activity.hpp"
#include "common/atomic_file.hpp"
#include "common/child_process.hpp"
#include "common/diagnostics.hpp"
#include "common/file_lock.hpp"
#include "common/hash.hpp"
#include "common/progress.hpp"
#include "common/shell_quote.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNetworkLibrary = "libnetwork_model.so";

/// Returns the lines of a build log that describe the error.
std::string errors_in(const std::string& path) {
  constexpr int kMostLines = 12;
  std::ifstream file(path);
  std::string text;
  int lines = 0;
  for (std::string line; std::getline(file, line) && lines < kMostLines;) {
    const bool says_so = line.find("%Error") != std::string::npos ||
                         line.find("error:") != std::string::npos ||
                         line.find("***") != std::string::npos;
    if (!says_so) continue;
    text += "\n  " + line;
    ++lines;
  }
  return text;
}

/// Returns the modules and interfaces that a build did not find, in one line: "module 'IRS_N' (used
/// at topo.sv:34:9)".
std::string missing_in(const std::string& path) {
  static const std::regex kMissing(
      "%Error(?:-[A-Z]+)?: (.*:[0-9]+:[0-9]+): (?:Cannot find file containing|Can't resolve) "
      "(module|interface): '([^']*)'.*");
  std::ifstream file(path);
  std::string text;
  std::set<std::string> seen;
  std::smatch found;
  for (std::string line; std::getline(file, line);) {
    if (!std::regex_match(line, found, kMissing) || !seen.insert(found[3]).second) continue;
    text += fmt::format("{}{} '{}' (used at {})", text.empty() ? "" : ", no ", found[2].str(),
                        found[3].str(), found[1].str());
  }
  return text;
}

/// Returns the end of the name of the folder of a model of other RTL.
std::string folder_suffix(const RtlSources& sources) {
  return "-rtl-" + common::hex64(common::hash_bytes(sources.arguments())).substr(0, 8);
}

/// Writes Verilator's arguments for other RTL to a folder. Returns the setting that names them.
std::string write_arguments(const RtlSources& sources, const std::string& folder) {
  common::write_file_atomically(folder + "/rtl.args", sources.arguments());
  common::write_file_atomically(folder + "/rtl.files", sources.all_files());
  return "RTL_ARGS=" + folder + "/rtl.args";
}

}  // namespace

ModelStore::ModelStore(std::string root, const std::string& folder)
    : root_(std::move(root)), folder_(fs::absolute(folder).lexically_normal().string()) {}

namespace {

/// Locks a folder against other processes that build the same model.
class FolderLock : public common::FileLock {
 public:
  explicit FolderLock(const std::string& folder)
      : FileLock(folder + "/.lock", "builds this model") {}
};

}  // namespace

std::string ModelStore::model_folder(const ModelRequest& request) const {
  const auto& shape = request.shape;
  std::string rtl;
  if (!request.rtl.shipped()) {
    rtl = folder_suffix(find_rtl(request.rtl, root_ + "/rtl/topo.f"));
  }
  const char* variant = request.primitive ? "-primitive" : request.checkers ? "" : "-bare";
  return fmt::format("{}/{}x{}x{}{}{}{}", folder_, shape.nx, shape.ny, shape.flit_w, rtl, variant,
                     request.trace ? "-trace" : "");
}

std::string ModelStore::network_folder(const maze::Shape& shape, bool checkers,
                                       const RtlRequest& rtl) const {
  std::string folder = fmt::format("{}/network-{}x{}x{}{}", folder_, shape.nx, shape.ny,
                                   shape.flit_w, checkers ? "-checkers" : "");
  if (!rtl.shipped()) folder += folder_suffix(find_network_rtl(rtl));
  common::ensure_directory(folder);
  return folder;
}

RtlSources ModelStore::find_network_rtl(RtlRequest rtl) const {
  if (!rtl.folder.empty()) {
    rtl.filelist = rtl.folder + "/network/maze.f";
    rtl.folder.clear();
  }
  return find_rtl(rtl, root_ + "/rtl/topo.f");
}

std::vector<std::string> ModelStore::network_settings(const maze::Shape& shape, bool checkers,
                                                      const RtlRequest& rtl,
                                                      const std::string& folder) const {
  std::vector<std::string> settings = {
      fmt::format("NX={}", shape.nx), fmt::format("NY={}", shape.ny),
      fmt::format("FLIT_W={}", shape.flit_w), fmt::format("NODE_CHECKERS={}", checkers ? 1 : 0),
      "OUT=" + folder};
  if (!rtl.shipped()) {
    settings.insert(settings.end(), {"LINKS=0", write_arguments(find_network_rtl(rtl), folder)});
  }
  return settings;
}

std::string ModelStore::library_path(const ModelRequest& request) const {
  return model_folder(request) + "/libmaze_model.so";
}

void ModelStore::make(const std::string& target, const std::vector<std::string>& settings,
                      const std::string& log, const std::string& what) const {
  std::vector<std::string> words = {
      "make",
      "--no-print-directory",
      fmt::format("-j{}", std::max(1U, std::thread::hardware_concurrency())),
      "-C",
      root_,
      "-f",
      "Makefile.verilator",
      target,
  };
  words.insert(words.end(), settings.begin(), settings.end());
  if (common::activity_is_shown()) {
    std::vector<std::string> quoted;
    quoted.reserve(words.size());
    for (const std::string& word : words) quoted.push_back(common::shell_quote(word));
    common::report_activity(fmt::format("run: {}; output in {}", fmt::join(quoted, " "), log));
  }
  const common::Progress progress([&what] {
    return common::ProgressState{std::nullopt, "building " + what};
  });
  if (common::run_program({.words = words, .log = log}).exit_code != 0) {
    if (const std::string missing = missing_in(log); !missing.empty()) {
      throw common::BadInput(
          fmt::format("cannot build {}: the RTL has no {} ({})", what, missing, log));
    }
    throw common::BadInput(fmt::format("cannot build {} ({}):{}", what, log, errors_in(log)));
  }
}

std::vector<std::string> ModelStore::settings_of(const ModelRequest& request,
                                                 const std::string& folder) const {
  const auto& shape = request.shape;
  std::vector<std::string> settings = {
      fmt::format("NX={}", shape.nx),
      fmt::format("NY={}", shape.ny),
      fmt::format("FLIT_W={}", shape.flit_w),
      fmt::format("CHECKERS={}", request.checkers ? 1 : 0),
      fmt::format("TRACE={}", request.trace ? 1 : 0),
      fmt::format("PRIMITIVE={}", request.primitive ? 1 : 0),
      "OUT=" + folder,
  };
  if (!request.rtl.shipped()) {
    settings.push_back(write_arguments(find_rtl(request.rtl, root_ + "/rtl/topo.f"), folder));
  }
  return settings;
}

std::string ModelStore::ensure(const ModelRequest& request) const {
  const std::string folder = model_folder(request);
  common::ensure_directory(folder);
  const FolderLock lock(folder);
  const std::string what =
      request.primitive ? "the IRS_N model"
                        : fmt::format("the {}x{} TOPO model", request.shape.nx, request.shape.ny);
  make("model", settings_of(request, folder), folder + "/build.log", what);
  return library_path(request);
}

std::string ModelStore::ensure_network(const maze::Shape& shape, bool checkers,
                                       const RtlRequest& rtl) const {
  const std::string folder = network_folder(shape, checkers, rtl);
  const FolderLock lock(folder);
  make("network", network_settings(shape, checkers, rtl, folder), folder + "/build.log",
       fmt::format("the {}x{} network model", shape.nx, shape.ny));
  return folder + "/" + kNetworkLibrary;
}

ElaboratedDesign ModelStore::ensure_network_design(const maze::Shape& shape,
                                                   const RtlRequest& rtl) const {
  ElaboratedDesign design{network_folder(shape, false, rtl), {}};
  const FolderLock lock(design.folder);
  std::vector<std::string> settings = network_settings(shape, false, rtl, design.folder);
  settings.emplace_back("LINKS=0");  // the bench looks into the network for them
  make("network-design", settings, design.folder + "/design.log",
       fmt::format("the dump of the {}x{} network", shape.nx, shape.ny));
  std::ifstream(design.folder + "/dump/stamp") >> design.build_hash;
  return design;
}

ElaboratedDesign ModelStore::ensure_design(const ModelRequest& request) const {
  ElaboratedDesign design{model_folder(request), {}};
  common::ensure_directory(design.folder);
  const FolderLock lock(design.folder);
  make("design", settings_of(request, design.folder), design.folder + "/design.log",
       fmt::format("the dump of the {}x{} TOPO", request.shape.nx, request.shape.ny));
  std::ifstream(design.folder + "/dump/stamp") >> design.build_hash;
  return design;
}

std::string ModelStore::ensure_traced(const std::string& library,
                                      const std::string& build_hash) const {
  const fs::path plain = fs::absolute(library).lexically_normal().parent_path();
  std::vector<std::string> settings;
  {
    std::ifstream file(plain / "settings");
    for (std::string line; std::getline(file, line);) settings.push_back(line);
  }
  if (settings.empty()) {
    throw common::BadInput(
        fmt::format("{}: nothing beside it tells how it was built (there is no file '{}'); build "
                    "it again with Makefile.verilator",
                    library, (plain / "settings").string()));
  }
  const std::string folder = plain.string() + "-trace";
  common::ensure_directory(folder);
  const FolderLock lock(folder);
  const std::string log = folder + "/build.log";
  const bool network = std::any_of(settings.begin(), settings.end(), [](const auto& setting) {
    return setting.compare(0, 12, "NETWORK_DIR=") == 0;
  });
  make(network ? "network-hash" : "hash", settings, log, "the model with waves");
  std::string now;
  std::ifstream(log) >> now;
  if (now != build_hash) {
    throw common::BadInput(fmt::format(
        "{}: its sources, the bench or the tools have changed since it was built", library));
  }
  settings.insert(settings.end(), {"TRACE=1", "OUT=" + folder});
  make(network ? "network" : "model", settings, log, "the model with waves");
  return folder + "/" + (network ? kNetworkLibrary : "libmaze_model.so");
}

}  // namespace kernbench::sim
