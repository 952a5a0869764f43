// SPDX-License-Identifier: Apache-2.0
#include "cli/paths.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/declared_outputs.hpp"
#include "common/diagnostics.hpp"
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

Paths file_of_setting(const std::string& text, const std::string& /*names*/) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {};
  std::string value = text.substr(equals + 1);
  std::error_code error;
  if (!fs::is_regular_file(common::expand_home(value), error)) return {};
  return {std::move(value)};
}

Paths file_of_workload(const std::string& text, const std::string& /*names*/) {
  return text.ends_with(".csv") || text.ends_with(".json") ? Paths{text} : Paths{};
}

Paths file_of_engine(const std::string& text, const std::string& /*names*/) {
  return text.ends_with(".yaml") ? Paths{text} : Paths{};
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

/// A kind of path. Its name is that of the check, which a list of file names may follow.
struct Kind {
  std::string_view name;
  PathUse use;
  /// Returns the files that a value stands for.
  Paths (*files)(const std::string& value, const std::string& names);
};

constexpr std::array<Kind, 11> kKinds = {{
    {"input file", PathUse::Input, itself},
    {"input prefix", PathUse::Input, files_of_prefix},
    {"input setting", PathUse::Input, file_of_setting},
    {"input workload", PathUse::Input, file_of_workload},
    {"input engine", PathUse::Input, file_of_engine},
    {"input folder", PathUse::Folder, none},
    {"output file", PathUse::Output, itself},
    {"output database", PathUse::Output, files_of_database},
    {"output prefix", PathUse::Output, files_of_prefix},
    {"output folder", PathUse::Output, files_of_folder},
    {"models folder", PathUse::Folder, none},
}};

constexpr std::string_view kStandardOutput = "-";

/// A kind of path with the file names of its check.
struct Marked {
  const Kind* kind = nullptr;  ///< null if the option takes no path
  std::string names{};
};

Marked mark_of(const CLI::Option& option) {
  // Looking a validator up does not change the option, but CLI11 has no const overload.
  auto& searched =
      const_cast<CLI::Option&>(option);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  try {
    for (int i = 0;; ++i) {
      const std::string name = searched.get_validator(i)->get_name();
      for (const Kind& kind : kKinds) {
        if (name == kind.name) return {&kind};
        const std::string with_names = fmt::format("{}: ", kind.name);
        if (name.starts_with(with_names)) return {&kind, name.substr(with_names.size())};
      }
    }
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

/// A file that an option of the command line names.
struct NamedFile {
  std::string option;
  std::string path;      ///< as typed
  std::string identity;  ///< equal for all paths that lead to the file
  bool is_typed = false;
  bool is_whole = false;  ///< the option's value is the path of the file
};

/// Returns nothing for a device, a pipe or a folder.
std::optional<std::string> identity_of(const fs::path& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) == 0) {
    if (!S_ISREG(file.st_mode)) return std::nullopt;
    return fmt::format("{}:{}", file.st_dev, file.st_ino);
  }
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path.string() : whole.string();
}

std::optional<std::string> identity_of_output(const std::string& path) {
  if (path == kStandardOutput) return path;
  return identity_of(common::followed_links(path));
}

using Visit = std::function<void(const CLI::Option&, const Marked&)>;

/// Visits the options with a path of the parsed commands and of their option groups, which have no
/// names.
void each_path_option(const CLI::App& app, const Visit& visit) {
  for (const CLI::Option* option : app.get_options()) {
    const Marked marked = mark_of(*option);
    if (marked.kind != nullptr) visit(*option, marked);
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->parsed() || command->get_name().empty()) each_path_option(*command, visit);
  }
}

