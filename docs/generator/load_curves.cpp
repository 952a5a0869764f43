// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/load_curves.hpp"

#include <utility>

#include "cosim/run/cosim.hpp"
#include "cosim/run/fabric_comparison.hpp"
#include "cosim/workload/workloads.hpp"
#include "plot/line_chart.hpp"

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

}  // namespace

std::string load_curves() {
  topology::SipSpec sip;
  sip.cube_mesh_w = 8;
  sip.cube_mesh_h = 8;
  sip.inter_cube = topology::InterCube::Maze;
  cosim::WorkloadSettings settings;
  settings.loads = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
  settings.bytes = 64;
  settings.cycles = 1000;
  cosim::Options options;
  options.fabrics = {FabricKind::Analytic, FabricKind::Cycle};
  const auto results =
      cosim::run_cosim(sip, cosim::make_workloads("uniform_random", sip, settings), options);

  plot::LineChart chart;
  chart.title = "Latency of 64 bytes over the 8x8 MAZE";
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
