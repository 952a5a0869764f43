// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/report/text_report.hpp"

namespace kernbench::sim {

/// Returns true when file descriptor `fd` is a terminal that can rewrite a line: it is a tty and
/// TERM is not "dumb".
[[nodiscard]] bool is_terminal(int fd);

/// Returns On when is_terminal(fd), unless NO_COLOR is set and not empty.
[[nodiscard]] Colour colour_for(int fd);

}  // namespace kernbench::sim
