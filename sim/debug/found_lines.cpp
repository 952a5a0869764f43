// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/found_lines.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "common/numbers.hpp"
#include "sim/debug/source_lines.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLinesAbove = 60;
// Words of findings about drivers, before the place of another driver.
constexpr std::string_view kAlsoDriven = "; it is also driven at ";
constexpr std::string_view kNoDriver = " has no driver";

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
    std::pair<std::size_t, std::size_t> driven_twice;
    for (const int rank : {0, 1, 2}) {
      const std::size_t before = lines_.size();
      for (const structure::Finding& one : findings) {
        if (order(one) == rank) add(one);
      }
      if (rank == 1) driven_twice = {before, lines_.size()};
    }
    sort_by_names(driven_twice.first, driven_twice.second);
    sort_by_names(driven_twice.second, lines_.size());
    lines_.insert(lines_.end(), declarations_.begin(), declarations_.end());
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
    // A finding about a chain of stages as a whole is at its ports, where no line is wrong, but for
    // one that names the line.
    static const std::regex kLogic(R"( is logic \(([^()]+:\d+)\), expected a wire)");
    std::smatch logic;
    if (std::regex_search(finding.message, logic, kLogic)) {
      if (const auto at = place_of(logic[1].str())) {
        add_line(lines_, at->file, at->line, finding.message);
      }
      return;
    }
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
    const auto none = finding.message.find(kNoDriver);
    // The declaration of a signal without a driver is hardly wrong itself.
    add_line(none == std::string::npos ? lines_ : declarations_, place->file, place->line,
             finding.message);
    if (none != std::string::npos) {
      const std::string name = finding.message.substr(
          0, finding.message.find_first_of('[', finding.message.rfind('.', none) + 1));
      undriven_.insert(first_word(name.substr(name.rfind('.') + 1)));
      add_assigned_twice(*place, finding.message);
      add_assigned_in_vain(*place, finding.message);
    }
    const auto also = finding.message.find(kAlsoDriven);
    if (also == std::string::npos) return;
    const std::string other = finding.message.substr(also + kAlsoDriven.size());
    if (const auto at = place_of(other.substr(0, other.find(' ')))) {
      add_line(lines_, at->file, at->line, finding.message);
    }
  }

  /// Returns a name up to its first underscore: "high" of "high_next_q".
  static std::string first_word(const std::string& name) { return name.substr(0, name.find('_')); }

  /// Puts those of a range of lines first that read more signals with the first word of one without
  /// a driver: a line that is meant for high_q and assigns to low_q reads high_next_q.
  void sort_by_names(std::size_t first, std::size_t last) {
    if (undriven_.empty()) return;
    const auto fits = [&](const Suspect& one) {
      const Lines& text = text_of(one.file);
      if (one.line == 0 || one.line > text.size()) return std::ptrdiff_t{0};
      std::set<std::string> names = names_in(text[one.line - 1]);
      names.erase(target_of(text[one.line - 1]));
      return std::count_if(names.begin(), names.end(), [&](const std::string& name) {
        return undriven_.count(first_word(name)) != 0;
      });
    };
    const auto begin = lines_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = lines_.begin() + static_cast<std::ptrdiff_t>(last);
    std::stable_sort(begin, end,
                     [&](const Suspect& a, const Suspect& b) { return fits(a) > fits(b); });
  }

  /// Adds lines behind the declaration of a signal without a driver that assign to the same
  /// register as the next one: one of them may be meant for the signal.
  void add_assigned_twice(const At& place, const std::string& message) {
    const Lines& text = text_of(place.file);
    std::map<std::string, std::vector<std::size_t>> lines;
    for (std::size_t line = place.line + 1; line <= text.size(); ++line) {
      if (std::regex_search(text[line - 1], std::regex(R"(\bendmodule\b)"))) break;
      const std::string target = target_of(text[line - 1]);
      if (!target.empty()) lines[target].push_back(line);
    }
    for (const auto& [target, own] : lines) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        const bool follows = i != 0 && own[i] - own[i - 1] == 1;
        const bool is_followed = i + 1 < own.size() && own[i + 1] - own[i] == 1;
        if (follows || is_followed) add_line(lines_, place.file, own[i], message);
      }
    }
  }

  /// Adds lines that assign to what the file does not name again: the name may be wrong.
  void add_assigned_in_vain(const At& place, const std::string& message) {
    static const std::regex kAssign(R"(\bassign\s+(\w+)\s*=)");
    const Lines& text = text_of(place.file);
    std::map<std::string, std::size_t> lines_with;
    for (const std::string& line : text) {
      for (const std::string& name : names_in(line)) ++lines_with[name];
    }
    for (std::size_t line = place.line + 1; line <= text.size(); ++line) {
      std::smatch found;
      if (std::regex_search(text[line - 1], found, kAssign) && lines_with[found[1].str()] == 1) {
        add_line(lines_, place.file, line, message);
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
  std::vector<Suspect> declarations_;  ///< declarations of signals without a driver
  std::set<std::string> undriven_;     ///< first words of their names
  std::set<std::pair<std::string, std::size_t>> known_;
  std::map<std::string, Lines> files_;
  std::map<std::string, std::string> called_;  ///< text of a wrong line, and its file
  std::map<std::pair<std::string, std::size_t>, std::set<std::size_t>> wrong_;
};

}  // namespace

std::vector<Suspect> lines_of_findings(const std::vector<structure::Finding>& findings) {
  return FoundLines().run(findings);
}

}  // namespace kernbench::sim
