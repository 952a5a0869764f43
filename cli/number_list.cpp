#include "cli/number_list.hpp"

#include <fmt/format.h>

#include "common/diagnostics.hpp"
#include "common/numbers.hpp"

namespace kernbench::cli {

double parse_share(std::string_view what, const std::string& text) {
  const auto value = common::parse_double(text);
  if (value && *value >= 0.0 && *value <= 1.0) return *value;
  throw common::BadInput(fmt::format("{} must be a number from 0 to 1, not '{}'", what, text));
}

std::vector<double> parse_shares(std::string_view option, std::string_view text) {
  std::vector<double> shares;
  for (;;) {
    const std::size_t comma = text.find(',');
    shares.push_back(
        parse_share(fmt::format("each of {}", option), std::string(text.substr(0, comma))));
    if (comma == std::string_view::npos) return shares;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace kernbench::cli
