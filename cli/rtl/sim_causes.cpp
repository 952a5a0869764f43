// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/sim_causes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>

#include "cli/base/console.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "sim/debug/failure_page.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/regression_digest.hpp"
#include "sim/report/report_writer.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::cli {
namespace {

// Cases whose cause is looked for.
constexpr std::size_t kMostCauses = 3;
constexpr std::size_t kShownAlike = 4;

/// Returns true for a failure of traffic that the design itself made.
bool is_of_design(const sim::CaseResult& result) {
  return !result.fault && result.known.empty() && result.cycles != 0 && !result.failures.empty();
}

/// Removes the files of failures of an earlier run, so that they are not taken for those of this
/// one. Other files stay, and the folders that they are in.
void remove_former(const std::string& report_folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(report_folder + "/failures", ignored)) {
    if (!entry.is_directory(ignored) || entry.is_symlink(ignored)) continue;
    for (const char* name : sim::kFailureFiles) {
      const fs::path file = entry.path() / name;
      if (fs::symlink_status(file, ignored).type() == fs::file_type::regular) {
        fs::remove(file, ignored);
      }
    }
    fs::remove(entry.path(), ignored);  // unless something is left in it
  }
}

/// Returns a line about the other cases whose first failure is of the same checker and kind.
std::string alike_text(const sim::RegressionResult& result, std::size_t index) {
  const sim::Failure& first = result.cases[index].failures.front();
  std::vector<std::string> others;
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const sim::CaseResult& one = result.cases[i];
    if (i == index || !is_of_design(one)) continue;
    const sim::Failure& failure = one.failures.front();
    if (failure.checker != first.checker || failure.kind != first.kind) continue;
    others.push_back(fmt::format("{} seed {}", one.title(), one.seed));
  }
  if (others.empty()) return {};
  const std::size_t shown = std::min(others.size(), kShownAlike);
  std::string text = fmt::format("{} of the same checker and kind: {}",
                                 sim::counted(others.size(), "more failure"),
                                 fmt::join(std::span(others).first(shown), ", "));
  return shown == others.size() ? text : text + ", ..";
}

/// Returns the folder of a failure below that of the reports.
std::string folder_of(const sim::CaseResult& result) {
  if (result.pattern == sim::kStructurePattern) return "failures/structure";
  return fmt::format("failures/{}-seed{}", result.title(), result.seed);
}

/// Writes the page of a failure, and its lines to the result.
void write_cause(const sim::Diagnosis& diagnosis, sim::CaseResult& one,
                 const sim::RegressionResult& result, const CaseCause& cause,
                 const std::string& report_folder) {
  one.cause = sim::diagnosis_text(diagnosis);
  const std::string folder = folder_of(one);
  const std::string path = fmt::format("{}/{}", report_folder, folder);
  const std::vector<std::string> errors = sim::write_failure(
      {diagnosis, one, title_of(sim::design_text(result), result.shape, one.failed_node),
       result.dut, result.model_hash, cause.words, path,
       cause.command_of ? cause.command_of(path + "/" + sim::kSuiteFile) : ""},
      sim::report_header(result));
  for (const std::string& error : errors) print_error(error);
  if (errors.empty()) one.page = folder + "/failure.html";
}

/// Returns the findings of a failed structure check, as its failures name them: "place: message".
std::vector<sim::structure::Finding> findings_in(const sim::CaseResult& structure) {
  std::vector<sim::structure::Finding> findings;
  for (const sim::Failure& failure : structure.failures) {
    const auto end = failure.message.find(": ");
    if (end == std::string::npos) continue;
    sim::structure::Finding& finding = findings.emplace_back();
    for (const auto& [name, rule] : sim::structure::kRuleNames) {
      if (name == failure.kind) finding.rule = rule;
    }
    finding.where = failure.message.substr(0, end);
    finding.message = failure.message.substr(end + 2);
  }
  return findings;
}

}  // namespace

std::string title_of(const std::string& design, const maze::Shape& shape,
                     std::optional<unsigned> failed_node) {
  if (!failed_node) return design;
  const topology::MazeLinks links(shape.nx, shape.ny);
  return fmt::format("{}, node {} failed", design, links.coordinates(*failed_node));
}

common::Outcome find_causes(sim::RegressionResult& result, std::size_t cases,
                            const CaseCauses& causes, const std::string& report_folder) {
  remove_former(report_folder);
  for (sim::CaseResult& one : result.cases) {
    if (one.pattern != sim::kStructurePattern || one.failures.empty()) continue;
    write_cause(sim::diagnose_structure(one, findings_in(one)), one, result, {}, report_folder);
  }
  std::set<std::tuple<std::string, std::string>> kinds;
  for (std::size_t i = 0; i < cases && kinds.size() < kMostCauses; ++i) {
    sim::CaseResult& one = result.cases[i];
    if (!is_of_design(one) || common::interrupted()) continue;
    const sim::Failure& first = one.failures.front();
    if (!kinds.insert({first.checker, first.kind}).second) continue;
    try {
      const CaseCause cause = causes(i);
      const auto diagnosis = cause.diagnose(one);
      if (!diagnosis) continue;
      write_cause(*diagnosis, one, result, cause, report_folder);
      if (const std::string alike = alike_text(result, i); !alike.empty()) {
        one.cause.push_back(alike);
      }
    } catch (const common::BadInput& error) {
      print_error(fmt::format("no cause: {}", error.what()));
    } catch (const std::logic_error& error) {
      print_error(fmt::format("internal error: {}", error.what()));
      return common::Outcome::InternalError;
    }
  }
  return common::Outcome::Pass;
}

std::vector<sim::structure::Finding> findings_of(const sim::structure::ModelStructure& structure) {
  return structure.result ? structure.result->findings : std::vector<sim::structure::Finding>{};
}

}  // namespace kernbench::cli
