// SPDX-License-Identifier: Apache-2.0
#include "farm/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "common/hash.hpp"
#include "common/numbers.hpp"
#include "common/shell_quote.hpp"
#include "common/yaml_reader.hpp"

namespace kernbench::farm {
namespace {

using common::YamlMap;

constexpr std::array<common::EnumName<TaskState>, 6> kTaskStates = {{
    {"waiting", TaskState::Waiting},
    {"running", TaskState::Running},
    {"finished", TaskState::Finished},
    {"failed", TaskState::Failed},
    {"lost", TaskState::Lost},
    {"cancelled", TaskState::Cancelled},
}};

/// Reads a command, which must have all of the placeholders.
std::string read_command(YamlMap& map, std::string_view key,
                         std::initializer_list<std::string_view> placeholders) {
  std::string command = map.lines(key);
  for (const std::string_view placeholder : placeholders) {
    if (command.empty() || command.find(placeholder) != std::string::npos) continue;
    map.error(key, fmt::format("'{}' needs the placeholder {}", key, placeholder));
  }
  return command;
}

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

Engine read_engine(const std::filesystem::path& path) {
  Engine engine;
  engine.file = path.string();
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::load(path, diagnostics);
  {
    YamlMap map(document.root());
    engine.submit = read_command(map, "submit", {"{kernbench}", "{folder}", "{chunks}"});
    engine.poll = read_command(map, "poll", {"{job}"});
    engine.cancel = read_command(map, "cancel", {"{job}"});
    engine.poll_s = map.number("poll_s", {.min = 0.1, .max = 3600}, 2.0);
    engine.late_files_s = map.number("late_files_s", {.min = 0, .max = 3600}, 10.0);
    YamlMap options = map.optional_map("options");
    for (const auto& [name, node] : options.entries()) {
      const std::string& word = engine.options.emplace(name, node.string()).first->second;
      if (word.find("{value}") != std::string::npos) continue;
      node.error(fmt::format("option '{}' needs the placeholder {{value}}", name));
    }
  }
  diagnostics.throw_if_any();
  return engine;
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
