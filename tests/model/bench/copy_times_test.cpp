// SPDX-License-Identifier: Apache-2.0
// Copies between cubes use every connection of a side, so other cubes in the row do not slow them.
#include <gtest/gtest.h>

#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

/// Returns the time in which every PE copies 256 KiB to its slice of the next cube, in a row of
/// cubes. The last cube copies to the first.
double copy_to_next_cube_us(std::uint32_t cubes) {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = cubes;
  spec.sip.cube_mesh_h = 1;
  RunOptions options;
  options.parameters = {{"programs", "all"}, {"from", "262144"}, {"to", "262144"}};
  const RunResult result =
      run_bench(find_bench("copy-bandwidth"), topology::compile_topology(spec), options);
  for (const runtime::LaunchRecord& launch : result.launches) {
    if (launch.kernel == "262144 B, next cube") return (launch.end - launch.start).ns() / 1000.0;
  }
  return 0;
}

TEST(CopyTimes, ToTheNextCubeAreTheSameInLongerRows) {
  const double of_two = copy_to_next_cube_us(2);
  EXPECT_GT(of_two, 8.0);
  EXPECT_LT(copy_to_next_cube_us(3), 1.1 * of_two);
}

}  // namespace
}  // namespace kernbench::model::bench
