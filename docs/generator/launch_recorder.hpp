// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kernbench::docs {

/// A message from one component to another, or a piece of work within one.
struct LaunchStep {
  std::string what;  ///< "launch", "read data"
  std::string from;  ///< node names; equal for work
  std::string to;
  std::int64_t begin_ps = 0;
  std::int64_t end_ps = 0;
  std::size_t nodes_between = 0;  ///< routers, PHYs and connections on the way
};

/// A kernel launch as one PE sees it.
struct LaunchRecord {
  std::string kernel;
  std::int64_t start_ps = 0;
  std::int64_t end_ps = 0;
  std::vector<LaunchStep> steps;  ///< in the order in which they begin
};

/// Runs the bench `vector-add` with a row for each PE on the default system and takes the launch
/// from its hop trace: the messages between the host, the IO_CPU and the M_CPU of cube 0, and
/// everything within PE 0 of that cube.
[[nodiscard]] LaunchRecord record_launch();

/// Draws the steps as a sequence from top to bottom, with a lane for each component and the
/// picoseconds since the launch at which each step begins and ends.
[[nodiscard]] std::string launch_diagram(const LaunchRecord& record);

}  // namespace kernbench::docs
