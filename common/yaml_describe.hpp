// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/yaml_reader.hpp"
#include "common/yaml_tree.hpp"

namespace kernbench::common {

// The parts of error messages such as "'cycles' must be <expected>, not <value>".

/// Describes a value of the file: "'12abc'", "a list", "a map", "nothing".
[[nodiscard]] std::string describe_value(const YamlTree& tree);

[[nodiscard]] std::string describe(const NumberRange& range);
[[nodiscard]] std::string describe_list(const Range<std::size_t>& length);
[[nodiscard]] std::string describe_names(std::span<const std::string_view> names);
template <typename T>
[[nodiscard]] std::string describe(const Range<T>& range) {
  if (range.min == range.max) return std::to_string(range.min);
  return "an integer from " + std::to_string(range.min) + " to " + std::to_string(range.max);
}

}  // namespace kernbench::common
