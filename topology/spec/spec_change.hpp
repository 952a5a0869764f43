// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
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

/// Returns the text that parse_spec_changes() reads: these keys, all with one factor.
[[nodiscard]] std::string change_text(const std::vector<std::string>& keys, double factor);

/// Returns the spec with its numbers changed. Throws std::invalid_argument with a line for each key
/// that is unknown or not a number, each number out of its range, each fraction of an integer, and
/// each rule between numbers that is broken.
[[nodiscard]] TopologySpec changed_spec(const TopologySpec& spec,
                                        const std::vector<SpecChange>& changes);

/// A number of a spec, or what stands in its place.
struct SpecNumber {
  std::string key;
  std::optional<double> value;  ///< none for a list and for a text in place of a number
};

/// Returns the numbers whose keys tell a bandwidth, time, clock, length or capacity: a part of the
/// name ends in `_gbs`, `_ns`, `_ghz`, `_mm`, `_kb` or `_mb`. In the order of the spec.
[[nodiscard]] std::vector<SpecNumber> sized_numbers(const TopologySpec& spec);

}  // namespace kernbench::topology
