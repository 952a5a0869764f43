// SPDX-License-Identifier: Apache-2.0
#include "cli/web/http_message.hpp"

#include <charconv>

namespace kernbench::cli::web {
namespace {

/// Decodes "%41" to "A" and, in a query, "+" to a blank. Keeps invalid escapes as they are.
std::string decoded(std::string_view text, bool in_query) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      unsigned char byte = 0;
      const char* const end = text.data() + i + 3;
      if (std::from_chars(end - 2, end, byte, 16).ptr == end) {
        out += static_cast<char>(byte);
        i += 2;
        continue;
      }
    }
    out += in_query && text[i] == '+' ? ' ' : text[i];
  }
  return out;
}

}  // namespace

void HttpRequest::set_target(std::string_view target) {
  const std::size_t mark = target.find('?');
  path = decoded(target.substr(0, mark), false);
  parameters.clear();
  std::string_view query = mark == std::string_view::npos ? "" : target.substr(mark + 1);
  while (!query.empty()) {
    const std::string_view item = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(item.size() + 1, query.size()));
    const std::size_t equals = item.find('=');
    parameters.emplace_back(
        decoded(item.substr(0, equals), true),
        equals == std::string_view::npos ? "" : decoded(item.substr(equals + 1), true));
  }
}

}  // namespace kernbench::cli::web
