// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/revision.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/text_file.hpp"
#include "sim/cover/coverage_file.hpp"
#include "sim/cover/coverage_report.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;

struct CoverageOptions {
  std::vector<std::filesystem::path> files;
  std::string list;
  std::string output;
  std::size_t missed = 20;
  sim::MergeRules rules;
};

std::vector<std::filesystem::path> all_files(const CoverageOptions& options) {
  std::vector<std::filesystem::path> files = options.files;
  if (!options.list.empty()) {
    const auto listed = sim::read_coverage_list(options.list);
    files.insert(files.end(), listed.begin(), listed.end());
  }
  if (files.empty())
    throw common::BadInput("no coverage files given, neither directly nor by --list");
  return files;
}

/// Returns Pass if every bin was hit, Mismatch otherwise.
Outcome judged(const sim::CoverageData& coverage) {
  return coverage.hit_bins() == coverage.total_bins() ? Outcome::Pass : Outcome::Mismatch;
}

/// Names what was merged beside runs of one model that passed.
void name_accepted(const std::vector<sim::CoveredRun>& runs) {
  if (const std::string failed = sim::failed_runs_text(runs); !failed.empty()) {
    print_note(failed);
  }
  std::set<std::string> models;
  for (const sim::CoveredRun& run : runs) models.insert(run.model);
  if (models.size() > 1) {
    print_note(fmt::format("of {} models: {}", models.size(), fmt::join(models, ", ")));
  }
}

Outcome merge(const CoverageOptions& options, const Invocation& invocation) {
  const std::vector<std::filesystem::path> files = all_files(options);
  const auto [coverage, runs] = sim::merge_coverage_files(files, options.rules);
  common::ByteHash inputs;
  for (const auto& file : files) inputs.add(common::read_text_file(file));
  common::ReportEnvelope header;
  header.outcome = judged(coverage);
  header.config_hash = common::hex64(inputs.value());
  header.revision = source_revision();
  header.command = invocation.command_line();
  sim::write_coverage_file(options.output, coverage, runs, header);
  print("{}: {} of {} bins from {} file{}\n", options.output, coverage.hit_bins(),
        coverage.total_bins(), files.size(), files.size() == 1 ? "" : "s");
  name_accepted(runs);
  return Outcome::Pass;
}

Outcome report(const CoverageOptions& options) {
  sim::MergeRules rules = options.rules;
  rules.failed_runs = true;  // shown, but not as a pass
  const auto [coverage, runs] = sim::merge_coverage_files(all_files(options), rules);
  print("{}", sim::coverage_report(coverage, options.missed));
  const std::string failed = sim::failed_runs_text(runs);
  const Outcome outcome = failed.empty() ? judged(coverage) : Outcome::Mismatch;
  print("{}  {} of {} bins{}{}\n", outcome == Outcome::Pass ? "PASS" : "FAIL", coverage.hit_bins(),
        coverage.total_bins(), failed.empty() ? "" : "; ", failed);
  return outcome;
}

void add_inputs(Command& command, CoverageOptions& options) {
  command.add_option("files", options.files, "Coverage files of individual runs")
      .check(input_file());
  command.add_option("--list", options.list, "Text file with one coverage file per line")
      .check(input_file());
  command.add_flag("--accept-other-models", options.rules.other_models,
                   "Merge the coverage of runs on different RTL");
}

}  // namespace

void add_coverage_command(Command& program, const Invocation& invocation) {
  Command& coverage = program.add_command("coverage", "Merge or report functional coverage");
  coverage.needs_command = true;
  coverage.footer =
      "Examples:\n"
      "  kernbench coverage merge -o all.json run1/coverage.json run2/coverage.json\n"
      "  kernbench coverage report all.json";

  auto merging = std::make_shared<CoverageOptions>();
  Command& merge_command = coverage.add_command("merge", "Merge coverage files into one");
  add_inputs(merge_command, *merging);
  merge_command.add_flag("--accept-failed", merging->rules.failed_runs,
                         "Count what runs covered that did not pass");
  merge_command.add_option("-o,--output", merging->output, "Merged coverage file to write")
      .check(output_file())
      .required();
  merge_command.footer =
      "Example:\n  kernbench coverage merge -o all.json run1/coverage.json run2/coverage.json";
  merge_command.run = [merging, &invocation] { return merge(*merging, invocation); };

  auto reporting = std::make_shared<CoverageOptions>();
  Command& report_command =
      coverage.add_command("report", "Report the coverage and list the missed bins");
  add_inputs(report_command, *reporting);
  report_command.add_option("--rows", reporting->missed, "Number of missed bins to list")
      .check(whole_number(0));
  report_command.footer =
      "Exit code 1 if any bin is missed, or any of the runs did not pass.\n"
      "Example:\n  kernbench coverage report --rows 1000 build/reports/coverage.json";
  report_command.run = [reporting] { return report(*reporting); };
}

}  // namespace kernbench::cli
