// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

/// A number of a spec, multiplied.
struct SpecChange {
  std::string text;  ///< as the user wrote it
  std::string key;   ///< full name, such as "cube.memory_map.hbm_total_bw_gbs"
  double factor = 1.0;
};

/// Parses a list such as "pe.clock_ghz*2,cube.router.attrs.overhead_ns/2". Throws
/// std::invalid_argument with a line for each part that is not a key, `*` or `/`, and a number
/// above 0.
[[nodiscard]] std::vector<SpecChange> parse_spec_changes(std::string_view text);

/// Returns the spec with its numbers changed. Throws std::invalid_argument with a line for each key
/// that is unknown or not a number, each number out of its range, and each fraction of an integer,
/// and common::BadInput for numbers that do not go together.
[[nodiscard]] TopologySpec changed_spec(const TopologySpec& spec,
                                        const std::vector<SpecChange>& changes);

/// Returns whether a change makes parts faster or slower and leaves all else as it is. The unit in
/// the name of the key tells.
[[nodiscard]] bool changes_speed(const SpecChange& change);

}  // namespace kernbench::topology
