// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/structure_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"
#include "sim/dut/source_names.hpp"

namespace kernbench::common {

using sim::structure::CheckResult;
using sim::structure::Finding;

template <>
const Description<Finding>& description_of() {
  static const auto kAll = Description<Finding>()
                               .add("rule", &Finding::rule)
                               .add("where", &Finding::where, "file and line")
                               .add("message", &Finding::message);
  return kAll;
}

template <>
const Description<CheckResult>& description_of() {
  static const auto kAll =
      Description<CheckResult>()
          .add_constant("rules", sim::structure::kRulesVersion, "version of the rules")
          .add("links", &CheckResult::links,
               "instances of IRS_N in TOPO; of a network of any topology its channels")
          .add("nodes", &CheckResult::nodes,
               "of a network: instances of MAZE_CORE in MAZE_ARRAY, or of NOC_NODE in NOC_TOP")
          .add("bits", &CheckResult::bits, "bits of signals that were followed")
          .add("findings", &CheckResult::findings, "in order of their places")
          .add("notes", &CheckResult::notes, "findings for our RTL alone");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::sim::structure {

const plot::ReportKind kStructureReport = {.name = "structure",
                                           .command = "sim",
                                           .about = "The structure of the RTL of a model",
                                           .envelope = {.grade = false},
                                           .form = common::form_of<CheckResult>};

namespace {

namespace fs = std::filesystem;
using common::BadInput;

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Returns the stored result; std::nullopt when it is missing, damaged, or of other rules or
/// another model.
std::optional<CheckResult> stored(const fs::path& path, const std::string& hash) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    const common::ReportEnvelope report =
        common::read_report(path, std::string(kStructureReport.name));
    if (report.config_hash != hash) return std::nullopt;
    return common::value_of<CheckResult>(report.data, path.string());
  } catch (const BadInput&) {
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
  report.kind = kStructureReport.name;
  report.outcome = !result.findings.empty() ? common::Outcome::Mismatch
                   : result.links == 0      ? common::Outcome::Vacuous
                                            : common::Outcome::Pass;
  report.config_hash = hash;
  report.data = common::to_json(result);
  try {
    common::write_report(path, report);
  } catch (const BadInput&) {
    // A folder that cannot be written to: the next run checks again.
  }
}

}  // namespace

std::string dump_path(const std::string& folder) {
  const fs::path xml = fs::path(folder) / "dump" / "design.xml";
  return (fs::exists(xml) ? xml : fs::path(folder) / "dump" / "design.tree.json").string();
}

std::string folder_with_dump(const std::string& model) {
  std::string folder = fs::path(model).parent_path().string();
  return fs::exists(dump_path(folder)) ? folder : "";
}

ModelStructure structure_of_design(const std::string& folder, const std::string& build_hash,
                                   const CheckDump& check) {
  const fs::path file = fs::path(folder) / "structure.json";
  if (auto known = stored(file, build_hash)) return named(std::move(*known), folder);
  const fs::path dump = dump_path(folder);
  if (!fs::exists(dump)) return {std::nullopt, fmt::format("{} has no dump", folder)};
  if (first_line(fs::path(folder) / "dump" / "stamp") != build_hash) {
    return {std::nullopt, fmt::format("{} is the dump of another build", dump.string())};
  }
  try {
    CheckResult result = check(dump.string());
    store(file, build_hash, result);
    return named(std::move(result), folder);
  } catch (const BadInput& error) {
    return {std::nullopt, error.what()};
  }
}

ModelStructure structure_of_design(const std::string& folder, const maze::Shape& shape,
                                   const std::string& build_hash, bool network) {
  return structure_of_design(folder, build_hash, [&](const std::string& path) {
    return network ? check_network_structure(path, shape) : check_structure(path, shape);
  });
}

ModelStructure structure_of_model(const std::string& path, const DutInfo& info) {
  const std::string folder = fs::absolute(path).parent_path().string();
  ModelStructure structure = structure_of_design(folder, info.shape, info.build_hash);
  if (!structure.result && !fs::exists(dump_path(folder))) {
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
