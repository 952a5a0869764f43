// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/point_inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cli/base/options.hpp"
#include "cli/line/files.hpp"
#include "cli/line/old_spellings.hpp"
#include "cli/line/parser.hpp"
#include "common/description.hpp"
#include "common/hash.hpp"
#include "common/places.hpp"
#include "common/text_file.hpp"
#include "cosim/workload/workloads.hpp"
#include "model/bench/bench_file.hpp"
#include "model/bench/registry.hpp"
#include "model/ccl/ccl_config.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/zoo/zoo_spec.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSim = "sim";

/// Returns the values of an option of a command, or else its default; none if it has no such
/// option.
Words values_of(const Command& command, const std::string& name) {
  const Option* const option = command.find_option(name);
  return option == nullptr ? Words{} : option->given_or_default();
}

}  // namespace

PointInputs::PointInputs(const Invocation& invocation) : invocation_(invocation) {
  invocation_.common = std::make_shared<CommonOptions>();
  add_commands(commands_, invocation_);
  program_ = common::hash_bytes(
      common::read_text_file(common::running_program(), std::numeric_limits<std::size_t>::max()));
}

Words PointInputs::files_of(const Words& words) {
  const Asked asked =
      parse(commands_, with_new_spellings(words).words, [] { return std::string(); });
  if (asked.command == nullptr) throw std::invalid_argument("these words are not a command");
  const Command& command = *asked.command;
  Words outputs = given_outputs_of(command);
  // The folder of each point of a sweep is its own.
  if (words.front() == kSim) std::erase(outputs, "--report");
  if (!outputs.empty()) {
    throw std::invalid_argument(
        fmt::format("a sweep does not take '{}' of a command", outputs.front()));
  }
  set_ = values_of(command, "--set");
  topology_ = values_of(command, "--topology");
  bench_ = values_of(command, "bench");
  if (words.front() == "serve") bench_ = {"transformer"};
  ccl_ = values_of(command, "--ccl");
  spec_ = values_of(command, "--spec");
  rtl_ = values_of(command, "--rtl-dir");
  workloads_ = values_of(command, "--workload");
  Words files = input_files_of(command);
  for (const std::string& file : parameter_files()) files.push_back(file);
  for (const std::string& file : imported_files()) files.push_back(file);
  return files;
}

std::vector<std::string> PointInputs::parameter_files() const {
  std::vector<std::string> files;
  std::vector<std::string> names = bench_;
  for (const std::string& workload : workloads_) {
    if (!workload.starts_with(cosim::kBenchPrefix)) continue;
    names.push_back(workload.substr(cosim::kBenchPrefix.size()));
  }
  for (const std::string& ccl : ccl_) {
    for (const std::string& file : model::ccl::algorithm_files_in(found(ccl))) {
      files.push_back(file);
    }
  }
  for (const std::string& name : names) {
    const std::vector<std::string> sources = model::bench::is_bench_file(name)
                                                 ? model::bench::files_of_bench(name)
                                                 : model::bench::files_of_registered(name);
    files.insert(files.end(), sources.begin(), sources.end());
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
  std::vector<std::string> files;
  const auto add = [&](const std::string& name, const auto& files_of_name) {
    const auto [known, is_new] = imported_.try_emplace(name);
    if (is_new) {
      for (const fs::path& file : files_of_name()) known->second.push_back(file.string());
    }
    files.insert(files.end(), known->second.begin(), known->second.end());
  };
  if (!spec_.empty()) {
    add(spec_.front(), [&] {
      const common::ReadFiles read;
      (void)topology::zoo::load_zoo_spec(found(spec_.front()));
      return read.paths();
    });
  }
  if (topology_.empty()) return files;
  try {
    const std::vector<std::string> settings = topology_settings(set_);
    add(fmt::format("{} {}", topology_.front(), fmt::join(settings, " ")),
        [&] { return topology::topology_files(found(topology_.front()), settings); });
  } catch (const common::BadInput&) {  // wrong_settings() reports it
  }
  return files;
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
  const fs::path root(invocation_.root);
  std::vector<std::string> files = {(root / "Makefile.verilator").string()};
  std::vector<fs::path> folders = {root / "rtl", root / "tb", root / "sim/dut"};
  folders.insert(folders.end(), rtl_.begin(), rtl_.end());
  for (const fs::path& folder : folders) {
    if (!fs::is_directory(folder)) continue;  // the command refuses it
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  common::RunHash hash;
  for (const std::string& file : files) hash.add(hash_of_file(file));
  return hash.value();
}

std::vector<common::Diagnostic> PointInputs::wrong_settings(const std::vector<std::string>& words) {
  (void)files_of(words);
  std::vector<common::Diagnostic> wrong;
  // A plugin that only the points load may bring the bench.
  if (!invocation_.common->plugins.empty()) return wrong;
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
      for (const common::Diagnostic& diagnostic : error.diagnostics().errors())
        wrong.push_back(diagnostic);
    }
  }
  return wrong;
}

std::optional<nlohmann::json> PointInputs::topology(const std::vector<std::string>& words) {
  (void)files_of(words);
  if (topology_.empty()) return std::nullopt;
  return common::to_json(
      topology::load_topology_spec(found(topology_.front()), topology_settings(set_)));
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
  // Only these commands of a sweep can run verilated models.
  if (words.front() == "cosim" || words.front() == kSim) hash.add(hash_of_rtl());
  return common::hex64(hash.value());
}

}  // namespace kernbench::cli
