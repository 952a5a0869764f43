// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/rtl/sim_options.hpp"
#include "common/outcome.hpp"
#include "sim/dut/dut_library.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/structure/structure_file.hpp"

namespace kernbench::cli {

/// Checks the structure of the model, and shows its findings before the run unless they are `shown`
/// already, because they explain what fails there. Returns nothing with --no-structure.
[[nodiscard]] std::optional<sim::CaseResult> check_structure(const sim::DutLibrary& library,
                                                             const SimOptions& options, bool shown);

/// Prints the findings of a structure check, and the notes of RTL that is not `shipped`. Returns
/// the check as a case.
sim::CaseResult show_structure(const sim::structure::ModelStructure& structure, bool shipped);

/// Prints the findings of a structure check and a verdict on the design of this name.
common::Outcome show_verdict(const std::string& design,
                             const sim::structure::ModelStructure& structure, bool shipped);

/// Adds the structure check as the last case, or the note that it was left out.
void add_structure(sim::RegressionResult& result, std::optional<sim::CaseResult> checked);

/// Elaborates the fabric of the options and checks its structure, without a simulation. Prints the
/// findings and a verdict. `root` contains Makefile.verilator.
[[nodiscard]] common::Outcome check_structure_only(const SimOptions& options,
                                                   const std::string& root);

/// Prints a note for each name that the sources of a model define twice with the same text, and for
/// each macro that they redefine.
void print_build_notes(const std::string& model);

}  // namespace kernbench::cli
