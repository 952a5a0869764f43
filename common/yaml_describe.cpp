// SPDX-License-Identifier: Apache-2.0
#include "common/yaml_describe.hpp"

#include <fmt/format.h>

#include <limits>

#include "common/utf8.hpp"

namespace kernbench::common {

std::string describe_value(const YamlTree& tree) {
  switch (tree.kind) {
    case YamlTree::Kind::Plain:
    case YamlTree::Kind::Quoted:
      return in_quotes(tree.text);
    case YamlTree::Kind::List:
      return "a list";
    case YamlTree::Kind::Map:
      return "a map";
    case YamlTree::Kind::Null:
    case YamlTree::Kind::Refused:
      break;
  }
  return "nothing";
}

std::string describe(const NumberRange& range) {
  const bool bounded_below = range.min != std::numeric_limits<double>::lowest();
  const bool bounded_above = range.max != std::numeric_limits<double>::max();
  if (bounded_below && bounded_above) {
    return range.exclude_min ? fmt::format("a number above {} and at most {}", range.min, range.max)
                             : fmt::format("a number from {} to {}", range.min, range.max);
  }
  if (bounded_below) {
    return fmt::format("a number {} {}", range.exclude_min ? "above" : "of at least", range.min);
  }
  if (bounded_above) return fmt::format("a number of at most {}", range.max);
  return "a number";
}

std::string describe_list(const Range<std::size_t>& length) {
  const bool bounded_above = length.max != std::numeric_limits<std::size_t>::max();
  if (length.min == length.max) return fmt::format("a list of {} items", length.min);
  if (bounded_above) return fmt::format("a list of {} to {} items", length.min, length.max);
  if (length.min > 0) {
    return fmt::format("a list of at least {} item{}", length.min, length.min == 1 ? "" : "s");
  }
  return "a list";
}

std::string describe_names(std::span<const std::string_view> names) {
  return fmt::format("one of {}", fmt::join(names, ", "));
}

}  // namespace kernbench::common
