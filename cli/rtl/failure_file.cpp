// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/failure_file.hpp"

#include <fmt/format.h>

#include <array>

#include "cli/line/parser.hpp"
#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"
#include "sim/debug/failure_page.hpp"

namespace kernbench::cli {

FailureFile read_failure(const std::string& path) {
  const common::ReportEnvelope report =
      common::read_report(path, std::string(sim::kFailureReport.name));
  common::require_form(sim::kFailureReport.form(), report.data, path, "data");
  FailureFile failure;
  failure.design = report.data.at("design").get<std::string>();
  failure.words = report.data.at("words").get<Words>();
  failure.model_hash = report.data.at("model_hash").get<std::string>();
  failure.checker = report.data.at("checker").get<std::string>();
  failure.kind = report.data.at("kind").get<std::string>();
  if (failure.words.empty() || failure.words.front() != "sim") {
    throw common::BadInput(
        fmt::format("{}: 'data.words' must be a command of kernbench sim", path));
  }
  return failure;
}

SimOptions options_of(const FailureFile& failure, const std::string& path,
                      const Invocation& invocation) {
  SimOptions options;
  Command program("kernbench", "");
  Command& sim = program.add_command("sim", "");
  describe(sim, options, invocation);
  try {
    (void)parse(program, failure.words, [] { return std::string(); });
  } catch (const UsageError& error) {
    throw common::BadInput(fmt::format("{}: 'data.words': {}", path, error.what()));
  }
  return options;
}

}  // namespace kernbench::cli
