// SPDX-License-Identifier: Apache-2.0
#include "sim/build/model_members.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <vector>

#include "sim/dut/source_names.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

struct MemberRow {
  std::string member;  ///< in C++
  std::string name;    ///< in the RTL
  unsigned bits = 0;
};

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Returns the name in the RTL; empty for what Verilator has added.
std::string rtl_name(std::string name) {
  if (name.starts_with("__PVT__")) name.erase(0, 7);
  if (name.starts_with("__V") || name.find("__DOT____V") != std::string::npos) return {};
  return source_name(std::move(name));
}

/// Returns the variables of a class that are one vector.
std::vector<MemberRow> members_of(const fs::path& header) {
  static const std::regex kPort(R"(^\s*VL_(?:IN|OUT|INOUT)(?:8|16|64)?\(&?(\w+),(\d+),(\d+)\);)");
  static const std::regex kWidePort(R"(^\s*VL_(?:IN|OUT|INOUT)W\(&?(\w+),(\d+),(\d+),\d+\);)");
  static const std::regex kVariable(R"(^\s*(?:[CSIQ]Data|VlWide<\d+>)/\*(\d+):(\d+)\*/ (\w+);)");
  std::vector<MemberRow> rows;
  const auto add = [&](const std::string& member, const std::string& high, const std::string& low) {
    std::string name = rtl_name(member);
    if (name.empty()) return;
    rows.push_back(
        {member, std::move(name), static_cast<unsigned>(std::stoul(high) - std::stoul(low) + 1)});
  };
  for (const std::string& line : lines_of(header)) {
    std::smatch found;
    if (std::regex_search(line, found, kVariable)) {
      add(found[3], found[1], found[2]);
    } else if (std::regex_search(line, found, kPort) || std::regex_search(line, found, kWidePort)) {
      add(found[1], found[2], found[3]);
    }
  }
  return rows;
}

/// Returns true for a variable of the design, which the bench instantiates as `u_...`.
bool is_of_design(const std::string& path) {
  const auto dot = path.find('.');
  return dot != std::string::npos && path.compare(dot + 1, 2, "u_") == 0;
}

}  // namespace

std::string members_header(const fs::path& folder, const std::string& prefix) {
  std::string tables;
  std::string parts;
  std::map<std::string, std::string> table_of;  // by class
  static const std::regex kInstance(R"(^\s+(\w+)\s+(TOP\w*);)");
  const std::string syms = prefix + "__Syms";
  for (const std::string& line : lines_of(folder / (syms + ".h"))) {
    std::smatch found;
    if (!std::regex_search(line, found, kInstance)) continue;
    const std::string type = found[1];
    const std::string object = found[2];
    const bool is_root = object == "TOP";
    const std::string path = is_root ? "" : rtl_name(object.substr(5)) + ".";
    if (!is_root && !is_of_design(path)) continue;
    const auto [entry, added] = table_of.emplace(type, "");
    if (added) {
      std::string rows;
      for (const MemberRow& row : members_of(folder / (type + ".h"))) {
        if (is_root && !is_of_design(row.name)) continue;
        fmt::format_to(std::back_inserter(rows),
                       "    {{\"{}\", {}, sizeof({}::{}), offsetof({}, {})}},\n", row.name,
                       row.bits, type, row.member, type, row.member);
      }
      if (!rows.empty()) {
        entry->second = fmt::format("kMembers{}", table_of.size());
        fmt::format_to(std::back_inserter(tables),
                       "inline constexpr ModelMember {}[] = {{\n{}}};\n", entry->second, rows);
      }
    }
    if (entry->second.empty()) continue;
    fmt::format_to(std::back_inserter(parts), "  add(\"{}\", &syms.{}, {});\n", path, object,
                   entry->second);
  }
  return fmt::format(
      "#pragma once\n#include <cstddef>\n#include <{}.h>\nnamespace kernbench::sim {{\n"
      "struct ModelMember {{\n  const char* name;\n  unsigned bits;\n  unsigned bytes;\n"
      "  std::size_t offset;\n}};\n{}"
      "template <class Add>\nvoid each_model_part(const {}& syms, const Add& add) {{\n{}"
      "  (void)syms;\n  (void)add;\n}}\n}}  // namespace kernbench::sim\n",
      syms, tables, syms, parts);
}

}  // namespace kernbench::sim
