// SPDX-License-Identifier: Apache-2.0
#include "sim/build/other_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::sim {
namespace {

using Json = nlohmann::json;
constexpr const char* kOtherToolsFile = "other_tools";

bool is_bench(const std::string& name) {
  for (const char* folder : {"tb/", "sim/"}) {
    if (name.starts_with(fmt::format("{}/{}", kRootName, folder))) return true;
  }
  return false;
}

std::string whole_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::vector<PlacedConditional> conditionals_of(const std::vector<std::string>& files,
                                               const SourceNames& names) {
  std::vector<PlacedConditional> found;
  for (const std::string& name : files) {
    const std::filesystem::path path = names.path_of(name);
    std::error_code error;
    // Other relative names are files of the build folder.
    if (is_bench(name) || path.is_relative() || path.extension() == ".vlt" ||
        !std::filesystem::is_regular_file(path, error) ||
        path.filename().string().starts_with("verilator_bin") ||
        path.filename().string().starts_with("verilated_std")) {
      continue;
    }
    for (Conditional& conditional : tool_conditionals(whole_file(path))) {
      found.push_back({name, std::move(conditional)});
    }
  }
  return found;
}

std::vector<OtherDump> other_dumps(const std::vector<PlacedConditional>& conditionals,
                                   const std::vector<std::string>& arguments) {
  std::set<std::string> asked;
  for (const PlacedConditional& one : conditionals) asked.insert(one.conditional.macro);
  const auto of_interest = [&](const std::set<std::string>& macros) {
    std::set<std::string> both;
    std::set_intersection(macros.begin(), macros.end(), asked.begin(), asked.end(),
                          std::inserter(both, both.end()));
    return both;
  };
  std::set<std::string> here = tool_macros().front().macros;
  for (const std::string& word : arguments) {
    if (word.starts_with("-D")) here.insert(word.substr(2, word.find('=') - 2));
  }
  here = of_interest(here);
  std::vector<OtherDump> dumps;
  std::set<std::set<std::string>> seen = {here};
  for (const ToolMacros& tool : tool_macros()) {
    const std::set<std::string> there = of_interest(tool.macros);
    if (!seen.insert(there).second) continue;
    OtherDump& dump = dumps.emplace_back();
    dump.stem = fmt::format("other{}", dumps.size() - 1);
    dump.tool = tool.tool;
    std::set_difference(here.begin(), here.end(), there.begin(), there.end(),
                        std::back_inserter(dump.undefined));
    std::set_difference(there.begin(), there.end(), here.begin(), here.end(),
                        std::back_inserter(dump.defined));
  }
  return dumps;
}

void write_other_tools(const std::filesystem::path& folder, const OtherTools& others) {
  Json data = {{"conditionals", Json::array()}, {"dumps", Json::array()}};
  for (const PlacedConditional& one : others.conditionals) {
    data["conditionals"].push_back(
        {{"file", one.file}, {"line", one.conditional.line}, {"macro", one.conditional.macro}});
  }
  for (const OtherDump& one : others.dumps) {
    data["dumps"].push_back({{"stem", one.stem},
                             {"tool", one.tool},
                             {"undefined", one.undefined},
                             {"defined", one.defined},
                             {"failure", one.failure}});
  }
  common::write_file_atomically(folder / kOtherToolsFile,
                                data.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

OtherTools read_other_tools(const std::filesystem::path& folder) {
  OtherTools others;
  try {
    const Json data = Json::parse(whole_file(folder / kOtherToolsFile));
    for (const Json& json : data.at("conditionals")) {
      others.conditionals.push_back(
          {json.at("file").get<std::string>(),
           {json.at("macro").get<std::string>(), json.at("line").get<unsigned>()}});
    }
    for (const Json& one : data.at("dumps")) {
      others.dumps.push_back({one.at("stem").get<std::string>(), one.at("tool").get<std::string>(),
                              one.at("undefined").get<std::vector<std::string>>(),
                              one.at("defined").get<std::vector<std::string>>(),
                              one.at("failure").get<std::string>()});
    }
  } catch (const Json::exception&) {
    throw common::BadInput(fmt::format("{}: does not say which macros of tools the RTL uses",
                                       (folder / kOtherToolsFile).string()));
  }
  return others;
}

}  // namespace kernbench::sim
