// SPDX-License-Identifier: Apache-2.0
#include "cli/paths.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInput = "input file";
constexpr const char* kOutput = "output file";

/// A file that an option of the command line names.
struct NamedFile {
  std::string option;
  std::string path;      ///< as typed
  std::string identity;  ///< equal for all paths that lead to the file
};

bool is_marked(const CLI::Option& option, const char* kind) {
  try {
    // Looking a validator up does not change the option, but CLI11 has no const overload.
    return const_cast<CLI::Option&>(option)  // NOLINT(cppcoreguidelines-pro-type-const-cast)
               .get_validator(kind) != nullptr;
  } catch (const CLI::OptionNotFound&) {
    return false;
  }
}

/// Returns the paths of an option: those typed, or else its default.
std::vector<std::string> paths_of(const CLI::Option& option) {
  if (option.count() > 0) return option.results();
  return {option.get_default_str()};
}

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

void collect(const CLI::Option& option, const char* kind, std::vector<NamedFile>& files) {
  if (!is_marked(option, kind)) return;
  for (const std::string& path : paths_of(option)) {
    if (path.empty()) continue;
    const auto identity = identity_of(kind == kOutput ? common::followed_links(path)
                                                      : fs::path(topology::expand_home(path)));
    if (identity) files.push_back({option.get_name(), path, *identity});
  }
}

/// Collects the options of the parsed commands and of their option groups, which have no names.
void collect(const CLI::App& app, std::vector<NamedFile>& inputs, std::vector<NamedFile>& outputs) {
  for (const CLI::Option* option : app.get_options()) {
    collect(*option, kInput, inputs);
    collect(*option, kOutput, outputs);
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->parsed() || command->get_name().empty()) collect(*command, inputs, outputs);
  }
}

const NamedFile* find_same(const std::vector<NamedFile>& files, const NamedFile& file) {
  const auto found = std::find_if(files.begin(), files.end(), [&](const NamedFile& other) {
    return other.identity == file.identity;
  });
  return found == files.end() ? nullptr : &*found;
}

CLI::Validator path_check(const char* kind) {
  return {[](const std::string& path) {
            return path.empty() ? std::string("the path is empty") : std::string();
          },
          {},
          kind};
}

}  // namespace

CLI::Validator input_file() {
  return path_check(kInput);
}

CLI::Validator output_file() {
  return path_check(kOutput);
}

CLI::Validator not_empty(const char* what) {
  return {[what](const std::string& text) {
            return text.empty() ? fmt::format("the {} is empty", what) : std::string();
          },
          {}};
}

std::vector<std::string> input_files_of(const CLI::App& app) {
  std::vector<NamedFile> inputs;
  std::vector<NamedFile> outputs;
  collect(app, inputs, outputs);
  std::vector<std::string> paths;
  for (const NamedFile& input : inputs) paths.push_back(input.path);
  return paths;
}

void check_files(const CLI::App& app) {
  std::vector<NamedFile> inputs;
  std::vector<NamedFile> outputs;
  collect(app, inputs, outputs);
  common::Diagnostics diagnostics;
  std::vector<NamedFile> seen;
  for (const NamedFile& output : outputs) {
    if (const NamedFile* input = find_same(inputs, output)) {
      diagnostics.error({},
                        fmt::format("{}: '{}' is also the input of {}, which it would overwrite",
                                    output.option, output.path, input->option));
    }
    if (const NamedFile* other = find_same(seen, output)) {
      diagnostics.error({}, fmt::format("{}: '{}' is also the output of {}", output.option,
                                        output.path, other->option));
    }
    seen.push_back(output);
  }
  diagnostics.throw_if_any();
}

}  // namespace kernbench::cli
