// SPDX-License-Identifier: Apache-2.0
#include "cli/line/path_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/line/option.hpp"
#include "common/places.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

/// Returns the existing files of a folder whose names match a pattern of the shell.
Paths matching_files(const fs::path& folder, const std::string& pattern) {
  Paths files;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) files.push_back(entry->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns a pattern that only `name` matches.
std::string escaped(std::string_view name) {
  std::string pattern;
  for (const char c : name) pattern += fmt::format("\\{}", c);
  return pattern;
}

Paths itself(const std::string& path, const std::string& /*names*/) {
  return {path};
}

Paths files_of_prefix(const std::string& text, const std::string& /*names*/) {
  const fs::path prefix(text);
  const fs::path folder = prefix.has_parent_path() ? prefix.parent_path() : fs::path(".");
  return matching_files(folder, escaped(prefix.filename().string()) + ".*.et");
}

Paths files_of_replay(const std::string& text, const std::string& names) {
  const auto prefix = prefix_of_traces(text);
  return prefix ? files_of_prefix(*prefix, names) : Paths{text};
}

Paths file_of_setting(const std::string& text, const std::string& data_folder) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {};
  std::string value = path_in(data_folder, text.substr(equals + 1));
  std::error_code error;
  if (!fs::is_regular_file(common::expand_home(value), error)) return {};
  return {std::move(value)};
}

/// Returns the file of FILE.py or FILE.py:NAME.
Paths file_of_bench(const std::string& text, const std::string& /*names*/) {
  constexpr std::string_view kEnding = ".py";
  const std::size_t at = text.find(kEnding);
  if (at == std::string::npos || at == 0) return {};
  const std::size_t end = at + kEnding.size();
  return end == text.size() || text[end] == ':' ? Paths{text.substr(0, end)} : Paths{};
}

Paths file_of_workload(const std::string& text, const std::string& names) {
  constexpr std::string_view kBench = "bench:";
  if (text.starts_with(kBench)) return file_of_bench(text.substr(kBench.size()), names);
  return text.ends_with(".csv") || text.ends_with(".json") ? Paths{text} : Paths{};
}

Paths file_of_topology(const std::string& text, const std::string& /*names*/) {
  return text.ends_with(".yaml") || text.ends_with(".yml") ? Paths{text} : Paths{};
}

Paths file_of_engine(const std::string& text, const std::string& /*names*/) {
  std::string name = engine_name(text);
  return name.ends_with(".yaml") ? Paths{std::move(name)} : Paths{};
}

/// Returns the database and the CSV file beside it.
Paths files_of_database(const std::string& text, const std::string& /*names*/) {
  const std::string csv = fs::path(text).replace_extension(".csv").string();
  return csv == text ? Paths{text} : Paths{text, csv};
}

Paths files_of_folder(const std::string& folder, const std::string& names) {
  Paths files;
  for (std::string_view rest = names; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    for (std::string& file : matching_files(folder, std::string(rest.substr(0, comma)))) {
      files.push_back(std::move(file));
    }
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return files;
}

Paths none(const std::string& /*text*/, const std::string& /*names*/) {
  return {};
}

constexpr PathKind kInputFile = {"input file", PathUse::Input, itself};
constexpr PathKind kInputPrefix = {"input prefix", PathUse::Input, files_of_prefix};
constexpr PathKind kInputReplay = {"input replay", PathUse::Input, files_of_replay};
constexpr PathKind kInputSetting = {"input setting", PathUse::Input, file_of_setting};
constexpr PathKind kInputWorkload = {"input workload", PathUse::Input, file_of_workload};
constexpr PathKind kInputBench = {"input bench", PathUse::Input, file_of_bench};
constexpr PathKind kInputEngine = {"input engine", PathUse::Input, file_of_engine};
constexpr PathKind kInputTopology = {"input topology", PathUse::Input, file_of_topology};
constexpr PathKind kInputFolder = {"input folder", PathUse::Folder, none};
constexpr PathKind kOutputFile = {"output file", PathUse::Output, itself};
constexpr PathKind kOutputDatabase = {"output database", PathUse::Output, files_of_database};
constexpr PathKind kOutputPrefix = {"output prefix", PathUse::Output, files_of_prefix};
constexpr PathKind kOutputFolder = {"output folder", PathUse::Output, files_of_folder};
constexpr PathKind kModelsFolder = {"models folder", PathUse::Folder, none};

/// Returns a check that refuses an empty value.
Check named(const PathKind& kind, const char* what) {
  Check check = not_empty(what);
  check.path = &kind;
  return check;
}

constexpr const char* kNoStandardOutput = "'-' cannot be standard output here; './-' names a file";

/// Refuses "-" as well, which would be a file or a folder of this name.
Check named_path(const PathKind& kind) {
  return {.problem =
              [](const std::string& path) {
                if (path.empty()) return std::string("the path is empty");
                return std::string(path == kStandardOutput ? kNoStandardOutput : "");
              },
          .path = &kind};
}

}  // namespace

