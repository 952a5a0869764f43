// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/found_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "common/numbers.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;  // of a file; line 1 is the first

// Lines around the name of an instance that belong to it at most.
constexpr std::size_t kLinesOfInstance = 24;
constexpr std::size_t kLinesAbove = 60;
// Words of findings about drivers, before the place of another driver.
constexpr std::string_view kAlsoDriven = "; it is also driven at ";

Lines read_lines(const std::string& file) {
  std::ifstream in(file);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Returns the words of a line that are names.
std::set<std::string> names_in(const std::string& line) {
  static const std::regex kName(R"([A-Za-z_]\w*)");
  std::set<std::string> names;
  for (auto at = std::sregex_iterator(line.begin(), line.end(), kName);
       at != std::sregex_iterator(); ++at) {
    names.insert(at->str());
  }
  return names;
}

/// Returns the target of a non-blocking assignment on a line; empty if there is none.
std::string target_of(const std::string& line) {
  static const std::regex kAssignment(R"(([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*<=[^=])");
  std::smatch found;
  return std::regex_search(line, found, kAssignment) ? found[1].str() : "";
}

/// A place, as findings name it.
struct At {
  std::string file;
  std::size_t line = 0;
};

std::optional<At> place_of(const std::string& where) {
  const auto colon = where.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto line = common::parse_u64(where.substr(colon + 1));
  if (!line) return std::nullopt;
  return At{where.substr(0, colon), *line};
}

class FoundLines {
 public:
  std::vector<Suspect> run(const std::vector<structure::Finding>& findings) {
    // Wrong connections leave signals without a driver, which other rules find; so does a line that
    // drives another signal, which has two then.
    const auto order = [](const structure::Finding& one) {
      if (one.rule == structure::Rule::Connection) return 0;
      return one.message.find(kAlsoDriven) != std::string::npos ? 1 : 2;
    };
    for (const int rank : {0, 1, 2}) {
      for (const structure::Finding& one : findings) {
        if (order(one) == rank) add(one);
      }
    }
    add_shared_names();
    add_functions();
    std::vector<Suspect> lines = std::move(first_);
    lines.insert(lines.end(), lines_.begin(), lines_.end());
    lines.insert(lines.end(), last_.begin(), last_.end());
    return lines;
  }

 private:
  void add(const structure::Finding& finding) {
    const std::optional<At> place = place_of(finding.where);
    if (!place) return;
    // A finding about a chain of stages as a whole is at its ports, where no line is wrong.
    if (finding.message.find("IRS_N has ") != std::string::npos ||
        finding.message.find(" of IRS_N ") != std::string::npos) {
      return;
    }
    const std::vector<std::size_t> own = lines_of_instance(*place, finding.message);
    for (const std::size_t line : own) {
      add_line(lines_, place->file, line, finding.message);
      wrong_[{place->file, place->line}].insert(line);
    }
    if (!own.empty()) return;
    add_line(lines_, place->file, place->line, finding.message);
    if (finding.message.ends_with(" has no driver")) add_assigned_twice(*place, finding.message);
    const auto also = finding.message.find(kAlsoDriven);
    if (also == std::string::npos) return;
    const std::string other = finding.message.substr(also + kAlsoDriven.size());
    if (const auto at = place_of(other.substr(0, other.find(' ')))) {
      add_line(lines_, at->file, at->line, finding.message);
    }
  }

  /// Adds lines behind the declaration of a signal without a driver that assign to the same
  /// register as another line: one of them may be meant for the signal.
  void add_assigned_twice(const At& place, const std::string& message) {
    const Lines& text = text_of(place.file);
    std::map<std::string, std::vector<std::size_t>> lines;
    for (std::size_t line = place.line + 1; line <= text.size(); ++line) {
      if (std::regex_search(text[line - 1], std::regex(R"(\bendmodule\b)"))) break;
      const std::string target = target_of(text[line - 1]);
      if (!target.empty()) lines[target].push_back(line);
    }
    for (const auto& [target, own] : lines) {
      for (std::size_t i = 0; own.size() > 1 && i < own.size(); ++i) {
        if (own[i] == own.front() || own[i] - own[i - 1] == 1) {
          add_line(lines_, place.file, own[i], message);
        }
      }
    }
  }

  void add_line(std::vector<Suspect>& to, const std::string& file, std::size_t line,
                const std::string& message) {
    if (!known_.insert({file, line}).second) return;
    Suspect& one = to.emplace_back();
    one.file = file;
    one.line = static_cast<unsigned>(line);
    one.finding = message;
  }

  const Lines& text_of(const std::string& file) {
    const auto [entry, added] = files_.try_emplace(file);
    if (added) entry->second = read_lines(file);
    return entry->second;
  }

  /// Returns the lines of the instance around a place that have a name from the message.
  std::vector<std::size_t> lines_of_instance(const At& place, const std::string& message) {
    const Lines& lines = text_of(place.file);
    if (place.line == 0 || place.line > lines.size()) return {};
    std::size_t first = place.line;
    while (first > 1 && place.line - first < kLinesOfInstance &&
           lines[first - 2].find(';') == std::string::npos &&
           lines[first - 2].find("begin") == std::string::npos) {
      --first;
    }
    std::size_t last = place.line;
    while (last < lines.size() && last - place.line < kLinesOfInstance &&
           lines[last - 1].find(';') == std::string::npos) {
      ++last;
    }
    // The port or parameter, else the field of the packet; names of the instance's own.
    static const std::regex kPort(
        R"(\b(valid_i|ready_o|payload_i|valid_o|ready_i|payload_o|clk|rst_n|PYLD_W|IRS_DEEP|TYPE_\w+)\b)");
    static const std::regex kField(R"(\b[xy][io]_(?:vld|rdy|type|qos|src|tgt|data)\b)");
    // A field that arrives at a wrong place has entered at the right one.
    const auto arrives = message.find(" arrives ");
    const std::string searched = arrives == std::string::npos ? message : message.substr(arrives);
    std::vector<std::size_t> found;
    for (const std::regex* kind : {&kField, &kPort}) {
      for (auto at = std::sregex_iterator(searched.begin(), searched.end(), *kind);
           at != std::sregex_iterator(); ++at) {
        const std::regex word("\\b" + at->str() + "\\b");
        const std::regex pin("\\." + at->str() + "\\b");
        for (std::size_t line = first; line <= last; ++line) {
          if (!std::regex_search(lines[line - 1], kind == &kPort ? pin : word)) continue;
          if (std::find(found.begin(), found.end(), line) == found.end()) found.push_back(line);
        }
      }
    }
    // A message about a port has its line before those of the fields that it takes.
    std::smatch port;
    if (std::regex_search(message, port, kPort)) {
      const std::regex pin("\\." + port[0].str() + "\\b");
      std::stable_partition(found.begin(), found.end(), [&](std::size_t line) {
        return std::regex_search(lines[line - 1], pin);
      });
    }
    return found;
  }

  /// Puts first what several wrong connections of one instance share, and last what a wrong
  /// parameter calls.
  void add_shared_names() {
    for (const auto& [place, wrong] : wrong_) {
      const Lines& lines = text_of(place.first);
      std::map<std::string, std::size_t> count;
      std::set<std::size_t> pins;  // lines on which the wrong connections begin
      for (const std::size_t line : wrong) {
        for (const std::string& name : names_in(lines[line - 1])) ++count[name];
        std::size_t pin = line;
        while (pin > 1 && lines[pin - 1].find_first_not_of(' ') != lines[pin - 1].find('.')) --pin;
        pins.insert(pin);
      }
      for (const auto& [name, uses] : count) {
        const std::regex declared("\\b(?:localparam|parameter)\\b.*\\b" + name + "\\s*=");
        for (std::size_t line = place.second; pins.size() > 1 && uses == wrong.size() && line > 1 &&
                                              place.second - line < kLinesAbove;
             --line) {
          if (!std::regex_search(lines[line - 1], declared)) continue;
          add_line(first_, place.first, line, "declares " + name + ", which wrong connections use");
          break;
        }
      }
      for (const std::size_t line : wrong) called_[lines[line - 1]] = place.first;
    }
  }

  /// Adds the functions that wrong lines call: first if several lines do, else last.
  void add_functions() {
    static const std::regex kCall(R"((\w+)::(\w+)\s*\()");
    std::map<std::string, std::pair<std::string, unsigned>> calls;  // file and number of lines
    for (const auto& [line, file] : called_) {
      std::smatch call;
      if (!std::regex_search(line, call, kCall)) continue;
      auto& entry = calls[call[2].str()];
      entry.first = file;
      ++entry.second;
    }
    for (const auto& [name, entry] : calls) {
      add_function(entry.first, name, entry.second > 1 ? first_ : last_);
    }
  }

  /// Adds the statements of a function of a package beside a file.
  void add_function(const std::string& file, const std::string& name, std::vector<Suspect>& to) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(file).parent_path(), error)) {
      if (entry.path().extension() != ".sv") continue;
      const std::string path = (fs::path(file).parent_path() / entry.path().filename()).string();
      const Lines& lines = text_of(path);
      const std::regex head("\\bfunction\\b.*\\b" + name + "\\b");
      for (std::size_t at = 1; at <= lines.size(); ++at) {
        if (!std::regex_search(lines[at - 1], head)) continue;
        for (++at; at <= lines.size() && lines[at - 1].find("endfunction") == std::string::npos;
             ++at) {
          if (lines[at - 1].find('=') != std::string::npos ||
              lines[at - 1].find("return") != std::string::npos) {
            add_line(to, path, at, "is part of " + name + ", which a wrong parameter calls");
          }
        }
        return;
      }
    }
  }

  std::vector<Suspect> first_, lines_, last_;
  std::set<std::pair<std::string, std::size_t>> known_;
  std::map<std::string, Lines> files_;
  std::map<std::string, std::string> called_;  ///< text of a wrong line, and its file
  std::map<std::pair<std::string, std::size_t>, std::set<std::size_t>> wrong_;
};

}  // namespace

