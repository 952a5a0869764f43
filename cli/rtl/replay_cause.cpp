// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/replay_cause.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "cli/base/console.hpp"
#include "cli/base/revision.hpp"
#include "common/diagnostics.hpp"
#include "common/unmarked_text.hpp"
#include "sim/debug/failure_page.hpp"

namespace kernbench::cli {

using common::Outcome;

std::string folder_of_cause(const SimOptions& options) {
  return options.report + "/failures/replay";
}

Outcome explain_replay(
    sim::CaseResult failed, const ReplayedDesign& design, const SimOptions& options,
    const std::function<std::optional<sim::Diagnosis>(const sim::CaseResult& failed)>& diagnose) {
  if (failed.failures.empty()) {
    print("      no cause: packets that wait until they are accepted do not show the failure\n");
    return Outcome::Pass;
  }
  failed.command = shell_line(options.invocation->program, options.invocation->words());
  try {
    const auto diagnosis = diagnose(failed);
    if (!diagnosis) return Outcome::Pass;
    for (const std::string& line : sim::diagnosis_text(*diagnosis)) print("      {}\n", line);
    const std::string folder = folder_of_cause(options);
    const sim::FailureReport report{*diagnosis,
                                    failed,
                                    design.title,
                                    design.dut,
                                    design.model_hash,
                                    options.invocation->words(),
                                    folder,
                                    design.suite_command};
    common::ReportEnvelope envelope;
    envelope.revision = source_revision();
    const std::vector<std::string> errors = sim::write_failure(report, envelope);
    for (const std::string& error : errors) print_error(error);
    if (errors.empty()) print("      page: {}/failure.html\n", folder);
  } catch (const common::BadInput& error) {
    print_error(fmt::format("no cause: {}", common::unmarked_text(error)));
  } catch (const std::logic_error& error) {
    print_error(fmt::format("internal error: {}", error.what()));
    return Outcome::InternalError;
  }
  return Outcome::Pass;
}

}  // namespace kernbench::cli
