// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/load_curves.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "cosim/run/cosim.hpp"
#include "cosim/run/fabric_comparison.hpp"
#include "cosim/workload/workloads.hpp"
#include "plot/line_chart.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::docs {
namespace {

using cosim::FabricKind;

/// A statistic of the latencies of a fabric, in ns over the load.
struct Statistic {
  std::string name;
  FabricKind fabric;
  double (*of)(const cosim::LatencySummary&);
  plot::SeriesStyle style;
};

double mean_ns(const cosim::LatencySummary& summary) {
  return summary.mean / 1000.0;
}
double p95_ns(const cosim::LatencySummary& summary) {
  return static_cast<double>(summary.p95) / 1000.0;
}

topology::SipSpec maze_8x8() {
  topology::SipSpec sip;
  sip.cube_mesh_w = 8;
  sip.cube_mesh_h = 8;
  sip.inter_cube = topology::InterCube::Maze;
  return sip;
}

/// Runs single packets of uniform random traffic.
std::vector<cosim::WorkloadResult> uniform_packets(const std::vector<double>& loads,
                                                   const std::vector<FabricKind>& fabrics) {
  const topology::SipSpec sip = maze_8x8();
  cosim::WorkloadSettings settings;
  settings.loads = loads;
  cosim::Options options;
  options.fabrics = fabrics;
  return cosim::run_cosim(sip, cosim::make_workloads("uniform_random", sip, settings), options);
}

/// Returns the packets that each node sent in a measured cycle and that arrived in one, in
/// ascending order.
std::vector<double> accepted_by_node(const cosim::WorkloadResult& result) {
  const cosim::OfferedLoad& offered = *result.workload.offered;
  const auto begin = common::SimTime::from_ns(static_cast<double>(offered.warmup));
  const auto end = common::SimTime::from_ns(static_cast<double>(offered.warmup + offered.cycles));
  std::vector<double> nodes(64);
  for (std::size_t i = 0; i < result.workload.transfers.size(); ++i) {
    const auto& done = result.runs.front().played[i].done;
    if (!done || *done <= begin || *done > end) continue;
    nodes[result.workload.transfers[i].src] += 1 / static_cast<double>(offered.cycles);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

std::string accepted_curves() {
  const auto results = uniform_packets({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1},
                                       {FabricKind::Cycle});
  plot::LineChart chart;
  chart.title = "What the 8x8 MAZE accepts";
  chart.subtitle = "Uniform random packets. One line for all nodes, two for the extremes.";
  chart.y = {"accepted, packets per node and cycle"};
  chart.panel_size = {620, 300};
  plot::ChartPanel panel{"", {"offered, packets per node and cycle"}};
  const std::array names = {"the node that sends most", "mean of all nodes",
                            "the node that sends least"};
  for (unsigned i = 0; i < names.size(); ++i) {
    plot::ChartSeries series{names.at(i), plot::palette_style(i)};
    for (const cosim::WorkloadResult& result : results) {
      const std::vector<double> nodes = accepted_by_node(result);
      const double mean = std::accumulate(nodes.begin(), nodes.end(), 0.0) / 64;
      series.points.push_back({result.workload.offered->load, i == 0   ? nodes.back()
                                                              : i == 1 ? mean
                                                                       : nodes.front()});
    }
    panel.series.push_back(std::move(series));
  }
  chart.panels.push_back(std::move(panel));
  return plot::line_chart_svg(chart);
}

std::string load_curves() {
  const topology::SipSpec sip = maze_8x8();
  const auto results = uniform_packets({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9},
                                       {FabricKind::Analytic, FabricKind::Cycle});

  plot::LineChart chart;
  chart.title = "Latency of a packet through the 8x8 MAZE";
  chart.subtitle = "Uniform random traffic. The cycle reference equals the RTL in every packet.";
  chart.y = {"latency, ns"};
  chart.panel_size = {620, 300};
  plot::ChartPanel panel{"", {"load, packets per node and cycle"}};
  // Both fabrics of a statistic have its colour. The curves nearly coincide, so the analytic one
  // has larger, hollow markers around those of the other.
  const auto around = [](unsigned index) {
    plot::SeriesStyle style = plot::palette_style(index, true);
    style.marker_radius = 8;
    return style;
  };
  const Statistic statistics[] = {
      {"p95, cycle reference", FabricKind::Cycle, p95_ns, plot::palette_style(0)},
      {"p95, analytic", FabricKind::Analytic, p95_ns, around(0)},
      {"mean, cycle reference", FabricKind::Cycle, mean_ns, plot::palette_style(1)},
      {"mean, analytic", FabricKind::Analytic, mean_ns, around(1)},
  };
  for (const Statistic& statistic : statistics) {
    plot::ChartSeries series{statistic.name, statistic.style};
    for (const cosim::WorkloadResult& result : results) {
      const std::size_t first = cosim::first_measured(result.workload, sip);
      series.points.push_back(
          {result.workload.offered->load,
           statistic.of(cosim::summarize(*result.run(statistic.fabric), first))});
    }
    panel.series.push_back(std::move(series));
  }
  chart.panels.push_back(std::move(panel));
  return plot::line_chart_svg(chart);
}

}  // namespace kernbench::docs
