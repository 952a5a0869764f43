// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// Names that the sources define twice, as Verilator reports them.
struct BuildFindings {
  std::vector<std::string> errors;  ///< modules, interfaces and packages with different texts
  std::vector<std::string> notes;   ///< equal texts; redefined macros
};

/// Reads a log of Verilator, whose files have the names of a build. A log that does not exist has
/// no findings.
[[nodiscard]] BuildFindings findings_in(const std::string& log, const SourceNames& names = {});

/// Returns what is to be said about a model that has been built into `folder`: the notes in its
/// log, and the files that it reads at run time.
[[nodiscard]] std::vector<std::string> build_notes(const std::filesystem::path& folder);

/// Throws common::BadInput with the errors in a log of Verilator, if there are any. `what` is what
/// was built.
void require_one_definition(const std::string& log, const std::string& what,
                            const SourceNames& names = {});

/// Returns, for a log of RTL with an assertion that Verilator cannot read, what leaves it out, else
/// nothing. An assertion between `` `ifndef NAME `` and `` `endif `` names that macro.
[[nodiscard]] std::string assertion_hint(const std::string& log);

}  // namespace kernbench::sim
