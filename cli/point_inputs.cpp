// SPDX-License-Identifier: Apache-2.0
#include "cli/point_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cli/old_spellings.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "cli/usage_error.hpp"
#include "common/hash.hpp"
#include "common/places.hpp"
#include "common/text_file.hpp"
#include "cosim/workload/workloads.hpp"
#include "model/bench/registry.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/zoo/zoo_spec.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;

/// Thrown when a command line has been parsed, so that its command does not run.
struct CommandIsParsed {};

/// Returns the command that was parsed last, which is the innermost.
const CLI::App& parsed_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

/// Returns the values of an option of the parsed command, or else its default; none if it has no
/// such option.
std::vector<std::string> values_of(const CLI::App& app, const std::string& name) {
  const CLI::Option* const option = parsed_command(app).get_option_no_throw(name);
  if (option == nullptr) return {};
  if (option->count() > 0) return option->results();
  const std::string fallback = option->get_default_str();
  return fallback.empty() ? std::vector<std::string>() : std::vector<std::string>{fallback};
}

}  // namespace

PointInputs::PointInputs(const Invocation& invocation) : invocation_(invocation) {
  invocation_.plugins = std::make_shared<std::vector<std::string>>();
  add_commands(app_, invocation_, outcome_);
  app_.parse_complete_callback([this] {
    const std::vector<std::string> outputs = given_outputs_of(app_);
    if (!outputs.empty()) {
      throw std::invalid_argument(
          fmt::format("a sweep does not take '{}' of a command", outputs.front()));
    }
    require_subject(parsed_command(app_));
    files_ = input_files_of(app_);
    set_ = values_of(app_, "--set");
    topology_ = values_of(app_, "--topology");
    bench_ = values_of(app_, "bench");
    spec_ = values_of(app_, "--spec");
    workloads_ = values_of(app_, "--workload");
    throw CommandIsParsed{};
  });
  program_ = common::hash_bytes(
      common::read_text_file(common::running_program(), std::numeric_limits<std::size_t>::max()));
}

std::vector<std::string> PointInputs::files_of(const std::vector<std::string>& words) {
  try {
    const std::vector<std::string> today = with_new_spellings(words).words;
    app_.parse(std::vector<std::string>(today.rbegin(), today.rend()));
  } catch (const CommandIsParsed&) {
    std::vector<std::string> files = std::move(files_);
    for (const std::string& file : parameter_files()) files.push_back(file);
    for (const std::string& file : imported_files()) files.push_back(file);
    return files;
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(usage_error_text(app_, error));
  } catch (const common::BadInput& error) {  // of require_subject()
    throw std::invalid_argument(error.diagnostics().errors().front().message);
  }
  throw std::invalid_argument("these words are not a command");
}

std::vector<std::string> PointInputs::parameter_files() const {
  std::vector<std::string> files;
  std::vector<std::string> names = bench_;
  for (const std::string& workload : workloads_) {
    if (!workload.starts_with(cosim::kBenchPrefix)) continue;
    names.push_back(workload.substr(cosim::kBenchPrefix.size()));
  }
  for (const std::string& name : names) {
    try {
      const model::bench::Bench& bench = model::bench::find_bench(name);
      const auto given = parse_parameters(set_);
      for (const model::bench::Parameter& parameter : bench.parameters) {
        if (!parameter.is_file) continue;
        const auto set = given.find(parameter.name);
        files.push_back(set == given.end() ? parameter.value : set->second);
      }
    } catch (const std::invalid_argument&) {  // wrong_settings() reports it
    }
  }
  return files;
}

std::vector<std::string> PointInputs::imported_files() {
  if (spec_.empty()) return {};
  const auto [known, is_new] = imported_.try_emplace(spec_.front());
  if (is_new) {
    const common::ReadFiles read;
    (void)topology::zoo::load_zoo_spec(found(spec_.front()));
    for (const fs::path& file : read.paths()) known->second.push_back(file.string());
  }
  return known->second;
}

fs::path PointInputs::found(const std::string& path) const {
  fs::path file = common::expand_home(path);
  std::error_code missing;
  if (!fs::exists(file, missing) && file.is_relative()) {
    const fs::path shipped = fs::path(invocation_.root) / file;
    if (fs::exists(shipped, missing)) file = shipped;
  }
  return file;
}

std::uint64_t PointInputs::hash_of_file(const std::string& path) {
  const auto known = hashes_.find(path);
  if (known != hashes_.end()) return known->second;
  const std::uint64_t hash = common::hash_bytes(common::read_text_file(found(path)));
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

std::vector<common::Diagnostic> PointInputs::wrong_settings(const std::vector<std::string>& words) {
  (void)files_of(words);
  std::vector<common::Diagnostic> wrong;
  // A plugin that only the points load may bring the bench.
  if (!invocation_.plugins->empty()) return wrong;
  if (!bench_.empty()) {
    try {
      const model::bench::Bench& bench = model::bench::find_bench(bench_.front());
      for (const auto& [name, value] : parse_parameters(set_)) {
        try {
          (void)model::bench::resolve_parameters(bench, {{name, value}});
        } catch (const std::invalid_argument& error) {
          wrong.push_back({{"--set " + name + "=" + value, 0, 0}, error.what(), ""});
        }
      }
    } catch (const std::invalid_argument& error) {
      wrong.push_back({{}, error.what(), ""});
    }
  }
  if (!topology_.empty()) {
    try {
      (void)topology::load_topology_spec(found(topology_.front()), topology_settings(set_));
    } catch (const common::BadInput& error) {
      for (const common::Diagnostic& one : error.diagnostics().errors()) wrong.push_back(one);
    }
  }
  return wrong;
}

std::vector<fs::path> PointInputs::input_files(const std::vector<std::string>& words) {
  std::vector<fs::path> files;
  for (const std::string& file : files_of(words)) files.push_back(found(file));
  return files;
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
