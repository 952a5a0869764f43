// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/structure_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"
#include "sim/dut/source_names.hpp"

namespace kernbench::sim::structure {
namespace {

namespace fs = std::filesystem;
using common::BadInput;
using Json = nlohmann::json;

constexpr const char* kKind = "structure";

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Returns the path of the dump, of XML unless there is none.
fs::path dump_in(const fs::path& folder) {
  const fs::path xml = folder / "dump" / "design.xml";
  return fs::exists(xml) ? xml : folder / "dump" / "design.tree.json";
}

Json to_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"rule", rule_name(finding.rule)},
                    {"where", finding.where},
                    {"message", finding.message}});
  }
  return list;
}

/// Reads what `to_json` wrote; false for a rule of another version.
bool read_findings(const Json& list, std::vector<Finding>& findings) {
  for (const Json& one : list) {
    const auto rule = rule_from_name(one.at("rule").get<std::string>());
    if (!rule) return false;
    findings.push_back(
        {*rule, one.at("where").get<std::string>(), one.at("message").get<std::string>()});
  }
  return true;
}

Json to_json(const CheckResult& result) {
  return {{"rules", kRulesVersion},
          {"links", result.links},
          {"nodes", result.nodes},
          {"bits", result.bits},
          {"findings", to_json(result.findings)},
          {"notes", to_json(result.notes)}};
}

/// Returns the stored result; std::nullopt when it is missing, damaged, or of other rules or
/// another model.
std::optional<CheckResult> stored(const fs::path& path, const std::string& hash) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    const common::ReportEnvelope report = common::read_report(path, kKind);
    const Json& data = report.data;
    if (report.config_hash != hash || data.at("rules") != kRulesVersion) return std::nullopt;
    CheckResult result;
    result.links = data.at("links").get<unsigned>();
    result.nodes = data.at("nodes").get<unsigned>();
    result.bits = data.at("bits").get<std::uint64_t>();
    if (!read_findings(data.at("findings"), result.findings) ||
        !read_findings(data.at("notes"), result.notes)) {
      return std::nullopt;
    }
    return result;
  } catch (const BadInput&) {
    return std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

/// Returns a result in which files have the user's names instead of those of the build.
ModelStructure named(CheckResult result, const fs::path& folder) {
  const SourceNames names = SourceNames::read(folder);
  for (std::vector<Finding>* findings : {&result.findings, &result.notes}) {
    for (Finding& finding : *findings) {
      finding.where = names.user_text(finding.where);
      finding.message = names.user_text(finding.message);
    }
  }
  return {std::move(result), {}};
}

void store(const fs::path& path, const std::string& hash, const CheckResult& result) {
  common::ReportEnvelope report;
  report.kind = kKind;
  report.outcome = !result.findings.empty() ? common::Outcome::Mismatch
                   : result.links == 0      ? common::Outcome::Vacuous
                                            : common::Outcome::Pass;
  report.config_hash = hash;
  report.data = to_json(result);
  try {
    common::write_report(path, report);
  } catch (const BadInput&) {
    // A folder that cannot be written to: the next run checks again.
  }
}

}  // namespace

ModelStructure structure_of_design(const std::string& folder, const maze::Shape& shape,
                                   const std::string& build_hash, bool network) {
  const fs::path file = fs::path(folder) / "structure.json";
  if (auto known = stored(file, build_hash)) return named(std::move(*known), folder);
  const fs::path dump = dump_in(folder);
  if (!fs::exists(dump)) return {std::nullopt, fmt::format("{} has no dump", folder)};
  if (first_line(fs::path(folder) / "dump" / "stamp") != build_hash) {
    return {std::nullopt, fmt::format("{} is the dump of another build", dump.string())};
  }
  try {
    CheckResult result = network ? check_network_structure(dump.string(), shape)
                                 : check_structure(dump.string(), shape);
    store(file, build_hash, result);
    return named(std::move(result), folder);
  } catch (const BadInput& error) {
    return {std::nullopt, error.what()};
  }
}

ModelStructure structure_of_model(const std::string& path, const DutInfo& info) {
  const std::string folder = fs::absolute(path).parent_path().string();
  ModelStructure structure = structure_of_design(folder, info.shape, info.build_hash);
  if (!structure.result && !fs::exists(dump_in(folder))) {
    structure.why_not = fmt::format("{} has no dump of the design beside it", path);
  }
  return structure;
}

CaseResult structure_case(const ModelStructure& structure, bool shipped) {
  CaseResult result;
  result.suite = "structure";
  result.pattern = kStructurePattern;
  if (!structure.result) {
    result.outcome = common::Outcome::Vacuous;
    result.reason = "the structure of the model was not checked, so this is not a sign-off: " +
                    structure.why_not + "; --no-structure accepts that";
    result.checkers.push_back({"structure", 0, 0});
    return result;
  }
  std::vector<Finding> findings = structure.result->findings;
  const std::vector<Finding>& notes = structure.result->notes;
  if (shipped) findings.insert(findings.end(), notes.begin(), notes.end());
  result.checkers.push_back({"structure", structure.result->bits, findings.size()});
  for (const Finding& finding : findings) {
    result.failures.push_back({"structure", std::string(rule_name(finding.rule)), 0, std::nullopt,
                               finding.where + ": " + finding.message});
  }
  if (!findings.empty()) {
    result.outcome = common::Outcome::Mismatch;
    result.reason =
        fmt::format("{} finding{} in the structure of the RTL, the first: {}", findings.size(),
                    findings.size() == 1 ? "" : "s", result.failures.front().message);
  }
  return result;
}

}  // namespace kernbench::sim::structure
