// SPDX-License-Identifier: Apache-2.0
#include "common/text_lines.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "common/terminal.hpp"

namespace kernbench::common {
namespace {

constexpr std::size_t kPipeColumns = 100;
constexpr std::size_t kFewestColumns = 40;

}  // namespace

std::size_t character_count(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::vector<std::string> words_of_text(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

std::size_t text_columns() {
  winsize size{};
  if (!is_terminal(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0) {
    return kPipeColumns;
  }
  return std::max<std::size_t>(size.ws_col, kFewestColumns);
}

std::string wrapped(const std::string& text, std::size_t indent) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  const std::string body = wrapped_from(std::string(indent, ' '), text.substr(first));
  return text.substr(0, first) + body.substr(std::min(indent, body.size()));
}

std::string wrapped_from(const std::string& start, const std::string& text) {
  const std::size_t indent = character_count(start);
  const std::size_t room = text_columns();
  std::string out = start;
  std::size_t used = indent;
  bool begins_line = true;
  for (const std::string& word : words_of_text(text)) {
    if (!begins_line && used + 1 + character_count(word) > room) {
      out += "\n" + std::string(indent, ' ');
      used = indent;
      begins_line = true;
    }
    out += (begins_line ? "" : " ") + word;
    used += character_count(word) + (begins_line ? 0 : 1);
    begins_line = false;
  }
  return out;
}

std::string with_thousands(std::string number) {
  const std::size_t first = number.starts_with('-') ? 1 : 0;
  for (std::size_t at = std::min(number.find('.'), number.size()); at > first + 3;) {
    at -= 3;
    number.insert(at, 1, ',');
  }
  return number;
}

std::string grouped(std::uint64_t count) {
  return with_thousands(fmt::to_string(count));
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string fixed_text(double value, int decimals) {
  return with_thousands(fmt::format("{:.{}f}", value, decimals));
}

}  // namespace kernbench::common
