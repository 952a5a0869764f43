// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/build/conditionals.hpp"
#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// A conditional and the name that its file has in a build.
struct PlacedConditional {
  std::string file;
  Conditional conditional;
};

/// The design as another tool sees it, in the folder of a dump: `stem`.xml or `stem`.tree.json.
struct OtherDump {
  std::string stem;                    ///< "other0"
  std::string tool;                    ///< ToolMacros::tool
  std::vector<std::string> undefined;  ///< macros of the RTL that Verilator defines and it does not
  std::vector<std::string> defined;    ///< and the other way round
  std::string failure;  ///< why Verilator cannot elaborate it, in one line; empty if it can
};

/// The record in the folder of a dump about conditionals of the RTL on tools.
struct OtherTools {
  std::vector<PlacedConditional> conditionals;
  std::vector<OtherDump> dumps;
};

/// Finds the conditionals of those files that are RTL, not bench.
[[nodiscard]] std::vector<PlacedConditional> conditionals_of(const std::vector<std::string>& files,
                                                             const SourceNames& names);

/// Returns the elaborations that these conditionals ask for besides the one with what Verilator and
/// the arguments (-DNAME) define: one for each set of the macros that some tool defines.
[[nodiscard]] std::vector<OtherDump> other_dumps(const std::vector<PlacedConditional>& conditionals,
                                                 const std::vector<std::string>& arguments);

/// Writes the file `other_tools` into the folder of a dump.
void write_other_tools(const std::filesystem::path& folder, const OtherTools& others);
/// Reads it. Throws common::BadInput if it is missing or damaged: then nothing is known.
[[nodiscard]] OtherTools read_other_tools(const std::filesystem::path& folder);

}  // namespace kernbench::sim
