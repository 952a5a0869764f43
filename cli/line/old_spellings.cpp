// SPDX-License-Identifier: Apache-2.0
#include "cli/line/old_spellings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace kernbench::cli {
namespace {

/// The words of a command line, divided at the name of its command.
class Line {
 public:
  explicit Line(const Words& words) : words_(words) {
    while (at_ < words_.size() && words_[at_].starts_with('-')) {
      at_ += words_[at_] == "--plugin" ? 2 : 1;
    }
  }

  /// Returns true if the words name this command, such as "kernel record".
  [[nodiscard]] bool is(std::string_view command) const {
    std::size_t word = at_;
    for (std::size_t begin = 0; begin < command.size(); ++word) {
      const std::size_t end = std::min(command.find(' ', begin), command.size());
      if (word >= words_.size() || words_[word] != command.substr(begin, end - begin)) return false;
      begin = end + 1;
    }
    return true;
  }

  /// Returns true if the flag stands behind the command.
  [[nodiscard]] bool has(std::string_view flag) const {
    return std::find(behind(), words_.end(), flag) != words_.end();
  }

  /// Removes a flag. Returns true if it was there.
  bool take_flag(std::string_view flag) {
    const auto found = std::find(behind(), words_.end(), flag);
    if (found == words_.end()) return false;
    words_.erase(found);
    return true;
  }

  /// Removes an option with its value, and returns the value.
  std::optional<std::string> take(std::string_view option) {
    for (auto word = behind(); word != words_.end(); ++word) {
      if (*word == option && word + 1 != words_.end()) {
        std::string value = *(word + 1);
        words_.erase(word, word + 2);
        return value;
      }
      if (word->starts_with(option) && word->substr(option.size()).starts_with('=')) {
        std::string value = word->substr(option.size() + 1);
        words_.erase(word);
        return value;
      }
    }
    return std::nullopt;
  }

  /// Replaces the first `count` words of the command.
  void rename(std::size_t count, const Words& name) {
    words_.erase(behind(), behind() + static_cast<std::ptrdiff_t>(count));
    words_.insert(behind(), name.begin(), name.end());
  }

  /// Puts an argument behind the `count` words of the command.
  void argue(std::size_t count, std::string value) {
    words_.insert(behind() + static_cast<std::ptrdiff_t>(count), std::move(value));
  }

  void append(const Words& words) { words_.insert(words_.end(), words.begin(), words.end()); }

  /// Says that `before` is `now` today.
  void note(const std::string& before, const std::string& now) {
    notes_.push_back(
        fmt::format("'{}' is '{}' now; the old spelling works until 0.4", before, now));
  }

  [[nodiscard]] Respelled finish() && { return {std::move(words_), std::move(notes_)}; }

 private:
  [[nodiscard]] Words::const_iterator behind() const {
    return words_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, words_.size()));
  }
  [[nodiscard]] Words::iterator behind() {
    return words_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, words_.size()));
  }

  Words words_;
  std::vector<std::string> notes_;
  std::size_t at_ = 0;  ///< place of the command
};

/// An option that has become the argument of its command.
struct OldOption {
  std::string_view command;
  std::string_view option;
};
constexpr std::array kOldOptions = {
    OldOption{"run", "--bench"},
    OldOption{"kernel record", "--bench"},
    OldOption{"sim", "--config"},
};

void make_arguments(Line& line) {
  for (const auto& [command, option] : kOldOptions) {
    if (!line.is(command)) continue;
    const auto value = line.take(option);
    if (!value) continue;
    line.note(fmt::format("{} {} {}", command, option, *value),
              fmt::format("{} {}", command, *value));
    line.argue(static_cast<std::size_t>(std::count(command.begin(), command.end(), ' ')) + 1,
               *value);
  }
}

/// An option that has another name.
struct RenamedOption {
  std::string_view command;
  std::string_view before;
  std::string_view now;
};
constexpr std::array kRenamedOptions = {
    RenamedOption{"serve", "--load", "--loads"},
    RenamedOption{"run", "--sample-seed", "--seed"},
    RenamedOption{"evaluate", "--sample-seed", "--seed"},
    RenamedOption{"coverage report", "--missed", "--rows"},
    RenamedOption{"sim", "--chunks", "--seeds"},
    RenamedOption{"sweep", "--out", "--output"},
    RenamedOption{"model", "--out", "--output"},
};

