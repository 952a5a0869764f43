// SPDX-License-Identifier: Apache-2.0
#include "model/bench/bench_file.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/places.hpp"
#include "common/text_distance.hpp"
#include "common/text_file.hpp"
#include "model/plugin/plugin.hpp"
#include "model/plugin/plugin_file.hpp"

namespace kernbench::model::bench {
namespace {

namespace fs = std::filesystem;

/// The language whose interpreter the program finds by itself.
constexpr std::string_view kPython = ".py";
/// The plugin that brings the interpreter, in the package of Python.
constexpr const char* kInterpreter = "kernbench/_interpreter.so";

std::vector<BenchLanguage>& languages() {
  static std::vector<BenchLanguage> all;
  return all;
}

const BenchLanguage* language_of(std::string_view path) {
  const auto found =
      std::find_if(languages().begin(), languages().end(),
                   [path](const BenchLanguage& one) { return path.ends_with(one.ending); });
  return found == languages().end() ? nullptr : &*found;
}

/// Returns the interpreter of the same build or installation as this program.
fs::path find_interpreter() {
  const fs::path program = common::running_program();
  const fs::path prefix = program.parent_path().parent_path();
  std::vector<fs::path> packages = {prefix / "python"};
  std::error_code none;
  for (const auto& python : fs::directory_iterator(prefix / "lib", none)) {
    if (!python.path().filename().string().starts_with("python3")) continue;
    packages.push_back(python.path() / "dist-packages");
    packages.push_back(python.path() / "site-packages");
  }
  for (const fs::path& folder : packages) {
    if (fs::exists(folder / kInterpreter, none)) return folder / kInterpreter;
  }
  throw common::BadInput(fmt::format(
      "benches in Python need {}, which is neither in the build nor in the installation of {}; "
      "`make python` and `make install` build it when pybind11-dev and libpython3-dev are "
      "installed",
      kInterpreter, program.string()));
}

/// Returns "Python 3.12" for the python3 that a shell would run, or that there is none.
std::string installed_python() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code failed;
    const fs::path python = fs::canonical(fs::path(folder) / "python3", failed);
    const std::string name = python.filename().string();
    if (!failed && name.starts_with("python3.")) return "Python " + name.substr(6);
  }
  return "no python3 in PATH";
}

/// Loads the library of CPython for which the plugin is built, so that the plugin and the extension
/// modules of Python find it. Throws BadInput with both versions if this computer has another one.
void load_cpython(const fs::path& interpreter) {
  const auto facts = plugin::read_facts(common::read_text_file(interpreter));
  const std::string version = facts ? facts->version : "?";
  const std::string library = fmt::format("libpython{}.so.1.0", version);
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return;
  throw common::BadInput(
      fmt::format("benches in Python need Python {}, for which this kernbench is built, and this "
                  "computer has {}; install libpython{}, or build kernbench with the Python of "
                  "this computer",
                  version, installed_python(), version));
}

/// Returns the language of a file, whose interpreter it loads if need be.
const BenchLanguage& required_language(const std::string& path) {
  if (language_of(path) == nullptr) {
    const fs::path interpreter = find_interpreter();
    load_cpython(interpreter);
    plugin::load_plugins({common::seen_from_here(interpreter)});
  }
  return *language_of(path);
}

std::map<fs::path, BenchFile>& known_files() {
  static std::map<fs::path, BenchFile> known;
  return known;
}

/// Returns the file of a registered bench, or null.
const BenchFile* file_of(const std::string& bench) {
  for (const auto& [path, file] : known_files()) {
    const auto& names = file.benches;
    if (std::find(names.begin(), names.end(), bench) != names.end()) return &file;
  }
  return nullptr;
}

const BenchFile& read_once(const std::string& path) {
  std::map<fs::path, BenchFile>& known = known_files();
  const fs::path key = fs::weakly_canonical(path);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  (void)common::read_text_file(path);  // throws for one that cannot be read
  BenchFile file = required_language(path).read(path);
  file.hashes = ccl::source_hashes(file.files);  // notes that they are read
  return known.emplace(key, std::move(file)).first->second;
}

ccl::AlgorithmOfFile read_algorithm(const std::string& path, const std::string& name) {
  return required_language(path).read_algorithm(path, name);
}

/// The collectives, which are below the benches, read files by this.
const bool kReadsAlgorithms = (ccl::read_algorithms_by(&read_algorithm), true);

/// Returns the path in the name of a bench, and what follows the colon.
std::pair<std::string, std::string> split(const std::string& name) {
  if (name.ends_with(kPython)) return {name, ""};
  const std::size_t at = name.rfind(':');
  return {name.substr(0, at), name.substr(at + 1)};
}

}  // namespace

BenchLanguageRegistration::BenchLanguageRegistration(const BenchLanguage& language) {
  languages().push_back(language);
}

bool is_bench_file(std::string_view name) {
  return name.ends_with(kPython) || name.find(".py:") != std::string_view::npos;
}

std::string bench_of_file(const std::string& name) {
  const auto& [path, wanted] = split(name);
  const std::vector<std::string>& all = read_once(path).benches;
  if (wanted.empty()) {
    if (all.size() == 1) return all.front();
    throw common::BadInput(fmt::format("{} has {} benches; choose one by {}:NAME: {}", path,
                                       all.size(), path, fmt::join(all, ", ")));
  }
  if (std::find(all.begin(), all.end(), wanted) != all.end()) return wanted;
  const std::vector<std::string_view> names(all.begin(), all.end());
  throw common::BadInput(fmt::format("{} has no bench '{}'; it has {}{}", path, wanted,
                                     fmt::join(all, ", "), common::did_you_mean(wanted, names)));
}

std::map<std::string, std::string> sources_of(const std::string& bench) {
  const BenchFile* const file = file_of(bench);
  return file == nullptr ? std::map<std::string, std::string>{} : file->hashes;
}

std::vector<std::string> files_of_registered(const std::string& bench) {
  const BenchFile* const file = file_of(bench);
  return file == nullptr ? std::vector<std::string>{} : file->files;
}

const std::vector<std::string>& files_of_bench(const std::string& name) {
  return read_once(split(name).first).files;
}

void read_bench_folders(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    std::vector<std::string> files;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      const char first = entry.path().filename().string().front();
      if (first != '_' && first != '.' && entry.path().extension() == kPython) {
        files.push_back(entry.path().string());
      }
    }
    if (failed) {
      throw common::BadInput(
          fmt::format("'{}' is not a folder of benches: {}", folder, failed.message()));
    }
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) (void)read_once(file);
  }
}

}  // namespace kernbench::model::bench
