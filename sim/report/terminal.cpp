// SPDX-License-Identifier: Apache-2.0
#include "sim/report/terminal.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace kernbench::sim {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool is_terminal(int fd) {
  return isatty(fd) != 0 && environment("TERM") != "dumb";
}

Colour colour_for(int fd) {
  return is_terminal(fd) && environment("NO_COLOR").empty() ? Colour::On : Colour::Off;
}

}  // namespace kernbench::sim
