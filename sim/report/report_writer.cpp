// SPDX-License-Identifier: Apache-2.0
#include "sim/report/report_writer.hpp"

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/unmarked_text.hpp"
#include "sim/report/html_report.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/text_report.hpp"

namespace kernbench::sim {
namespace {

common::ReportEnvelope envelope(const RegressionResult& result, const CoverageSummary& coverage) {
  common::ReportEnvelope report = report_header(result);
  report.kind = kRegressionReport.name;
  report.data = regression_data(result, coverage);
  return report;
}

}  // namespace

common::ReportEnvelope report_header(const RegressionResult& result) {
  common::ReportEnvelope header;
  header.outcome = result.outcome;
  header.seed = result.seed;
  header.config_hash = result.config_hash;
  header.revision = result.revision;
  header.command = result.command;
  return header;
}

std::vector<std::string> write_files(
    const std::filesystem::path& folder,
    const std::vector<std::pair<const char*, std::string>>& files) {
  std::vector<std::string> errors;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (const common::BadInput& error) {
      errors.push_back(common::unmarked_text(error));
    }
  };
  attempt([&] { common::ensure_directory(folder); });
  if (!errors.empty()) return errors;
  for (const auto& file : files) {
    attempt([&] { common::write_file_atomically(folder / file.first, file.second); });
  }
  return errors;
}

std::vector<std::string> write_reports(const std::filesystem::path& folder,
                                       const RegressionResult& result,
                                       const CoverageSummary& coverage) {
  return write_files(folder, {{"report.json", common::render_report(envelope(result, coverage))},
                              {"report.html", html_report(result, coverage)},
                              {"junit.xml", junit_report(result)},
                              {"summary.txt", text_report(result, coverage, Colour::Off)}});
}

}  // namespace kernbench::sim
