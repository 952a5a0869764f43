#include "sim/report/report_writer.hpp"

#include "common/atomic_file.hpp"
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

void write_reports(const std::filesystem::path& folder, const RegressionResult& result,
                   const CoverageSummary& coverage) {
  common::ensure_directory(folder);
  common::AtomicFile json(folder / "report.json");
  common::AtomicFile html(folder / "report.html");
  common::AtomicFile junit(folder / "junit.xml");
  common::AtomicFile text(folder / "summary.txt");
  json.stream() << common::render_report(envelope(result, coverage));
  html.stream() << html_report(result, coverage);
  junit.stream() << junit_report(result);
  text.stream() << text_report(result, coverage, Colour::Off);
  for (common::AtomicFile* file : {&json, &html, &junit, &text}) file->commit();
}

}  // namespace kernbench::sim
