// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "tests/places.hpp"

namespace places {

/// Returns the rows, which begin with "| `", of the table between the marks "BEGIN: NAME" and "END"
/// of a page of docs/.
inline std::vector<std::string> stated_rows(const std::string& page, const std::string& name) {
  const std::string text = kernbench::common::read_text_file(source("/docs/" + page));
  const std::string begin = fmt::format("<!-- BEGIN: {} -->\n", name);
  const std::size_t end = text.find(fmt::format("<!-- END: {} -->", name));
  std::vector<std::string> rows;
  for (std::size_t at = text.find(begin); at < end;) {
    const std::size_t next = text.find('\n', at) + 1;
    if (text.compare(at, 3, "| `") == 0) rows.push_back(text.substr(at, next - 1 - at));
    at = next;
  }
  return rows;
}

/// Returns how far an estimate is off, such as "-4.2 %".
inline std::string percent_off(double estimate, double exact) {
  const std::string text = fmt::format("{:+.1f} %", (estimate / exact - 1.0) * 100.0);
  return text == "-0.0 %" ? "+0.0 %" : text;
}

}  // namespace places
