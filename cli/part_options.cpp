// SPDX-License-Identifier: Apache-2.0
#include "cli/part_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cli/console.hpp"
#include "common/places.hpp"
#include "farm/cluster_parts.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kEngineOptions = {
    "--engine", "--partition", "--time", "--mem", "--submit-option", "--chunk-seconds"};

farm::Work work_here() {
  return {.kernbench = common::running_program().string(), .folder = fs::current_path()};
}

}  // namespace

void add_part_options(CLI::App& command, PartOptions& options) {
  add_engine_options(command, options.engine);
  command
      .add_option("--part", options.part,
                  "Compute one part of the work and leave its result in a folder, as the tasks of "
                  "an engine do: LOOP.NUMBER:FOLDER")
      ->group("Cluster")
      ->excludes("--engine");
}

void check_engine(const PartOptions& options, const Invocation& invocation,
                  const fs::path& output) {
  const std::optional<farm::ClusterSettings> settings = cluster_of(options.engine, invocation);
  if (!options.engine.dry_run) return;
  print("{}", submit_text(work_here(), farm::JobFolder::path_of(output), *settings));
  throw common::PartComputed();
}

std::unique_ptr<common::Parts> parts_of(const PartOptions& options, const Invocation& invocation,
                                        const fs::path& output,
                                        const std::vector<std::string>& further) {
  if (options.is_task()) return std::make_unique<farm::OnePart>(options.part);
  check_engine(options, invocation, output);
  std::optional<farm::ClusterSettings> settings = cluster_of(options.engine, invocation);
  if (!settings) return nullptr;
  std::vector<std::string> words = invocation.words;
  words.insert(words.end(), further.begin(), further.end());
  return std::make_unique<farm::ClusterParts>(work_here(), std::move(words), std::move(*settings),
                                              output);
}

std::vector<std::string> without_engine(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    const bool is_option =
        std::find(kEngineOptions.begin(), kEngineOptions.end(), name) != kEngineOptions.end();
    if (!is_option) kept.push_back(words[i]);
    if (is_option && name == words[i]) ++i;  // its value is the next word
  }
  return kept;
}

}  // namespace kernbench::cli
