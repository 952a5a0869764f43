// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/line/parser.hpp"
#include "common/atomic_file.hpp"
#include "common/child_process.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/report_envelope.hpp"
#include "common/shell_quote.hpp"
#include "common/temporary_files.hpp"
#include "common/text_file.hpp"
#include "model/report/run_report.hpp"
#include "plot/report_differences.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;
using common::BadInput;
using common::Outcome;

constexpr std::size_t kLongestLog = std::size_t{1} << 20U;

struct RerunOptions {
  std::string report;
  std::string json;
};

/// Returns true for an option that names a file or folder to write.
bool writes(const Option& option) {
  const Check* const check = option.path();
  return check != nullptr && check->path->use != PathUse::Input;
}

/// Returns the words of `kernbench run` that decide the results of a report, without what chooses
/// the system. Throws common::BadInput if they are not those of this program.
Words words_of(const common::ReportEnvelope& report, const std::string& file,
               const Invocation& invocation) {
  Words words;
  try {
    words = common::shell_words(report.command);
  } catch (const std::invalid_argument& error) {
    throw BadInput(fmt::format("{}: 'command': {}", file, error.what()));
  }
  if (words.size() < 2 || words[1] != "run") {
    throw BadInput(fmt::format("{}: 'command' must be a command of kernbench run", file));
  }
  words.erase(words.begin());
  Invocation own = invocation;
  own.common = std::make_shared<CommonOptions>();
  Command program("kernbench", "");
  add_commands(program, own);
  try {
    (void)parse(program, words, [] { return std::string(); });
  } catch (const UsageError& error) {
    throw BadInput(fmt::format("{}: 'command': {}", file, error.what()));
  }
  const Words typed = program.find("run")->typed_words([](const Option& option) {
    return option.decides == Decides::Result && !writes(option) && option.name() != "--topology";
  });
  Words kept;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const bool is_key =
        typed[i] == "--set" && i + 1 < typed.size() && typed[i + 1].starts_with("topology.");
    if (is_key) {
      ++i;
    } else {
      kept.push_back(typed[i]);
    }
  }
  return kept;
}

Outcome rerun(const RerunOptions& options, const Invocation& invocation) {
  const plot::ReportKind& kind = model::report::kRunReport;
  const common::ReportEnvelope report = common::read_report(options.report, std::string(kind.name));
  common::require_form(kind.form(), report.data, options.report, "data");
  Words words = words_of(report, options.report, invocation);
  const common::TemporaryFolder scratch(fs::temp_directory_path() / "kernbench-rerun");
  const std::string topology = scratch.path() + "/topology.yaml";
  const std::string json = scratch.path() + "/run.json";
  const std::string log = scratch.path() + "/run.log";
  common::write_file_atomically(topology, report.data.at("topology").dump(1) + "\n");
  words.insert(words.begin(), fs::canonical("/proc/self/exe").string());
  words.insert(words.end(), {"--topology", topology, "--json", json});
  const common::ChildEnd end = common::run_program(
      {.words = words,
       .log = log,
       .environment = {{"KERNBENCH_ROOT", fs::absolute(invocation.root).string()}}});
  if (!fs::exists(json)) {
    throw BadInput(fmt::format("{}: the run ended with exit code {}:\n{}", options.report,
                               end.exit_code, common::read_text_file(log, kLongestLog)));
  }
  const common::ReportEnvelope again = common::read_report(json, std::string(kind.name));
  if (!options.json.empty()) {
    common::ReportEnvelope kept = again;
    kept.command = report.command;
    common::write_report(options.json, kept);
  }
  std::size_t values = 0;
  std::vector<std::string> differing;
  plot::for_each_pair(kind.form(), report.data, again.data, [&](const plot::ValuePair& pair) {
    ++values;
    if (!pair.is_equal()) differing.push_back(pair.path);
  });
  if (report.outcome != again.outcome) differing.insert(differing.begin(), "outcome");
  if (differing.empty()) {
    print("PASS  the run gives all {} values of {} again\n", values, options.report);
    return Outcome::Pass;
  }
  print("MISMATCH  {} of {} values differ from {}, the first: {}\n", differing.size(), values,
        options.report, differing.front());
  return Outcome::Mismatch;
}

}  // namespace

void add_rerun_command(Command& program, const Invocation& invocation) {
  const auto options = std::make_shared<RerunOptions>();
  Command& command = program.add_command(
      "rerun", "Run a bench again from its report alone, and compare the results");
  command.add_option("report", options->report, "A report of kernbench run (JSON)")
      .check(input_file())
      .required();
  command.add_option("--json", options->json, "Report of the new run").check(output_file());
  command.footer =
      "The report has the system that ran, with all keys, so no topology file is read. Files that\n"
      "the command names, such as that of a transformer, are. Exit code 1 if a result differs.\n\n"
      "Example:\n"
      "  kernbench rerun before.json";
  command.run = [options, &invocation] { return rerun(*options, invocation); };
}

}  // namespace kernbench::cli
