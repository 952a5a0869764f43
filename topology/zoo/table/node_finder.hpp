// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// Finds the nodes of a topology by what its exports call them: their names, or their numbers if
/// they have none.
class NodeFinder {
 public:
  explicit NodeFinder(const BaseTopology& topology);

  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
  /// Returns what a node can be, for messages: "an integer from 0 to 11", "a node such as 'R0'".
  [[nodiscard]] std::string expected() const;

 private:
  const BaseTopology& topology_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  ///< by name
};

}  // namespace kernbench::topology::zoo
