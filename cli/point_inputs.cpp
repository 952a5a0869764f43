// SPDX-License-Identifier: Apache-2.0
#include "cli/point_inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cli/paths.hpp"
#include "cli/usage_error.hpp"
#include "common/hash.hpp"
#include "common/places.hpp"
#include "common/text_file.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;

/// Thrown when a command line has been parsed, so that its command does not run.
struct CommandIsParsed {};

}  // namespace

PointInputs::PointInputs(const Invocation& invocation) : invocation_(invocation) {
  invocation_.plugins = std::make_shared<std::vector<std::string>>();
  add_commands(app_, invocation_, outcome_);
  app_.parse_complete_callback([this] {
    files_ = input_files_of(app_);
    throw CommandIsParsed{};
  });
  program_ = common::hash_bytes(common::read_text_file(common::running_program()));
}

std::vector<std::string> PointInputs::files_of(const std::vector<std::string>& words) {
  try {
    app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CommandIsParsed&) {
    return std::move(files_);
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(usage_error_text(app_, error));
  }
  throw std::invalid_argument("these words are not a command");
}

std::uint64_t PointInputs::hash_of_file(const std::string& path) {
  const auto known = hashes_.find(path);
  if (known != hashes_.end()) return known->second;
  fs::path found = topology::expand_home(path);
  std::error_code missing;
  if (!fs::exists(found, missing) && found.is_relative()) {
    const fs::path shipped = fs::path(invocation_.root) / found;
    if (fs::exists(shipped, missing)) found = shipped;
  }
  const std::uint64_t hash = common::hash_bytes(common::read_text_file(found));
  hashes_.emplace(path, hash);
  return hash;
}

std::uint64_t PointInputs::hash_of_rtl() {
  std::vector<std::string> files = {"Makefile.verilator"};
  for (const char* const folder : {"rtl", "tb", "sim/dut"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(invocation_.root) / folder)) {
      if (entry.is_regular_file()) {
        files.push_back(fs::relative(entry.path(), invocation_.root).string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  common::RunHash hash;
  for (const std::string& file : files)
    hash.add(hash_of_file((fs::path(invocation_.root) / file).string()));
  return hash.value();
}

std::string PointInputs::key(const std::vector<std::string>& words) {
  common::RunHash hash;
  hash.add(program_);
  for (const std::string& file : files_of(words)) hash.add(hash_of_file(file));
  for (const std::string& word : words) hash.add(common::hash_bytes(word));
  // Only this command of a sweep can run verilated models.
  if (words.front() == "cosim") hash.add(hash_of_rtl());
  return common::hex64(hash.value());
}

}  // namespace kernbench::cli
