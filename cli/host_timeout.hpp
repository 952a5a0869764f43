#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

namespace kernbench::cli {

/// `--timeout-s` of a command that simulates benches, into `seconds`.
void add_host_timeout_option(CLI::App& command, double& seconds);

[[nodiscard]] std::chrono::milliseconds host_time_limit(double seconds);

/// Says what was running and ends the process with exit code 3. A kernel that loops has its thread:
/// nothing can be unwound.
[[noreturn]] void end_by_host_timeout(const std::string& what);

}  // namespace kernbench::cli
