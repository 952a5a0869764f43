// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/engine_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "common/text_distance.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;
using common::BadInput;

// Settings that every engine has.
constexpr std::string_view kDryRun = "dry-run";
constexpr std::string_view kSubmit = "submit";
constexpr std::string_view kChunkSeconds = "chunk-seconds";

/// Returns the file of an engine: a path, or the name of a shipped one.
fs::path engine_file(const std::string& engine, const std::string& root) {
  if (engine.ends_with(".yaml")) return engine;
  const fs::path folder = fs::path(root) / "configs/engines";
  fs::path file = folder / (engine + ".yaml");
  if (fs::exists(file)) return file;
  std::vector<std::string> known = {"local"};
  for (const auto& entry : fs::directory_iterator(folder)) {
    known.push_back(entry.path().stem().string());
  }
  std::sort(known.begin(), known.end());
  const std::vector<std::string_view> names(known.begin(), known.end());
  throw BadInput(fmt::format("--engine: '{}' is not one of {} and not a YAML file{}", engine,
                             fmt::join(known, ", "), common::did_you_mean(engine, names)));
}

/// Returns the settings behind the name of an engine, divided at their commas. A part without "="
/// belongs to the value before it.
std::vector<std::string> settings_of(const std::string& text) {
  const std::string name = engine_name(text);
  if (text.size() <= name.size()) return {};
  std::vector<std::string> settings;
  for (std::size_t at = name.size() + 1; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    if (settings.empty() || part == kDryRun || part.find('=') != std::string::npos) {
      settings.push_back(part);
    } else {
      settings.back() += "," + part;
    }
    at = end + 1;
  }
  return settings;
}

/// Applies a setting, KEY=VALUE or dry-run. Throws BadInput.
void apply(const std::string& setting, farm::ClusterSettings& settings) {
  if (setting == kDryRun) {
    settings.dry_run = true;
    return;
  }
  const std::size_t equals = setting.find('=');
  const std::string key = setting.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
  if (key.empty() || value.empty()) {
    throw BadInput(fmt::format("--engine: '{}' is not KEY=VALUE or {}", setting, kDryRun));
  }
  if (key == kSubmit) {
    settings.further.push_back(value);
  } else if (key == kChunkSeconds) {
    const std::string problem = real_number(0.1, 86'400.0).problem(value);
    if (!problem.empty()) throw BadInput(fmt::format("--engine: {} {}", key, problem));
    settings.chunk_s = common::parse_double(value).value();
  } else if (!settings.options.emplace(key, value).second) {
    throw BadInput(fmt::format("--engine: '{}' is given twice", key));
  }
}

}  // namespace

void add_engine_option(Command& command, std::string& engine) {
  command
      .add_option("--engine", engine,
                  "Where the work runs: local, slurm, or the YAML file of an engine, with settings "
                  "as slurm:KEY=VALUE,KEY=VALUE: partition, time and mem as the cluster writes "
                  "them, chunk-seconds of work for a task, submit=WORD for the submit command, "
                  "dry-run to print that command only")
      .check(input_engine())
      .in_group("Cluster")
      .only(Decides::Cluster);
}

std::optional<farm::ClusterSettings> cluster_of(const std::string& engine,
                                                const Invocation& invocation) {
  farm::ClusterSettings settings;
  const std::vector<std::string> given = settings_of(engine);
  for (const std::string& setting : given) apply(setting, settings);
  const std::string name = engine_name(engine);
  if (name == kLocalEngine) {
    if (given.empty()) return std::nullopt;
    throw BadInput(
        fmt::format("--engine: {} has no settings, but '{}' is given", name, given.front()));
  }
  settings.engine = farm::read_engine(engine_file(name, invocation.root));
  return settings;
}

}  // namespace kernbench::cli
