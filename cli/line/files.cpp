// SPDX-License-Identifier: Apache-2.0
#include "cli/line/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/declared_outputs.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/places.hpp"
#include "common/text_file.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

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

/// Visits the options with a path of a command and of those that lead to it.
void each_path_option(const Command& command,
                      const std::function<void(const Option&, const Check&)>& visit) {
  for (const Command* const part : command.chain()) {
    for (const auto& option : part->options()) {
      if (const Check* const path = option->path()) visit(*option, *path);
    }
  }
}

/// Returns the files that the options of the command line name, or else their defaults.
std::vector<NamedFile> named_files(const Command& command, PathUse use) {
  std::vector<NamedFile> files;
  each_path_option(command, [&](const Option& option, const Check& check) {
    if (check.path->use != use) return;
    for (const std::string& value : option.given_or_default()) {
      if (value.empty()) continue;
      for (const std::string& path : check.path->files(value, check.file_names)) {
        const auto identity = use == PathUse::Output
                                  ? identity_of_output(path)
                                  : identity_of(fs::path(common::expand_home(path)));
        files.push_back(
            {option.name(), path, identity.value_or(""), option.is_given, path == value});
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
void check_folders(const Command& command, const std::vector<NamedFile>& outputs,
                   common::Diagnostics& diagnostics) {
  each_path_option(command, [&](const Option& option, const Check& check) {
    const bool is_folder = is_folder_to_create(*check.path);
    if (!is_folder && !is_prefix_to_write(*check.path)) return;
    for (const std::string& value : option.typed) {
      for (const NamedFile& output : outputs) {
        if (!is_folder || value.empty() || !output.is_typed || !output.is_whole ||
            output.option == option.name() || !is_at_or_below(value, output.path)) {
          continue;
        }
        diagnostics.error({}, fmt::format("{}: '{}' is also the output of {}", option.name(), value,
                                          output.option));
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

/// Adds the text of an input file. A pipe gives its text once, and not to a hash.
void add_file(common::RunHash& hash, const std::string& file) {
  const fs::path path = common::expand_home(file);
  std::error_code unreadable;
  if (!fs::is_regular_file(path, unreadable)) return;
  hash.add(
      common::hash_bytes(common::read_text_file(path, std::numeric_limits<std::size_t>::max())));
}

/// Adds an option that decides the result: its name and its values, input files by their texts.
/// Outputs and values that are the defaults add nothing.
void add_values(common::RunHash& hash, const Option& option) {
  if (option.decides != Decides::Result) return;
  const Check* const path = option.path();
  if (path != nullptr && path->path->use == PathUse::Output) return;
  const Words values = option.variable.texts();
  const bool names_files = path != nullptr && path->path->use == PathUse::Input;
  if (values == option.first && !names_files) return;
  hash.add(common::hash_bytes(option.name()));
  for (const std::string& value : values) {
    const Paths files = names_files ? path->path->files(value, path->file_names) : Paths{};
    if (files != Paths{value}) hash.add(common::hash_bytes(value));
    for (const std::string& file : files) add_file(hash, file);
  }
}

}  // namespace

std::vector<std::string> input_files_of(const Command& command) {
  Paths paths;
  for (NamedFile& input : named_files(command, PathUse::Input)) {
    paths.push_back(std::move(input.path));
  }
  return paths;
}

std::vector<std::string> given_outputs_of(const Command& command) {
  std::vector<std::string> names;
  each_path_option(command, [&](const Option& option, const Check& check) {
    if (check.path->use == PathUse::Output && option.is_given) names.push_back(option.name());
  });
  return names;
}

void check_files(const Command& command) {
  const std::vector<NamedFile> inputs = named_files(command, PathUse::Input);
  const std::vector<NamedFile> outputs = named_files(command, PathUse::Output);
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
  check_folders(command, outputs, diagnostics);
  diagnostics.throw_if_any();
  common::declare_outputs(std::move(declared));
  if (uses_standard_output) common::reserve_standard_output();
}

std::string hash_of_values(const Command& command, std::string_view text) {
  common::RunHash hash;
  hash.add(common::hash_bytes(text));
  for (const Command* const part : command.chain()) {
    hash.add(common::hash_bytes(part->name()));
    for (const auto& option : part->options()) add_values(hash, *option);
  }
  return common::hex64(hash.value());
}

}  // namespace kernbench::cli
