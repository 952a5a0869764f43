// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/enum_names.hpp"
#include "common/yaml_reader.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

/// Visitor of the description of `topology.yaml` (spec_description.hpp). It receives every key in
/// file order, with its place in the struct, its allowed values and its meaning. A value that the
/// visitor leaves alone keeps its default.
class SpecVisitor {
 public:
  virtual ~SpecVisitor() = default;

  /// Enters the map under `key`; end_section() leaves it.
  virtual void begin_section(std::string_view key, std::string_view meaning) = 0;
  virtual void end_section() = 0;

  virtual void integer(std::string_view key, std::uint32_t& value,
                       common::Range<std::uint32_t> range, std::string_view meaning) = 0;
  /// A whole number, or `none`.
  virtual void optional_integer(std::string_view key, std::optional<std::uint32_t>& value,
                                common::Range<std::uint32_t> range, std::string_view meaning) = 0;
  virtual void number(std::string_view key, double& value, common::NumberRange range,
                      std::string_view meaning) = 0;
  /// A name chosen by the user: a lower-case letter, then lower-case letters, digits and '_'.
  virtual void identifier(std::string_view key, std::string& value, std::string_view meaning) = 0;
  /// A list of x and y in mm, each within `range`.
  virtual void position(std::string_view key, PositionMm& value, common::NumberRange range,
                        std::string_view meaning) = 0;
  /// One of `names`, as an index.
  virtual void name(std::string_view key, std::size_t& value,
                    std::span<const std::string_view> names, std::string_view meaning) = 0;
  /// A list of different `names`, as indices.
  virtual void names(std::string_view key, std::vector<std::size_t>& values,
                     std::span<const std::string_view> names, std::size_t min_length,
                     std::string_view meaning) = 0;
  /// A list of maps, each with the keys of an IO chiplet.
  virtual void io_chiplets(std::string_view key, std::vector<IoChipletSpec>& chiplets,
                           common::Range<std::size_t> length, std::string_view meaning) = 0;

  /// Calls name() for an enumeration, with its table of names.
  template <typename E, std::size_t N>
  void enumeration(std::string_view key, E& value, const std::array<common::EnumName<E>, N>& table,
                   std::string_view meaning) {
    std::size_t index = common::row_of(table, value);
    name(key, index, common::names_of(table), meaning);
    value = table[index].second;
  }
  /// Calls names() for an enumeration, with its table of names.
  template <typename E, std::size_t N>
  void enumerations(std::string_view key, std::vector<E>& values,
                    const std::array<common::EnumName<E>, N>& table, std::size_t min_length,
                    std::string_view meaning) {
    std::vector<std::size_t> indices;
    indices.reserve(values.size());
    for (const E value : values) indices.push_back(common::row_of(table, value));
    names(key, indices, common::names_of(table), min_length, meaning);
    values.clear();
    for (const std::size_t index : indices) values.push_back(table[index].second);
  }
};

}  // namespace kernbench::topology