/// Returns the files that the options of the parsed commands name, or else their defaults.
std::vector<NamedFile> named_files(const CLI::App& app, PathUse use) {
  std::vector<NamedFile> files;
  each_path_option(app, [&](const CLI::Option& option, const Marked& marked) {
    if (marked.kind->use != use) return;
    const bool is_typed = option.count() > 0;
    for (const std::string& value : is_typed ? option.results() : Paths{option.get_default_str()}) {
      if (value.empty()) continue;
      for (const std::string& path : marked.kind->files(value, marked.names)) {
        const auto identity = use == PathUse::Output
                                  ? identity_of_output(path)
                                  : identity_of(fs::path(common::expand_home(path)));
        files.push_back({option.get_name(), path, identity.value_or(""), is_typed, path == value});
      }
    }
  });
  return files;
}

const NamedFile* find_same(const std::vector<NamedFile>& files, const NamedFile& file) {
  if (file.identity.empty()) return nullptr;
  const auto found = std::find_if(files.begin(), files.end(), [&](const NamedFile& other) {
    return other.identity == file.identity;
  });
  return found == files.end() ? nullptr : &*found;
}

/// Returns why an output file cannot be written, 0 if it probably can.
int reason_against(const fs::path& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) == 0) {
    if (S_ISDIR(file.st_mode)) return EISDIR;
    if (!S_ISREG(file.st_mode)) return 0;
  } else if (errno != ENOENT) {
    return errno;
  }
  const fs::path folder = common::followed_links(path).parent_path();
  return access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

