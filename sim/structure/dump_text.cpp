// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/dump_text.hpp"

#include <cstddef>
#include <string_view>

#include "common/numbers.hpp"
#include "common/utf8.hpp"

namespace kernbench::sim::structure {
namespace {

bool is_allowed_control(std::uint64_t code) {
  return code == '\t' || code == '\n' || code == '\r';
}

/// Returns the length of a reference at the front of `text` to a character that XML does not allow,
/// else 0.
std::size_t refused_reference(std::string_view text) {
  constexpr std::string_view kBegin = "&#";
  constexpr std::size_t kLongest = 10;
  if (!text.starts_with(kBegin)) return 0;
  const std::size_t end = text.substr(0, kLongest).find(';');
  if (end == std::string_view::npos) return 0;
  const auto code = common::parse_u64(std::string(text.substr(kBegin.size(), end - kBegin.size())));
  const bool is_allowed = !code || (*code >= 0x20 && (*code < 0xd800 || *code > 0xdfff) &&
                                    *code != 0xfffe && *code != 0xffff && *code <= 0x10ffff);
  return is_allowed || is_allowed_control(*code) ? 0 : end + 1;
}

}  // namespace

std::string allowed_text(std::string text) {
  std::string allowed;
  allowed.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const auto byte = static_cast<unsigned char>(rest.front());
    if (byte < 0x80 && byte != '&') {
      allowed += byte >= 0x20 || is_allowed_control(byte) ? rest.front() : '?';
      ++at;
    } else if (const std::size_t reference = refused_reference(rest); reference != 0) {
      allowed += '?';
      at += reference;
    } else {
      const std::size_t length = common::utf8_length(rest);
      const std::string_view character = rest.substr(0, length);
      const bool is_allowed =
          length != 0 && character != "\xef\xbf\xbe" && character != "\xef\xbf\xbf";
      allowed += is_allowed ? character : std::string_view("?");
      at += length == 0 ? 1 : length;
    }
  }
  return allowed;
}

}  // namespace kernbench::sim::structure
