// SPDX-License-Identifier: Apache-2.0
#include "common/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace kernbench::common {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string painted(std::string_view code, std::string_view text, Colour colour) {
  if (colour == Colour::Off) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace

bool is_terminal(int fd) {
  return isatty(fd) != 0 && environment("TERM") != "dumb";
}

Colour colour_for(int fd) {
  return is_terminal(fd) && environment("NO_COLOR").empty() ? Colour::On : Colour::Off;
}

std::string bold(std::string_view text, Colour colour) {
  return painted("1", text, colour);
}

std::string green(std::string_view text, Colour colour) {
  return painted("32", text, colour);
}

std::string red(std::string_view text, Colour colour) {
  return painted("1;31", text, colour);
}

}  // namespace kernbench::common
