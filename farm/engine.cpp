// SPDX-License-Identifier: Apache-2.0
#include "farm/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/numbers.hpp"
#include "common/shell_quote.hpp"
#include "common/text_distance.hpp"
#include "common/yaml_reader.hpp"

namespace kernbench::farm {
namespace {

using common::YamlMap;
using common::YamlNode;

constexpr std::string_view kAllOptions = "{options}";

std::vector<std::string> read_words(const std::vector<YamlNode>& items) {
  std::vector<std::string> words;
  for (const YamlNode& item : items) words.push_back(item.lines());
  return words;
}

bool has_placeholder(const std::vector<std::string>& words, std::string_view placeholder) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word.find(placeholder) != std::string::npos;
  });
}

/// Reports a command without the name of the array, by which its tasks are found again.
void check_name(const YamlMap& map, std::string_view key, const std::vector<std::string>& words) {
  if (words.empty() || has_placeholder(words, "{name}")) return;
  map.error(key, fmt::format("'{}' needs the placeholder {{name}}", key),
            "tasks are found again by the name of their array");
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> option_words(const Engine& engine, const ArrayOfTasks& array) {
  std::vector<std::string> words;
  for (const auto& [name, value] : array.options) {
    const auto known = engine.options.find(name);
    if (known == engine.options.end()) {
      throw common::BadInput(fmt::format(
          "{}: the engine has no option '{}'; add it under 'options'", engine.file, name));
    }
    for (const std::string& word : known->second) {
      replace_all(words.emplace_back(word), "{value}", value);
    }
  }
  words.insert(words.end(), array.further.begin(), array.further.end());
  return words;
}

}  // namespace

Engine read_engine(const std::filesystem::path& path) {
  Engine engine;
  engine.file = path.string();
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::load(path, diagnostics);
  {
    YamlMap map(document.root());
    engine.submit = read_words(map.list("submit", {.min = 1}));
    engine.poll = read_words(map.list("poll", {.min = 1}));
    engine.cancel = read_words(map.list("cancel", {.min = 1}));
    check_name(map, "submit", engine.submit);
    check_name(map, "poll", engine.poll);
    check_name(map, "cancel", engine.cancel);
    engine.task = map.string("task");
    engine.waiting = read_words(map.list("waiting", {.min = 1}));
    engine.running = read_words(map.list("running", {.min = 1}));
    engine.poll_s = map.number("poll_s", {.min = 0.1, .max = 3600}, 2.0);
    engine.late_files_s = map.number("late_files_s", {.min = 0, .max = 3600}, 10.0);
    YamlMap options = map.optional_map("options");
    for (const auto& [name, node] : options.entries()) {
      std::vector<std::string>& words = engine.options[name];
      words = read_words(node.list({.min = 1}));
      if (!has_placeholder(words, "{value}")) {
        node.error(fmt::format("option '{}' needs the placeholder {{value}}", name));
      }
    }
  }
  diagnostics.throw_if_any();
  return engine;
}

std::string name_of(const ArrayOfTasks& array) {
  const auto hash = static_cast<std::uint32_t>(common::hash_bytes(array.jobs.string()));
  return fmt::format("kernbench-{:08x}-{}", hash, array.number);
}

std::vector<std::string> words_of(const Engine& engine, const std::vector<std::string>& command,
                                  const ArrayOfTasks& array) {
  const std::string jobs = array.jobs.string();
  const std::string run =
      fmt::format("exec {} job run {}\"{}\".json", common::shell_quote(array.program),
                  common::shell_quote(fmt::format("{}/{}-", jobs, array.number)), engine.task);
  std::vector<std::string> words;
  for (const std::string& word : command) {
    if (word == kAllOptions) {
      for (std::string& option : option_words(engine, array)) words.push_back(std::move(option));
      continue;
    }
    std::string& added = words.emplace_back(word);
    replace_all(added, "{tasks}", std::to_string(array.tasks));
    replace_all(added, "{array}", std::to_string(array.number));
    replace_all(added, "{name}", name_of(array));
    replace_all(added, "{jobs}", jobs);
    replace_all(added, "{command}", run);
  }
  return words;
}

std::map<std::size_t, Task> tasks_in(const Engine& engine, const std::string& output) {
  std::map<std::size_t, Task> tasks;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string number;
    std::string state;
    Task task;
    fields >> number >> state >> task.node;
    task.running = contains(engine.running, state);
    if (!task.running && !contains(engine.waiting, state)) continue;
    const auto index = common::parse_u64(number);
    if (!index) {
      throw common::BadInput(fmt::format(
          "{}: 'poll' printed '{}', expected the number of a task, its state and its node",
          engine.file, line));
    }
    tasks.emplace(*index, std::move(task));
  }
  return tasks;
}

}  // namespace kernbench::farm
