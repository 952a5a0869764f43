// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::model::ccl {

/// Returns the default system with `sips` SIPs of w x h cubes. `more` is YAML of other keys.
inline topology::TopologyGraph system_of(std::uint32_t sips, std::uint32_t w, std::uint32_t h,
                                         const std::string& more = {}) {
  const std::string text =
      fmt::format("system: {{sips: {{count: {}}}}}\nsip: {{cube_mesh: {{w: {}, h: {}}}}}\n{}", sips,
                  w, h, more);
  return topology::compile_topology(topology::parse_topology_spec(text, "test"));
}

/// Returns the same system with one PE in each corner of a cube, four in all.
inline topology::TopologyGraph small_system_of(std::uint32_t sips, std::uint32_t w,
                                               std::uint32_t h) {
  return system_of(sips, w, h,
                   "cube: {pe_layout: {pe_per_corner: 1}, memory_map: {slices_per_cube: 4}}\n");
}

/// Runs `body` as a bench with this ccl.yaml and computes its numbers. Expects no races.
inline bench::RunResult run(const topology::TopologyGraph& graph, void (*body)(runtime::Context&),
                            const std::string& ccl) {
  bench::RunOptions options;
  options.verify = true;
  options.races = true;
  options.ccl = {"ccl.yaml", ccl};
  bench::RunResult result = bench::run_bench({"test", "", {}, body}, graph, options);
  EXPECT_EQ(result.races.races.size(), 0U);
  return result;
}

}  // namespace kernbench::model::ccl