std::vector<Suspect> lines_of_findings(const std::vector<structure::Finding>& findings) {
  return FoundLines().run(findings);
}

namespace {

/// Adds the lines behind the head of a process that assign to its register: a line that never runs
/// is not part of the elaborated design.
void add_assignments(const Suspect& process, std::vector<Suspect>& all) {
  const Lines text = read_lines(process.file);
  const std::regex assigns("\\b" + process.signal + "\\s*<=");
  const std::regex next(R"(\b(?:always\w*|endmodule)\b)");
  for (std::size_t line = process.line + 1; line <= text.size(); ++line) {
    if (std::regex_search(text[line - 1], next)) break;
    if (!std::regex_search(text[line - 1], assigns)) continue;
    Suspect& one = all.emplace_back(process);
    one.line = static_cast<unsigned>(line);
    one.keeps_in_reset = false;
  }
}

/// Returns lines of the process around an assignment that the elaborated design does not tell of:
/// those that assign to the same register and can never run, and those that assign to another one
/// which the line before or behind assigns to, too.
std::vector<Suspect> hidden_lines(const Suspect& one, const std::vector<Suspect>& known) {
  static const std::regex kProcess(R"(\balways\w*)");
  static const std::regex kEnd(R"(\b(?:always\w*|endmodule)\b)");
  const Lines text = read_lines(one.file);
  if (one.line == 0 || one.line > text.size()) return {};
  std::size_t first = one.line;
  while (first > 1 && !std::regex_search(text[first - 1], kProcess)) --first;
  std::vector<Suspect> hidden;
  const auto add = [&](std::size_t line, const std::string& target) {
    const auto is_it = [&](const Suspect& other) {
      return other.file == one.file && other.line == line;
    };
    if (std::any_of(known.begin(), known.end(), is_it) ||
        std::any_of(hidden.begin(), hidden.end(), is_it)) {
      return;
    }
    Suspect& added = hidden.emplace_back(one);
    added.line = static_cast<unsigned>(line);
    added.signal = target;
  };
  std::string before;
  for (std::size_t line = first; line <= text.size(); ++line) {
    if (line > first && std::regex_search(text[line - 1], kEnd)) break;
    const std::string target = target_of(text[line - 1]);
    const bool again = !target.empty() && target == before;
    if (again && target != one.signal) add(line - 1, target);
    if (again || target == one.signal) add(line, target);
    before = target;
  }
  return hidden;
}

/// Returns the last line of a statement that goes on behind its first; 0 if it does not.
unsigned end_of_statement(const Suspect& one) {
  static const std::regex kAssigns(R"((?:^|[^=!<>])<?=(?:[^=]|$))");
  static const std::regex kComment(R"(//.*)");
  const Lines text = read_lines(one.file);
  if (one.line == 0 || one.line > text.size()) return 0;
  for (std::size_t line = one.line; line <= text.size() && line - one.line < kLinesOfInstance;
       ++line) {
    const std::string code = std::regex_replace(text[line - 1], kComment, "");
    if (line == one.line && !std::regex_search(code, kAssigns)) return 0;
    if (code.find(';') == std::string::npos) continue;
    return line == one.line ? 0 : static_cast<unsigned>(line);
  }
  return 0;
}

}  // namespace

std::vector<Suspect> with_conditions(std::vector<Suspect> lines) {
  static const std::regex kCondition(R"(\b(?:if|else|case)\b)");
  std::vector<Suspect> all;
  // Behind the first line of a register.
  const auto is_of_register = [](const Suspect& one) { return one.is_register; };
  const auto first = std::find_if(lines.begin(), lines.end(), is_of_register);
  if (first != lines.end()) {
    std::vector<Suspect> hidden = hidden_lines(*first, lines);
    lines.insert(first + 1, hidden.begin(), hidden.end());
  }
  for (Suspect& one : lines) {
    if (one.finding.empty()) one.last_line = end_of_statement(one);
    if (one.keeps_in_reset) add_assignments(one, all);
    if (one.finding == kOtherStage) {
      const Lines text = read_lines(one.file);
      for (std::size_t line = std::min<std::size_t>(one.line, text.size());
           line > 1 && one.line - line < kLinesOfInstance; --line) {
        if (!std::regex_search(text[line - 1], kCondition)) continue;
        Suspect& condition = all.emplace_back(one);
        condition.line = static_cast<unsigned>(line);
        condition.finding = "generates a stage without the registers that the reference has";
        break;
      }
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace kernbench::sim
