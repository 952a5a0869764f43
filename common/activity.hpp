// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kernbench::common {

/// Makes report_activity() print to stderr, for --verbose. Call before any other thread runs.
void show_activity();

/// Returns true after show_activity().
[[nodiscard]] bool activity_is_shown();

/// Prints one line about what the program does, such as "read configs/topology.yaml", after
/// show_activity(); otherwise does nothing. Thread-safe.
void report_activity(std::string_view text);

}  // namespace kernbench::common
