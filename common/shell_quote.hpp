// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernbench::common {

/// Returns `argument` as one word of a POSIX shell command. The text is left unquoted if the shell
/// takes it literally, and is put in single quotes otherwise, or, if it is not UTF-8, written in
/// ASCII as the output of printf.
[[nodiscard]] std::string shell_quote(std::string_view argument);

/// Returns the words of a line that shell_quote() has quoted. Throws std::invalid_argument for one
/// that a shell would change: an expansion, or a quote without an end.
[[nodiscard]] std::vector<std::string> shell_words(std::string_view line);

}  // namespace kernbench::common
