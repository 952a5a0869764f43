#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernbench::cli {

/// A number from 0 to 1. Throws common::BadInput that says `what` must be one.
[[nodiscard]] double parse_share(std::string_view what, const std::string& text);

/// Numbers from 0 to 1, separated by commas, for option `option`. Throws common::BadInput.
[[nodiscard]] std::vector<double> parse_shares(std::string_view option, std::string_view text);

}  // namespace kernbench::cli
