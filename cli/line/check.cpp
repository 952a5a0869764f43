// SPDX-License-Identifier: Apache-2.0
#include "cli/line/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/numbers.hpp"
#include "common/text_distance.hpp"

namespace kernbench::cli {

Check whole_number(std::uint64_t min, std::uint64_t max) {
  return {.problem =
              [=](const std::string& text) {
                const auto value = common::parse_u64(text);
                if (value && *value >= min && *value <= max) return std::string();
                return fmt::format("must be an integer from {} to {}, not '{}'", min, max, text);
              },
          .range = max == std::numeric_limits<std::uint64_t>::max()
                       ? std::string()
                       : fmt::format("{} - {}", min, max)};
}

Check one_of(const std::vector<std::string_view>& names) {
  return {.problem =
              [names](const std::string& text) {
                if (std::find(names.begin(), names.end(), text) != names.end()) {
                  return std::string();
                }
                return fmt::format("'{}' is not one of {}{}", text, fmt::join(names, ", "),
                                   common::did_you_mean(text, names));
              },
          .choices = {names.begin(), names.end()}};
}

Check real_number(double min, double max) {
  return {.problem =
              [=](const std::string& text) {
                const auto value = common::parse_double(text);
                if (value && *value >= min && *value <= max) return std::string();
                return fmt::format("must be a number from {:g} to {:g}, not '{}'", min, max, text);
              },
          .range = fmt::format("{:g} - {:g}", min, max)};
}

Check not_empty(const char* what) {
  return {.problem = [what](const std::string& text) {
    return text.empty() ? fmt::format("the {} is empty", what) : std::string();
  }};
}

}  // namespace kernbench::cli
