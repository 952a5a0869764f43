#include "sim/report/markup.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace kernbench::sim {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// The JSON library's decoder already replaces what is no UTF-8.
std::string valid_utf8(std::string_view text) {
  using Json = nlohmann::json;
  const std::string dumped = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(dumped).get<std::string>();
}

/// U+FFFE and U+FFFF are UTF-8 but no XML characters; both start with these two bytes.
bool is_noncharacter(std::string_view text, std::size_t at) {
  const std::string_view sequence = text.substr(at, 3);
  return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
}

}  // namespace

std::string escape_markup(std::string_view raw) {
  const std::string text = valid_utf8(raw);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\t':  // as references they survive in attributes, where blanks would be normalised
      case '\n':
      case '\r':
        out += fmt::format("&#{};", static_cast<int>(c));
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += kReplacement;
        } else if (is_noncharacter(text, i)) {
          out += kReplacement;
          i += 2;
        } else {
          out += c;
        }
    }
  }
  return out;
}

std::string path_to_href(std::string_view path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string out;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace kernbench::sim
