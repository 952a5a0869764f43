// SPDX-License-Identifier: Apache-2.0
// The errors of the analytic MAZE that docs/lab/calibration.md states for bursts, multicasts and a
// failed node.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "cosim/run/fabric_comparison.hpp"
#include "cosim/workload/workloads.hpp"
#include "tests/stated_rows.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {
namespace {

struct Case {
  std::string name;      ///< name in the row
  std::string workload;  ///< name for make_workloads()
  std::uint64_t bytes = 1;
  std::uint64_t count = 100;
  double load = 0.1;
  std::optional<std::uint32_t> failed_node{};
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double load : {0.3, 0.6}) {
    for (const std::uint64_t bytes : {1U, 16U, 256U}) {
      all.push_back({.name = fmt::format("uniform_random at {}, node 27 failed", load),
                     .workload = "uniform_random",
                     .bytes = bytes,
                     .load = load,
                     .failed_node = 27});
    }
  }
  for (const std::string workload : {"concurrent", "multicasts"}) {
    for (const std::uint64_t count : {50U, 400U}) {
      for (const std::uint64_t bytes : {16U, 64U, 1024U}) {
        all.push_back({.name = fmt::format("{} {}", count, workload),
                       .workload = workload,
                       .bytes = bytes,
                       .count = count});
      }
    }
  }
  for (const std::uint64_t bytes : {4U, 64U, 256U}) {
    all.push_back({.name = "all_to_all", .workload = "all_to_all", .bytes = bytes});
  }
  return all;
}

/// Returns the row of the page for a case.
std::string row_of(const Case& one) {
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = sip.cube_mesh_h = 8;
  sip.maze.failed_node = one.failed_node;
  WorkloadSettings settings;
  settings.loads = {one.load};
  settings.bytes = one.bytes;
  settings.count = one.count;
  Workload workload = make_workloads(one.workload, sip, settings).at(0);
  avoid_failed_node(workload, sip);
  const FabricRun exact = run_on_fabric(FabricKind::Cycle, sip, workload, {});
  const FabricRun estimate = run_on_fabric(FabricKind::Analytic, sip, workload, {});
  const std::size_t first = first_measured(workload, sip);
  const LatencySummary is = summarize(exact, first);
  const LatencySummary says = summarize(estimate, first);
  const auto end = [](const FabricRun& run) {
    common::SimTime last;
    for (const auto& played : run.played) last = std::max(last, *played.done);
    return last.ns();
  };
  return fmt::format(
      "| `{}` | {} | {} | {} | {} |", one.name, one.bytes, places::percent_off(says.mean, is.mean),
      places::percent_off(static_cast<double>(says.p95), static_cast<double>(is.p95)),
      places::percent_off(end(estimate), end(exact)));
}

TEST(StatedErrors, OfBurstsAndDetoursAreThoseOfTheSimulations) {
  const std::vector<Case> all = cases();
  const std::vector<std::string> rows =
      places::stated_rows("lab/calibration.md", "errors of bursts");
  ASSERT_EQ(rows.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(rows[i], row_of(all[i]));
}

}  // namespace
}  // namespace kernbench::cosim
