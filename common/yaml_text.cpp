// SPDX-License-Identifier: Apache-2.0
#include "common/yaml_text.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "common/utf8.hpp"
#include "common/yaml_reader.hpp"

namespace kernbench::common {
namespace {

constexpr std::string_view kSaveAsUtf8 = "save the file as UTF-8 without a byte order mark";

[[noreturn]] void refuse(SourcePosition position, std::string message, std::string_view hint,
                         Diagnostics& diagnostics) {
  diagnostics.error(std::move(position), std::move(message), std::string(hint));
  throw BadInput(diagnostics);
}

void check_characters(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  unsigned line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const auto here = [&] {
      return SourcePosition{file, line, static_cast<unsigned>(i - line_start + 1)};
    };
    const std::size_t length = utf8_length(rest);
    if (rest.front() == '\0') {
      refuse(here(), "not a text file: it contains zero bytes", {}, diagnostics);
    }
    if (length == 0) {
      refuse(here(), fmt::format("not UTF-8: byte {}", printable(rest.substr(0, 1), 4)),
             kSaveAsUtf8, diagnostics);
    }
    if (rest.front() == '\n') {
      ++line;
      line_start = i + 1;
    } else if (is_control(rest) && rest.front() != '\t' && !rest.starts_with("\r\n")) {
      refuse(here(), fmt::format("a control character, {}", printable(rest.substr(0, length), 8)),
             rest.front() == '\r' ? "end lines with \\n or \\r\\n" : "remove it", diagnostics);
    }
    i += length;
  }
}

}  // namespace

std::string_view checked_yaml_text(std::string_view text, const std::string& file,
                                   Diagnostics& diagnostics) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.size() > kMaxYamlBytes) {
    refuse({file}, fmt::format("the file has more than {} bytes", kMaxYamlBytes),
           "check that it is a YAML file", diagnostics);
  }
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    refuse({file, 1, 1}, "the file is UTF-16", kSaveAsUtf8, diagnostics);
  }
  const bool marked = text.starts_with(kByteOrderMark);
  if (marked) text.remove_prefix(kByteOrderMark.size());
  diagnostics.add_source(file, text);
  if (marked) diagnostics.error({file, 1, 1}, "a byte order mark", std::string(kSaveAsUtf8));
  check_characters(text, file, diagnostics);
  return text;
}

}  // namespace kernbench::common
