// SPDX-License-Identifier: Apache-2.0
#include "farm/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "common/form_reader.hpp"
#include "common/hash.hpp"
#include "common/numbers.hpp"
#include "common/shell_quote.hpp"

namespace kernbench::common {

using farm::Engine;

template <>
const Description<Engine>& description_of() {
  static const auto kAll =
      Description<Engine>()
          .add("submit", &Engine::submit, "starts an array of tasks and prints its identifier")
          .lines()
          .placeholders({"{kernbench}", "{folder}", "{chunks}"})
          .add("poll", &Engine::poll, "prints a line for each task: number, state, node, detail")
          .lines()
          .placeholders({"{job}"})
          .add("cancel", &Engine::cancel, "ends all tasks of an array")
          .lines()
          .placeholders({"{job}"})
          .add("options", &Engine::options, "words of each setting of --engine NAME:KEY=VALUE")
          .placeholders({"{value}"})
          .optional()
          .add("poll_s", &Engine::poll_s, "seconds from one poll to the next")
          .within(0.1, 3600)
          .optional()
          .add("late_files_s", &Engine::late_files_s,
               "seconds after which this host sees what a node has written")
          .within(0, 3600)
          .optional();
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::farm {
namespace {

constexpr std::array<common::EnumName<TaskState>, 6> kTaskStates = {{
    {"waiting", TaskState::Waiting},
    {"running", TaskState::Running},
    {"finished", TaskState::Finished},
    {"failed", TaskState::Failed},
    {"lost", TaskState::Lost},
    {"cancelled", TaskState::Cancelled},
}};

/// Replaces the placeholders of a command in one pass, so that values are not read again.
std::string replace_all(const std::string& text, const std::map<std::string, std::string>& values) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text[at] == '{' ? text.find('}', at) : std::string::npos;
    const auto value =
        end == std::string::npos ? values.end() : values.find(text.substr(at + 1, end - at - 1));
    if (value == values.end()) {
      result += text[at++];
    } else {
      result += value->second;
      at = end + 1;
    }
  }
  return result;
}

std::string option_words(const Engine& engine, const ArrayOfTasks& array) {
  std::vector<std::string> words;
  for (const auto& [name, value] : array.options) {
    const auto known = engine.options.find(name);
    if (known == engine.options.end()) {
      throw common::BadInput(fmt::format(
          "{}: the engine has no option '{}'; add it under 'options'", engine.file, name));
    }
    words.push_back(replace_all(known->second, {{"value", common::shell_quote(value)}}));
  }
  for (const std::string& word : array.further) words.push_back(common::shell_quote(word));
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

const common::InputKind kEngineFile = {.name = "engine",
                                       .title = "An engine, which runs jobs on a cluster (YAML)",
                                       .form = common::form_of<Engine>};

Engine read_engine(const std::filesystem::path& path) {
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::load(path, diagnostics);
  common::Input<Engine> engine(document.root(), diagnostics);
  diagnostics.throw_if_any();
  engine->file = path.string();
  return *engine;
}

std::string command_for(const Engine& engine, const std::string& command,
                        const ArrayOfTasks& array) {
  const auto hash = static_cast<std::uint32_t>(common::hash_bytes(array.folder.string()));
  return replace_all(
      command, {{"name", fmt::format("kernbench-{:08x}", hash)},
                {"folder", common::shell_quote(array.folder.string())},
                {"chunks", fmt::format("1-{}", array.tasks)},
                {"options", option_words(engine, array)},
                {"avoid", common::shell_quote(fmt::format("{}", fmt::join(array.avoid, ",")))},
                {"kernbench", common::shell_quote(array.program)},
                {"job", common::shell_quote(array.job)}});
}

std::map<std::size_t, Task> tasks_in(const Engine& engine, const std::string& output) {
  std::map<std::size_t, Task> tasks;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string number;
    std::string state;
    Task task;
    fields >> number >> state >> task.node >> std::ws;
    std::getline(fields, task.detail);
    const auto index = common::parse_u64(number);
    const auto* const known = std::find_if(kTaskStates.begin(), kTaskStates.end(),
                                           [&](const auto& one) { return one.first == state; });
    if (!index || known == kTaskStates.end() || task.node.empty()) {
      throw common::BadInput(fmt::format(
          "{}: 'poll' printed '{}', expected the number of a task, its state and its node",
          engine.file, line));
    }
    task.state = known->second;
    if (task.node == "-") task.node.clear();
    tasks.emplace(*index, std::move(task));
  }
  return tasks;
}

}  // namespace kernbench::farm