/// Returns why a folder cannot be created or written, 0 if it probably can.
int reason_against_folder(const fs::path& path) {
  std::error_code unknown;
  fs::path existing = fs::absolute(path, unknown);
  struct stat file {};
  for (; stat(existing.c_str(), &file) != 0; existing = existing.parent_path()) {
    if (errno != ENOENT || existing == existing.root_path()) return errno;
    if (fs::is_symlink(existing, unknown)) return ENOENT;  // it leads nowhere
  }
  if (!S_ISDIR(file.st_mode)) return ENOTDIR;
  return access(existing.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

/// Returns true if a folder is `file` or below it, so that both cannot be there.
bool is_at_or_below(const fs::path& folder, const fs::path& file) {
  std::error_code unknown;
  const fs::path whole = fs::weakly_canonical(fs::absolute(folder, unknown), unknown);
  const fs::path start = fs::weakly_canonical(fs::absolute(file, unknown), unknown);
  return std::mismatch(start.begin(), start.end(), whole.begin(), whole.end()).first == start.end();
}

/// Reports the typed folders that cannot be created, also because they are the place of an output
/// file, and the typed prefixes without a folder.
void check_folders(const CLI::App& app, const std::vector<NamedFile>& outputs,
                   common::Diagnostics& diagnostics) {
  each_path_option(app, [&](const CLI::Option& option, const Marked& marked) {
    const bool is_folder =
        marked.kind->name == "output folder" || marked.kind->name == "models folder";
    const bool is_prefix = marked.kind->name == "output prefix";
    if (option.count() == 0 || (!is_folder && !is_prefix)) return;
    for (const std::string& value : option.results()) {
      for (const NamedFile& output : outputs) {
        if (!is_folder || value.empty() || !output.is_typed || !output.is_whole ||
            output.option == option.get_name() || !is_at_or_below(value, output.path)) {
          continue;
        }
        diagnostics.error({}, fmt::format("{}: '{}' is also the output of {}", option.get_name(),
                                          value, output.option));
      }
      const int reason = is_folder ? reason_against_folder(value) : reason_against(value + ".0.et");
      if (value.empty() || reason == 0) continue;
      const std::string what = is_folder ? fmt::format("create folder '{}'", value)
                                         : fmt::format("write '{}.0.et'", value);
      diagnostics.error(
          {}, fmt::format("cannot {}: {}", what, std::generic_category().message(reason)));
    }
  });
}

CLI::Validator path_check(const std::string& kind) {
  return {[](const std::string& path) {
            return path.empty() ? std::string("the path is empty") : std::string();
          },
          {},
          kind};
}

/// Refuses "-" as well, which would be a file or a folder of this name.
CLI::Validator named_path_check(const std::string& kind) {
  return {[](const std::string& path) {
            if (path.empty()) return std::string("the path is empty");
            return path == kStandardOutput
                       ? std::string("'-' cannot be standard output here; './-' names a file")
                       : std::string();
          },
          {},
          kind};
}

}  // namespace

CLI::Validator input_file() {
  return path_check("input file");
}

CLI::Validator input_prefix() {
  return not_empty("prefix of trace files").name("input prefix");
}

CLI::Validator input_setting() {
  return not_empty("setting").name("input setting");
}

CLI::Validator input_workload() {
  return not_empty("workload").name("input workload");
}

CLI::Validator input_engine() {
  return not_empty("engine").name("input engine");
}

CLI::Validator input_folder() {
  return path_check("input folder");
}

CLI::Validator output_file() {
  return path_check("output file");
}

CLI::Validator output_database() {
  return named_path_check("output database");
}

CLI::Validator output_prefix() {
  return {[](const std::string& prefix) {
            if (prefix.empty()) return std::string("the prefix of trace files is empty");
            const fs::path path(prefix);
            const fs::path name = path.filename();
            if (!name.empty() && name != "." && name != "..") return std::string();
            return fmt::format("'{}' is a folder; add how file names begin, such as '{}'", prefix,
                               (path / "trace").string());
          },
          {},
          "output prefix"};
}

CLI::Validator output_folder(const std::vector<std::string>& names) {
  return named_path_check(fmt::format("output folder: {}", fmt::join(names, ",")));
}

CLI::Validator models_folder() {
  return named_path_check("models folder");
}

CLI::Validator not_empty(const char* what) {
  return {[what](const std::string& text) {
            return text.empty() ? fmt::format("the {} is empty", what) : std::string();
          },
          {}};
}

std::optional<PathUse> path_use_of(const CLI::Option& option) {
  const Marked marked = mark_of(option);
  return marked.kind == nullptr ? std::nullopt : std::optional(marked.kind->use);
}

std::vector<std::string> input_files_of(const CLI::App& app) {
  Paths paths;
  for (NamedFile& input : named_files(app, PathUse::Input)) paths.push_back(std::move(input.path));
  return paths;
}

std::vector<std::string> given_outputs_of(const CLI::App& app) {
  std::vector<std::string> names;
  each_path_option(app, [&](const CLI::Option& option, const Marked& marked) {
    if (marked.kind->use == PathUse::Output && option.count() > 0) {
      names.push_back(option.get_name());
    }
  });
  return names;
}

void check_files(const CLI::App& app) {
  const std::vector<NamedFile> inputs = named_files(app, PathUse::Input);
  const std::vector<NamedFile> outputs = named_files(app, PathUse::Output);
  common::Diagnostics diagnostics;
  std::vector<NamedFile> seen;
  std::vector<common::DeclaredOutput> declared;
  bool uses_standard_output = false;
  for (const NamedFile& output : outputs) {
    const bool is_standard = output.path == kStandardOutput;
    uses_standard_output = uses_standard_output || is_standard;
    if (const NamedFile* input = find_same(inputs, output)) {
      diagnostics.error({},
                        fmt::format("{}: '{}' is also the input of {}, which it would overwrite",
                                    output.option, output.path, input->option));
    } else if (const NamedFile* other = find_same(seen, output)) {
      diagnostics.error({}, fmt::format("{}: '{}' is also the output of {}", output.option,
                                        output.path, other->option));
    } else if (output.is_typed && output.is_whole && !is_standard) {
      const int reason = reason_against(output.path);
      if (reason != 0) {
        diagnostics.error({}, fmt::format("cannot write '{}': {}", output.path,
                                          std::generic_category().message(reason)));
      }
    }
    seen.push_back(output);
    if (!is_standard) declared.push_back({output.option, output.path});
  }
  check_folders(app, outputs, diagnostics);
  diagnostics.throw_if_any();
  common::declare_outputs(std::move(declared));
  if (uses_standard_output) common::reserve_standard_output();
}

}  // namespace kernbench::cli
