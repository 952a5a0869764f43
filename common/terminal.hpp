// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kernbench::common {

enum class Colour { Off, On };

/// Returns true when file descriptor `fd` is a terminal that can rewrite a line: it is a tty and
/// TERM is not "dumb".
[[nodiscard]] bool is_terminal(int fd);

/// Returns On when is_terminal(fd), unless NO_COLOR is set and not empty.
[[nodiscard]] Colour colour_for(int fd);

/// Returns `text` in bold, for a title or the header of a table. Unchanged if `colour` is Off.
[[nodiscard]] std::string bold(std::string_view text, Colour colour);

/// Returns `text` in green, for something that passed. Unchanged if `colour` is Off.
[[nodiscard]] std::string green(std::string_view text, Colour colour);

/// Returns `text` in bold red, for a failure. Unchanged if `colour` is Off.
[[nodiscard]] std::string red(std::string_view text, Colour colour);

}  // namespace kernbench::common
