// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kernbench::sim {

/// Returns arguments as Verilator reads them from a file, one on a line.
[[nodiscard]] std::string argument_file(const std::vector<std::string>& words);

/// Returns the lines of a log that describe the error: those of Verilator and the compiler, or else
/// those of make.
[[nodiscard]] std::string errors_in(const std::string& log);

/// Returns the modules and interfaces that a build did not find, in one line: "module 'IRS_N' (used
/// at topo.sv:34:9)".
[[nodiscard]] std::string missing_in(const std::string& log);

/// Returns the files of named folders that the compiler has read, by the rule that it wrote for
/// make.
[[nodiscard]] std::vector<std::string> headers_in(const std::string& rule);

}  // namespace kernbench::sim
