// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/signal_tables.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

namespace kernbench::docs {
namespace {

using Matches = std::sregex_iterator;

std::string without_comments(std::string_view source) {
  return std::regex_replace(std::string(source), std::regex("//[^\n]*"), "");
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// The items of a list, split at its commas (none of ours has a comma inside an item).
std::vector<std::string> items(const std::string& list) {
  std::vector<std::string> result;
  std::string::size_type start = 0;
  while (start <= list.size()) {
    const auto comma = std::min(list.find(',', start), list.size());
    if (std::string item = trimmed(list.substr(start, comma - start)); !item.empty()) {
      result.push_back(std::move(item));
    }
    start = comma + 1;
  }
  return result;
}

std::map<std::string, std::string> modport(const std::string& source, const std::string& name) {
  std::smatch body;
  if (!std::regex_search(source, body, std::regex("modport\\s+" + name + "\\s*\\(([^)]*)\\)"))) {
    throw std::runtime_error("the interface has no modport " + name);
  }
  std::map<std::string, std::string> directions;
  std::string direction;
  const std::regex form("(?:(input|output)\\s+)?(\\w+)");
  for (const std::string& item : items(body[1])) {
    std::smatch parts;
    if (!std::regex_match(item, parts, form)) {
      throw std::runtime_error(fmt::format("modport {}: cannot read '{}'", name, item));
    }
    if (parts[1].matched) direction = parts[1];
    if (!directions.emplace(parts[2], direction).second) {
      throw std::runtime_error(fmt::format("modport {} names {} twice", name, parts[2].str()));
    }
  }
  return directions;
}

std::string take(std::map<std::string, std::string>& directions, const std::string& name,
                 const char* where) {
  const auto node = directions.extract(name);
  if (node.empty()) throw std::runtime_error(fmt::format("{} is not in modport {}", name, where));
  return node.mapped();
}

std::string cell(const std::string& text) {
  return text.empty() ? "-" : "`" + text + "`";
}

/// Returns the end of a body in parentheses, which may contain others.
std::size_t closing(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i;
  }
  throw std::runtime_error("a module header does not end");
}

}  // namespace

std::vector<InterfaceSignal> read_interface(std::string_view text) {
  const std::string source = without_comments(text);
  auto mst = modport(source, "mst");
  auto slv = modport(source, "slv");
  std::vector<InterfaceSignal> signals;
  const std::regex declaration(R"(\blogic\s*(\[[^\]]*\])?\s*(\w+)\s*\[([^\]]*)\]\s*;)");
  for (Matches match(source.begin(), source.end(), declaration); match != Matches(); ++match) {
    InterfaceSignal signal;
    signal.name = (*match)[2];
    signal.width = (*match)[1].matched ? (*match)[1].str() : "1";
    signal.count = (*match)[3];
    signal.at_mst = take(mst, signal.name, "mst");
    signal.at_slv = take(slv, signal.name, "slv");
    signals.push_back(signal);
  }
  if (signals.empty()) throw std::runtime_error("the interface has no signals");
  for (const auto& rest : {mst, slv}) {
    if (!rest.empty()) {
      throw std::runtime_error("a modport names " + rest.begin()->first +
                               ", which is not a signal");
    }
  }
  return signals;
}

ModuleHeader read_module(std::string_view text) {
  const std::string source = without_comments(text);
  ModuleHeader module;
  std::smatch head;
  if (!std::regex_search(source, head, std::regex(R"(\bmodule\s+(\w+)\s*(#)?\s*\()"))) {
    throw std::runtime_error("there is no module");
  }
  module.name = head[1];
  auto open = static_cast<std::size_t>(head.position(0) + head.length(0)) - 1;
  std::size_t close = closing(source, open);
  if (head[2].matched) {
    const std::regex form(R"(parameter\s+[\w\s]*?(\w+)\s*=\s*([^=]+))");
    for (const std::string& item : items(source.substr(open + 1, close - open - 1))) {
      std::smatch parts;
      if (!std::regex_match(item, parts, form)) {
        throw std::runtime_error(fmt::format("{}: cannot read '{}'", module.name, item));
      }
      module.parameters.push_back({parts[1], trimmed(parts[2])});
    }
    open = source.find('(', close);
    close = closing(source, open);
  }
  const std::regex form(
      R"((input|output|\w+\.\w+)\s+(?:logic\s*)?(\[[^\]]*\])?\s*(\w+)\s*(?:\[([^\]]*)\])?)");
  for (const std::string& item : items(source.substr(open + 1, close - open - 1))) {
    std::smatch parts;
    if (!std::regex_match(item, parts, form)) {
      throw std::runtime_error(fmt::format("{}: cannot read '{}'", module.name, item));
    }
    module.ports.push_back({parts[1], parts[3], parts[2].matched ? parts[2].str() : "1", parts[4]});
  }
  return module;
}

std::string describe_signal(std::string_view name) {
  static const std::array<std::pair<std::string_view, const char*>, 7> kFields = {{
      {"vld", "a packet is offered"},
      {"rdy", "the packet offered is taken at the next rising edge"},
      {"type", "packet type: 0 unicast, 1 X-multicast, 2 Y-multicast, 3 broadcast"},
      {"qos", "quality of service: 0 low, 1 high"},
      {"src", "address {y, x} of the node that the packet comes from"},
      {"tgt", "address {y, x} of the node that the packet is for"},
      {"data", "data"},
  }};
  static const std::array<std::pair<std::string_view, const char*>, 4> kSides = {{
      {"xo_", "X links, outgoing"},
      {"xi_", "X links, incoming"},
      {"yo_", "Y links, outgoing"},
      {"yi_", "Y links, incoming"},
  }};
  for (const auto& [side, where] : kSides) {
    for (const auto& [field, what] : kFields) {
      if (name.starts_with(side) && name.substr(side.size()) == field) {
        return fmt::format("{}: {}", where, what);
      }
    }
  }
  throw std::runtime_error(fmt::format("the signal {} has no description", name));
}

std::string interface_markdown(const std::vector<InterfaceSignal>& signals) {
  std::string text =
      "# Signals of pkt_con_if\n\n"
      "One instance a node. `mst` is the node's side, `slv` the topology's.\n\n"
      "| signal | bits | links | mst | slv | meaning |\n|---|---|---|---|---|---|\n";
  for (const InterfaceSignal& signal : signals) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", signal.name,
                        signal.width == "1" ? "1" : cell(signal.width), cell(signal.count),
                        signal.at_mst, signal.at_slv, describe_signal(signal.name));
  }
  return text;
}

std::string module_markdown(const ModuleHeader& module) {
  std::string text = fmt::format("## {}\n\n| parameter | default |\n|---|---|\n", module.name);
  for (const ModuleParameter& parameter : module.parameters) {
    text += fmt::format("| `{}` | `{}` |\n", parameter.name, parameter.value);
  }
  text += "\n| port | direction | bits | instances |\n|---|---|---|---|\n";
  for (const ModulePort& port : module.ports) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", port.name, port.direction,
                        port.width == "1" ? "1" : cell(port.width), cell(port.count));
  }
  return text;
}

}  // namespace kernbench::docs
