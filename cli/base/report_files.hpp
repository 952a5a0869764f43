// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/line/command.hpp"
#include "common/report_envelope.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::cli {

/// The files of a report that a command was asked for; empty names for none.
struct ReportFiles {
  std::string json;
  std::string html;

  [[nodiscard]] bool any() const { return !json.empty() || !html.empty(); }
  /// Writes the report of this kind, whose data are set.
  void write(const plot::ReportKind& kind, const common::ReportEnvelope& report) const;
};

/// Adds --json and --html.
void add_report_files(Command& command, ReportFiles& files);

}  // namespace kernbench::cli
