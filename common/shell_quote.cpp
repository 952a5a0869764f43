// SPDX-License-Identifier: Apache-2.0
#include "common/shell_quote.hpp"

namespace kernbench::common {

std::string shell_quote(std::string_view argument) {
  constexpr std::string_view kLiteral =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
  if (!argument.empty() && argument.find_first_not_of(kLiteral) == std::string_view::npos) {
    return std::string(argument);
  }
  std::string quoted = "'";
  for (const char c : argument) {
    if (c == '\'') {
      quoted += "'\\''";  // a single-quoted text cannot contain a single quote
    } else {
      quoted += c;
    }
  }
  return quoted + '\'';
}

}  // namespace kernbench::common
