// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/model_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <thread>
#include <vector>

#include "common/activity.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/progress.hpp"
#include "common/shell_quote.hpp"
#include "sim/dut/build_log.hpp"

extern char**
    environ;  // NOLINT(readability-redundant-declaration): some unistd.h do not declare it

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNetworkLibrary = "libnetwork_model.so";

/// Runs a program with stdout and stderr in `log`. Returns its exit code, or -1 when it cannot be
/// started.
int run_logged(std::vector<std::string> words, const std::string& log) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0644);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

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
std::string folder_suffix(const RtlSources& sources, bool assertions) {
  return "-rtl-" + common::hex64(common::hash_bytes(sources.arguments())).substr(0, 8) +
         (assertions ? "" : "-noassert");
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
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : file_(open((folder + "/.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) {
      throw common::BadInput(fmt::format("cannot lock {}: {}", folder, std::strerror(errno)));
    }
  }
  ~FolderLock() { close(file_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

}  // namespace

std::string ModelStore::model_folder(const ModelRequest& request) const {
  const auto& shape = request.shape;
  std::string rtl;
  if (!request.rtl.shipped()) {
    rtl = folder_suffix(find_rtl(request.rtl, root_ + "/rtl/topo.f"), request.rtl.assertions);
  }
  const char* variant = request.primitive ? "-primitive" : request.checkers ? "" : "-bare";
  return fmt::format("{}/{}x{}x{}{}{}{}", folder_, shape.nx, shape.ny, shape.flit_w, rtl, variant,
                     request.trace ? "-trace" : "");
}

std::string ModelStore::network_folder(const maze::Shape& shape, bool checkers,
                                       const RtlRequest& rtl) const {
  std::string folder = fmt::format("{}/network-{}x{}x{}{}", folder_, shape.nx, shape.ny,
                                   shape.flit_w, checkers ? "-checkers" : "");
  if (!rtl.shipped()) folder += folder_suffix(find_network_rtl(rtl), rtl.assertions);
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
    settings.push_back(fmt::format("ASSERT={}", rtl.assertions ? 1 : 0));
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
  if (run_logged(words, log) != 0) {
    if (const std::string missing = missing_in(log); !missing.empty()) {
      throw common::BadInput(
          fmt::format("cannot build {}: the RTL has no {} ({})", what, missing, log));
    }
    throw common::BadInput(
        fmt::format("cannot build {} ({}):{}{}", what, log, errors_in(log), assertion_hint(log)));
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
    settings.push_back(fmt::format("ASSERT={}", request.rtl.assertions ? 1 : 0));
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
  require_one_definition(folder + "/verilate.log", what);
  return library_path(request);
}

std::string ModelStore::ensure_network(const maze::Shape& shape, bool checkers,
                                       const RtlRequest& rtl) const {
  const std::string folder = network_folder(shape, checkers, rtl);
  const FolderLock lock(folder);
  const std::string what = fmt::format("the {}x{} network model", shape.nx, shape.ny);
  make("network", network_settings(shape, checkers, rtl, folder), folder + "/build.log", what);
  require_one_definition(folder + "/verilate.log", what);
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
  require_one_definition(design.folder + "/dump/verilate.log", "the network");
  std::ifstream(design.folder + "/dump/stamp") >> design.build_hash;
  return design;
}

ElaboratedDesign ModelStore::ensure_design(const ModelRequest& request) const {
  ElaboratedDesign design{model_folder(request), {}};
  common::ensure_directory(design.folder);
  const FolderLock lock(design.folder);
  make("design", settings_of(request, design.folder), design.folder + "/design.log",
       fmt::format("the dump of the {}x{} TOPO", request.shape.nx, request.shape.ny));
  require_one_definition(design.folder + "/dump/verilate.log", "the TOPO");
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
