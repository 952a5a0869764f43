// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/part_options.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/base/console.hpp"
#include "common/places.hpp"
#include "farm/cluster_parts.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;

farm::Work work_here() {
  return {.kernbench = common::running_program().string(), .folder = fs::current_path()};
}

}  // namespace

void add_part_options(Command& command, PartOptions& options) {
  add_engine_option(command, options.engine);
  command
      .add_option("--part", options.part,
                  "Compute one part of the work and leave its result in a folder, as the tasks of "
                  "an engine do: LOOP.NUMBER:FOLDER")
      .hidden()
      .only(Decides::Cluster)
      .excludes("--engine");
}

void check_engine(const PartOptions& options, const Invocation& invocation,
                  const fs::path& output) {
  const std::optional<farm::ClusterSettings> settings = cluster_of(options.engine, invocation);
  if (!settings || !settings->dry_run) return;
  print("{}", submit_text(work_here(), farm::JobFolder::path_of(output), *settings));
  throw common::PartComputed();
}

std::unique_ptr<common::Parts> parts_of(const PartOptions& options, const Invocation& invocation,
                                        const fs::path& output, const TaskValues& values) {
  if (options.is_task()) return std::make_unique<farm::OnePart>(options.part);
  check_engine(options, invocation, output);
  std::optional<farm::ClusterSettings> settings = cluster_of(options.engine, invocation);
  if (!settings) return nullptr;
  Words words = invocation.command->typed_words([&](const Option& option) {
    return option.decides != Decides::Cluster && !values.contains(option.name());
  });
  for (const auto& [name, value] : values) words.push_back(fmt::format("{}={}", name, value));
  return std::make_unique<farm::ClusterParts>(work_here(), std::move(words), std::move(*settings),
                                              output);
}

}  // namespace kernbench::cli
