// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "common/report_envelope.hpp"
#include "sim/debug/diagnosis.hpp"
#include "sim/debug/failure_data.hpp"
#include "sim/regression/case_result.hpp"

namespace kernbench::sim {

/// All that the folder of a failure is written from.
struct FailureReport {
  const Diagnosis& diagnosis;
  const CaseResult& result;
  std::string title;               ///< design and size: "TOPO 8x8", or "Mesh2D(4,3)"
  std::string dut;                 ///< "TOPO", "MAZE network" or "NOC"
  std::string model_hash;          ///< hash of the model on which it failed
  std::vector<std::string> words;  ///< command that runs the case again, word by word
  std::string folder;              ///< path of the folder, as commands name it
  std::string suite_command;       ///< command that runs kSuiteFile in that folder; may be empty
};

/// Returns the page of a failure from its report, failure.json: one file that loads nothing. Throws
/// common::BadInput, which names `file`, for data of another form.
[[nodiscard]] std::string failure_page(const common::ReportEnvelope& report,
                                       const std::string& file = "failure.json");

/// The names of the files that write_failure() may write.
inline constexpr const char* kSuiteFile = "suite.yaml";
inline constexpr std::array<const char*, 7> kFailureFiles = {
    "failure.html", "failure.json", "window.vcd", "window.gtkw",
    "pins.json",    "bench.sv",     kSuiteFile};

/// Writes the folder of a failure: failure.html, failure.json, window.vcd with window.gtkw and, of
/// a case that was shrunk, pins.json, bench.sv and suite.yaml. Returns a message for each file that
/// could not be written.
[[nodiscard]] std::vector<std::string> write_failure(const FailureReport& report,
                                                     common::ReportEnvelope envelope);

}  // namespace kernbench::sim
