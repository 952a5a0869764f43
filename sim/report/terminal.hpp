#pragma once

#include "sim/report/text_report.hpp"

namespace kernbench::sim {

/// Whether file descriptor `fd` is a terminal on which a line can be rewritten: a tty, and TERM is
/// not "dumb".
[[nodiscard]] bool is_terminal(int fd);

/// Colour for `fd`: on such a terminal, unless NO_COLOR is set and not empty.
[[nodiscard]] Colour colour_for(int fd);

}  // namespace kernbench::sim
