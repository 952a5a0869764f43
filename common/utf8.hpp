// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kernbench::common {

/// Returns the length in bytes of the well-formed UTF-8 character at the front of `text`. Returns 0
/// for an overlong form, a surrogate, a lone continuation byte or an empty text.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// Returns true if the well-formed character at the front of `text` is a control character (C0, DEL
/// or C1), which a terminal may execute instead of showing.
[[nodiscard]] bool is_control(std::string_view text);

/// Returns true if any character of the text is_control().
[[nodiscard]] bool has_control(std::string_view text);

/// Returns `text` on one line and safe to print. Invalid UTF-8 and control characters become \xNN
/// (\n, \r and \t where they apply). Text beyond about `max_bytes` is replaced by "...".
[[nodiscard]] std::string printable(std::string_view text, std::size_t max_bytes);

/// Returns `text` safe to print on several lines: as printable(), but newlines and tabs are kept
/// and nothing is cut off.
[[nodiscard]] std::string without_controls(std::string_view text);

/// Returns user text in single quotes, printable and shortened to about 40 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace kernbench::common
