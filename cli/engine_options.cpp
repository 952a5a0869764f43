// SPDX-License-Identifier: Apache-2.0
#include "cli/engine_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "cli/options.hpp"
#include "common/diagnostics.hpp"
#include "common/text_distance.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;
using common::BadInput;

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

}  // namespace

void add_engine_options(Command& command, EngineOptions& options) {
  constexpr const char* kGroup = "Cluster";
  command
      .add_option("--engine", options.engine,
                  "Where the work runs: local, slurm, or the YAML file of an engine")
      .check(input_engine())
      .in_group(kGroup)
      .only(Decides::Cluster);
  command.add_option("--partition", options.partition, "Partition or queue of the cluster")
      .in_group(kGroup)
      .only(Decides::Cluster);
  command.add_option("--time", options.time, "Time limit of a task, as the cluster writes it")
      .in_group(kGroup)
      .only(Decides::Cluster);
  command.add_option("--mem", options.mem, "Memory of a task, as the cluster writes it")
      .in_group(kGroup)
      .only(Decides::Cluster);
  command
      .add_option("--submit-option", options.submit,
                  "Further word for the submit command, such as --submit-option=--qos=low; may be "
                  "given several times")
      .in_group(kGroup)
      .one_each();
  command
      .add_option("--chunk-seconds", options.chunk_s, "Seconds of work for a task of the cluster")
      .check(real_number(0.1, 86'400.0))
      .in_group(kGroup)
      .only(Decides::Cluster);
  command.add_flag("--dry-run", options.dry_run, "Print the submit command of the cluster and exit")
      .in_group(kGroup)
      .only(Decides::Cluster);
}

std::optional<farm::ClusterSettings> cluster_of(const EngineOptions& options,
                                                const Invocation& invocation) {
  farm::ClusterSettings settings;
  for (const auto& [name, value] :
       {std::pair{"partition", &options.partition}, std::pair{"time", &options.time},
        std::pair{"mem", &options.mem}}) {
    if (!value->empty()) settings.options.emplace(name, *value);
  }
  settings.further = options.submit;
  settings.chunk_s = options.chunk_s.value_or(settings.chunk_s);
  if (options.engine == "local") {
    if (!settings.options.empty()) {
      throw BadInput(fmt::format("--{} needs --engine", settings.options.begin()->first));
    }
    if (!settings.further.empty()) throw BadInput("--submit-option needs --engine");
    if (options.chunk_s) throw BadInput("--chunk-seconds needs --engine");
    if (options.dry_run) throw BadInput("--dry-run needs --engine");
    return std::nullopt;
  }
  settings.engine = farm::read_engine(engine_file(options.engine, invocation.root));
  return settings;
}

}  // namespace kernbench::cli
