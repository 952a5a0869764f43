#include "cli/whole_number.hpp"

#include <fmt/format.h>

#include <string>

#include "common/numbers.hpp"

namespace kernbench::cli {

CLI::Validator whole_number(std::uint64_t min, std::uint64_t max) {
  return {[=](const std::string& text) {
            const auto value = common::parse_u64(text);
            if (value && *value >= min && *value <= max) return std::string();
            return fmt::format("must be an integer from {} to {}, not '{}'", min, max, text);
          },
          max == std::numeric_limits<std::uint64_t>::max() ? std::string()
                                                           : fmt::format("[{} - {}]", min, max)};
}

}  // namespace kernbench::cli