Check input_file() {
  return named(kInputFile, "path");
}

Check input_prefix() {
  return named(kInputPrefix, "prefix of trace files");
}

Check input_replay() {
  return named(kInputReplay, "path");
}

Check input_setting(const std::string& data_folder) {
  Check check = named(kInputSetting, "setting");
  check.file_names = data_folder;
  return check;
}

Check input_workload() {
  return named(kInputWorkload, "workload");
}

Check input_bench() {
  return named(kInputBench, "name of a bench");
}

Check input_engine() {
  return named(kInputEngine, "engine");
}

Check input_topology() {
  return named(kInputTopology, "topology");
}

Check input_folder() {
  return named(kInputFolder, "path");
}

Check output_file() {
  return named(kOutputFile, "path");
}

Check output_database() {
  return named_path(kOutputDatabase);
}

Check output_prefix() {
  return {.problem =
              [](const std::string& prefix) {
                if (prefix.empty()) return std::string("the prefix of trace files is empty");
                if (prefix == kStandardOutput) return std::string(kNoStandardOutput);
                const fs::path path(prefix);
                const fs::path name = path.filename();
                if (!name.empty() && name != "." && name != "..") return std::string();
                return fmt::format("'{}' is a folder; add how file names begin, such as '{}'",
                                   prefix, (path / "trace").string());
              },
          .path = &kOutputPrefix};
}

Check output_folder(const std::vector<std::string>& names) {
  Check check = named_path(kOutputFolder);
  check.file_names = fmt::format("{}", fmt::join(names, ","));
  return check;
}

Check models_folder() {
  return named_path(kModelsFolder);
}

std::optional<std::string> prefix_of_traces(const std::string& text) {
  constexpr std::string_view kEnding = ".et";
  if (!text.ends_with(kEnding)) return std::nullopt;
  const std::string prefix = text.substr(0, text.size() - kEnding.size());
  const std::size_t dot = prefix.rfind('.');
  std::error_code unreadable;
  const bool is_one_of_them =
      dot != std::string::npos && dot + 1 < prefix.size() &&
      prefix.find_first_not_of("0123456789", dot + 1) == std::string::npos &&
      fs::exists(common::expand_home(text), unreadable);
  return is_one_of_them ? prefix.substr(0, dot) : prefix;
}

std::string engine_name(const std::string& text) {
  constexpr std::string_view kEnding = ".yaml";
  if (text.ends_with(kEnding)) return text;
  const std::size_t file = text.find(std::string(kEnding) + ":");
  return text.substr(0, file == std::string::npos ? text.find(':') : file + kEnding.size());
}

bool is_folder_to_create(const PathKind& kind) {
  return &kind == &kOutputFolder || &kind == &kModelsFolder;
}

bool is_prefix_to_write(const PathKind& kind) {
  return &kind == &kOutputPrefix;
}

}  // namespace kernbench::cli
