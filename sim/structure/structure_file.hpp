// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plot/report_kind.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/regression/case_result.hpp"
#include "sim/structure/structure_check.hpp"

namespace kernbench::sim::structure {

/// Version of the rules. Results of another version are not used.
inline constexpr unsigned kRulesVersion = 7;

/// The report of a check, structure.json, whose data are a CheckResult.
extern const plot::ReportKind kStructureReport;

/// Returns the path of the dump in the folder of a model or a design, of XML unless there is none.
[[nodiscard]] std::string dump_path(const std::string& folder);
/// Returns the folder of a model if it has a dump, else an empty text.
[[nodiscard]] std::string folder_with_dump(const std::string& model);

/// Outcome of the structure check of a built model.
struct ModelStructure {
  std::optional<CheckResult> result;  ///< absent when the model was not checked
  std::string why_not;                ///< the reason then, in one line
};

/// Returns the result of the check of the model in the library `path`. The result is kept as
/// structure.json beside the library, under the hash of the model. When it is not there, the dump
/// that Makefile.verilator left beside the library is checked, provided that it is the dump of the
/// same build.
[[nodiscard]] ModelStructure structure_of_model(const std::string& path, const DutInfo& info);

/// Checks the dump at this path. Throws common::BadInput when it cannot be read.
using CheckDump = std::function<CheckResult(const std::string& path)>;

/// Returns the result of the check of the design whose dump is in `folder`, as of a model there
/// with the hash `build_hash`.
[[nodiscard]] ModelStructure structure_of_design(const std::string& folder,
                                                 const std::string& build_hash,
                                                 const CheckDump& check);

/// Returns the result of check_structure() of such a design or, with `network`, of
/// check_network_structure().
[[nodiscard]] ModelStructure structure_of_design(const std::string& folder,
                                                 const maze::Shape& shape,
                                                 const std::string& build_hash,
                                                 bool network = false);

/// Returns the check as a case of a regression, which fails when there are findings or when the
/// model was not checked. For the shipped RTL the notes are findings.
[[nodiscard]] CaseResult structure_case(const ModelStructure& structure, bool shipped);

}  // namespace kernbench::sim::structure
