// SPDX-License-Identifier: Apache-2.0
#include "cli/base/report_files.hpp"

#include "common/atomic_file.hpp"

namespace kernbench::cli {

void ReportFiles::write(const plot::ReportKind& kind, const common::ReportEnvelope& report) const {
  if (!json.empty()) common::write_report(json, report);
  if (!html.empty()) common::write_file_atomically(html, plot::page_of(kind, report));
}

void add_report_files(Command& command, ReportFiles& files) {
  command.add_option("--json", files.json, "Write the results to this file (JSON)")
      .check(output_file());
  command
      .add_option("--html", files.html,
                  "Write a page with the results to this file, readable without the program")
      .check(output_file());
}

}  // namespace kernbench::cli
