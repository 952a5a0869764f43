// SPDX-License-Identifier: Apache-2.0
// The errors of the analytic MAZE that docs/lab/calibration.md states, each from two simulations of
// the same transfers.
#include "model/fabric/analytic/stated_errors.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/engine/simulation.hpp"
#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/fabric/clocked/cycle_fabric.hpp"
#include "model/fabric/traffic/synthetic_traffic.hpp"
#include "tests/stated_rows.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/zoo/routing/natural_routing.hpp"

namespace kernbench::model::fabric {
namespace {

using places::percent_off;

struct Case {
  std::string pattern;
  std::uint64_t bytes = 1;
  double load = 0.1;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* const pattern : {"uniform_random", "transpose", "hotspot"}) {
    for (const std::uint64_t bytes : {1U, 4U, 16U, 64U, 256U, 1024U}) {
      for (const double load : {0.1, 0.3, 0.5, 0.7, 0.9}) all.push_back({pattern, bytes, load});
    }
  }
  return all;
}

struct Figures {
  double accepted = 0;
  double mean = 0;
  double p95 = 0;
};

Figures figures_of(engine::Simulation& simulation, Fabric& fabric, const TrafficPattern& pattern,
                   const Case& one) {
  SyntheticTraffic traffic(simulation, fabric, pattern,
                           {.load = one.load,
                            .bytes = one.bytes,
                            .warmup = 500 + 4 * one.bytes,
                            .cycles = 2000 + 8 * one.bytes});
  traffic.start();
  simulation.run();
  EXPECT_GT(traffic.latencies().count(), 0U);
  return {traffic.accepted(), traffic.latencies().mean(),
          static_cast<double>(traffic.latencies().percentile(95))};
}

/// Returns the row of the page for a case.
std::string row_of(const Case& one) {
  const topology::zoo::FlattenedButterfly grid(8, 8);
  const auto relation = topology::zoo::natural_routing(grid);
  const TrafficPattern pattern(*relation, {one.pattern});
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = sip.cube_mesh_h = 8;
  engine::Simulation exact;
  const auto cycle = make_cycle_maze(exact, sip);
  const Figures is = figures_of(exact, *cycle, pattern, one);
  engine::Simulation estimate;
  const auto analytic = make_analytic_maze(estimate, sip);
  const Figures says = figures_of(estimate, *analytic, pattern, one);
  return fmt::format("| `{}` | {} | {} | {:.3f} | {} | {} | {} |", one.pattern, one.bytes, one.load,
                     is.accepted, percent_off(says.accepted, is.accepted),
                     percent_off(says.mean, is.mean), percent_off(says.p95, is.p95));
}

std::vector<std::string> stated_rows() {
  return places::stated_rows("lab/calibration.md", "errors of the analytic fabric");
}

TEST(StatedErrors, AreThoseOfTheSimulations) {
  const std::vector<Case> all = cases();
  const std::vector<std::string> rows = stated_rows();
  ASSERT_EQ(rows.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(rows[i], row_of(all[i]));
}

/// Returns a cell of a row as a number. Cells are numbered from 0.
double cell_of(const std::string& row, int number) {
  std::size_t begin = 1;
  for (int i = 0; i < number; ++i) begin = row.find('|', begin) + 1;
  return std::stod(row.substr(begin));
}

TEST(StatedErrors, ThatRunsPrintAreTheWorstOfTheRows) {
  std::vector<double> means;
  for (const std::string& row : stated_rows()) means.push_back(cell_of(row, 5));
  for (const std::string& row : places::stated_rows("lab/calibration.md", "errors of bursts")) {
    means.push_back(cell_of(row, 2));
  }
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  EXPECT_EQ(*least, kAnalyticErrors.least_percent);
  EXPECT_EQ(*most, kAnalyticErrors.most_percent);
}

}  // namespace
}  // namespace kernbench::model::fabric