void rename_options(Line& line) {
  for (const auto& [command, before, now] : kRenamedOptions) {
    if (!line.is(command)) continue;
    const auto value = line.take(before);
    if (!value) continue;
    line.note(fmt::format("{} {}", command, before), fmt::format("{} {}", command, now));
    line.append({std::string(now), *value});
  }
  if (line.is("run") && line.take_flag("--confirm")) {
    line.note("--what-if X --confirm", "--what-if X");
  }
  if (line.is("run") || line.is("serve")) {
    if (const auto file = line.take("--hf")) {
      line.note("--hf " + *file, "--set model=" + *file);
      line.append({"--set", "model=" + *file});
    }
  }
  if (line.is("cosim")) {
    const auto cycles = line.take("--fault-cycles");
    const auto fault = cycles ? line.take("--fault") : std::nullopt;
    if (fault) {
      const std::string now = fmt::format("{}:{}", *fault, *cycles);
      line.note(fmt::format("--fault {} --fault-cycles {}", *fault, *cycles), "--fault " + now);
      line.append({"--fault", now});
    }
  }
}

/// `soak` has become `sim --packets N --resume`.
void make_sim_of_soak(Line& line) {
  if (!line.is("soak")) return;
  const std::string packets = line.take("--packets").value_or("100000000000");
  const std::string folder = line.take("--folder").value_or("build/soak");
  const Words now = {"--packets", packets, "--resume", "--report", folder};
  line.note("soak", fmt::format("sim {}", fmt::join(now, " ")));
  line.rename(1, {"sim"});
  line.append(now);
}

/// Modes of `sim` have become commands, and the file of a regression names its device.
void make_commands_of_modes(Line& line) {
  if (!line.is("sim")) return;
  const bool network = line.take_flag("--network");
  if (line.take_flag("--structure-only")) {
    line.note("sim --structure-only", network ? "structure network" : "structure");
    line.rename(1, network ? Words{"structure", "network"} : Words{"structure"});
  } else if (const auto file = line.take("--replay")) {
    line.note("sim --replay " + *file, "replay " + *file);
    line.rename(1, {"replay", *file});
  } else if (network && !line.has("--config")) {
    const std::string regression = "configs/regressions/network.yaml";
    line.note("sim --network", "sim " + regression);
    line.argue(1, regression);
  }
}

/// `run --chakra` has become `replay`, and `topology schema` a schema like others.
void move_to_other_commands(Line& line) {
  if (line.is("run")) {
    if (const auto prefix = line.take("--chakra")) {
      line.note("run --chakra " + *prefix, fmt::format("replay {}.et", *prefix));
      line.rename(1, {"replay", *prefix + ".et"});
      for (const char* const option : {"compute", "reuse"}) {
        if (const auto value = line.take(fmt::format("--chakra-{}", option))) {
          line.append({fmt::format("--{}", option), *value});
        }
      }
    }
  }
  if (line.is("topology schema")) {
    line.note("topology schema", "schema inputs/topology");
    line.rename(2, {"schema", "inputs/topology"});
  }
}

/// The options of a cluster have become settings of its engine.
void make_settings_of_cluster(Line& line) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOptions = {
      {{"--partition", "partition"},
       {"--time", "time"},
       {"--mem", "mem"},
       {"--submit-option", "submit"},
       {"--chunk-seconds", "chunk-seconds"}}};
  std::vector<std::string> settings;
  for (const auto& [option, key] : kOptions) {
    while (const auto value = line.take(option)) {
      settings.push_back(fmt::format("{}={}", key, *value));
    }
  }
  if (line.take_flag("--dry-run")) settings.emplace_back("dry-run");
  if (settings.empty()) return;
  const std::string engine =
      fmt::format("{}:{}", line.take("--engine").value_or("local"), fmt::join(settings, ","));
  line.note("the options of a cluster", "--engine " + engine);
  line.append({"--engine", engine});
}

}  // namespace

Respelled with_new_spellings(const Words& words) {
  Line line(words);
  make_sim_of_soak(line);
  make_commands_of_modes(line);
  make_arguments(line);
  move_to_other_commands(line);
  make_settings_of_cluster(line);
  rename_options(line);
  return std::move(line).finish();
}

}  // namespace kernbench::cli
