// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "common/outcome.hpp"

namespace kernbench::cli {

/// Makes a crash of a kernel end the process with exit code 1 and a message that names the kernel,
/// and any other crash with 5. For commands that run kernels; call it before any other thread runs.
void report_kernel_crashes();

/// Calls `work`, which runs benches, and returns its outcome. An error of
/// model::bench::run_bench() is printed to stderr and becomes its outcome; the message of a failed
/// run is preceded by `prefix`.
[[nodiscard]] common::Outcome outcome_of_benches(std::string_view prefix,
                                                 const std::function<common::Outcome()>& work);

/// Prints `what` to stderr and ends the process with the exit code of a timeout. The stack cannot
/// be unwound, because the kernel that exceeded the limit still occupies the thread.
[[noreturn]] void end_by_host_timeout(const std::string& what);

}  // namespace kernbench::cli
