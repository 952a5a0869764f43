#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kernbench::common {

/// Bytes of the well-formed UTF-8 character at the front of `text`; 0 if there is none (an overlong
/// form, a surrogate, a lone continuation byte, the end).
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// Whether the well-formed character at the front of `text` is a control character (C0, DEL, C1):
/// a terminal may act on it instead of showing it.
[[nodiscard]] bool is_control(std::string_view text);

/// `text` on one line and safe to print: what is no UTF-8 and every control character become \xNN
/// (line breaks \n, tabs \t), and after about `max_bytes` "..." stands for the rest.
[[nodiscard]] std::string printable(std::string_view text, std::size_t max_bytes);

/// A text of the user's in quotes, safe to print and cut off where it is long.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace kernbench::common
