// SPDX-License-Identifier: Apache-2.0
#include "sim/report/report_writer.hpp"

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"
#include "sim/report/html_report.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/text_report.hpp"

namespace kernbench::sim {
namespace {

common::ReportEnvelope envelope(const RegressionResult& result, const CoverageSummary& coverage) {
  common::ReportEnvelope report;
  report.kind = "regression";
  report.outcome = result.outcome;
  report.seed = result.seed;
  report.config_hash = result.config_hash;
  report.revision = result.revision;
  report.command = result.command;
  report.data = regression_data(result, coverage);
  return report;
}

}  // namespace

std::vector<std::string> write_reports(const std::filesystem::path& folder,
                                       const RegressionResult& result,
                                       const CoverageSummary& coverage) {
  std::vector<std::string> errors;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (const common::BadInput& error) {
      errors.emplace_back(error.what());
    }
  };
  const auto write = [&](const char* name, const std::string& content) {
    attempt([&] { common::write_file_atomically(folder / name, content); });
  };
  attempt([&] { common::ensure_directory(folder); });
  if (!errors.empty()) return errors;
  write("report.json", common::render_report(envelope(result, coverage)));
  write("report.html", html_report(result, coverage));
  write("junit.xml", junit_report(result));
  write("summary.txt", text_report(result, coverage, Colour::Off));
  return errors;
}

}  // namespace kernbench::sim
