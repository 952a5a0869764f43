// SPDX-License-Identifier: Apache-2.0
#include "model/bench/evaluation/gemm_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "common/fill_in_parts.hpp"
#include "common/progress.hpp"
#include "model/bench/evaluation/gemm_report.hpp"
#include "model/bench/mapping_search.hpp"
#include "model/bench/runner.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

namespace {

struct Ran {
  GemmPoint point;
  std::uint64_t programs = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(point, programs);
  }
};

Ran run_gemm(const topology::TopologyGraph& graph, const GemmCase& gemm,
             const SpreadChoice& spread) {
  RunOptions options;
  options.explain = true;
  options.parameters = {{"m", std::to_string(gemm.m)},
                        {"k", std::to_string(gemm.k)},
                        {"n", std::to_string(gemm.n)},
                        {"stage_a", std::string(common::name_of(kStagingNames, gemm.a))},
                        {"stage_b", std::string(common::name_of(kStagingNames, gemm.b))}};
  if (gemm.mapping == SweepMapping::Rows) {
    options.parameters.insert({{"a", "row"},
                               {"b", "replicated"},
                               {"c", "row"},
                               {"tile_m", "128"},
                               {"tile_k", "64"},
                               {"tile_n", "128"},
                               {"tiles_in_flight", "2"},
                               {"rotate", "no"}});
  }
  const bool is_auto = gemm.mapping == SweepMapping::Auto;
  if (is_auto) {  // the best placement on all PEs, as the peak is that of all of them
    options.parameters["cubes"] = cubes_text(runtime::DevicePart().grid(graph.spec()));
    options.parameters["pes"] = std::to_string(graph.spec().cube.pes());
  }
  RunResult result;
  call_named(fmt::format("gemm, {}", text_of(gemm)), [&] {
    const Bench& bench = find_bench("gemm");
    MappedRun mapped = is_auto ? run_mapped(bench, graph, options, 1)
                               : MappedRun{run_bench(bench, graph, options), options, {}};
    result = std::move(mapped.result);
    options = std::move(mapped.options);
  });
  const std::vector<LaunchFigures> figures =
      launch_figures(result.launches, result.recorder->log(), graph);
  Ran ran{point_of(gemm, result.regions.at(0), figures.front()), result.launches.front().programs};
  ran.point.limits = explain(result).at(0).second.by_limit(graph);
  ran.point.spread = measure_spread(find_bench("gemm"), graph, options, result, spread, 1);
  return ran;
}

}  // namespace

double GemmPoint::gmacs() const {
  return static_cast<double>(macs) / took.ns();
}

double GemmPoint::macs_per_byte() const {
  return static_cast<double>(macs) / static_cast<double>(read_bytes + written_bytes);
}

double Roofline::bound(double macs_per_byte) const {
  return std::min(peak_gmacs, macs_per_byte * hbm_gbs);
}

double Roofline::utilization(const GemmPoint& point) const {
  return point.gmacs() / peak_gmacs;
}

Roofline roofline_of(const topology::TopologySpec& spec, std::uint64_t programs) {
  const topology::MemoryMapSpec& memory = spec.cube.memory_map;
  const auto count = static_cast<double>(programs);
  return {programs, count * (spec.pe.clock_ghz * spec.pe.pe_gemm_macs_per_cycle),
          count * memory.slice_bw_gbs()};
}

GemmPoint point_of(const GemmCase& gemm, const runtime::MeasuredRegion& region,
                   const LaunchFigures& figures) {
  return {gemm, region.time(), figures.macs, figures.read.bytes, figures.written.bytes};
}

std::vector<GemmCase> gemm_cases(bool quick) {
  std::vector<GemmCase> sizes;
  for (std::uint64_t m = 128; m <= (quick ? 256U : 4096U); m *= 2) {
    sizes.push_back({"square", m, m, m});
  }
  const std::uint64_t side = quick ? 256 : 512;
  for (std::uint64_t m = 2048; m <= (quick ? 8192U : 131072U); m *= 2) {
    sizes.push_back({"tall", m, side, side});
  }
  std::vector<GemmCase> cases;
  for (GemmCase gemm : sizes) {
    gemm.mapping = SweepMapping::Auto;
    cases.push_back(gemm);
  }
  for (const Staging a : {Staging::Streamed, Staging::Resident}) {
    for (const Staging b : {Staging::Streamed, Staging::Resident}) {
      for (GemmCase gemm : sizes) {
        gemm.a = a;
        gemm.b = b;
        cases.push_back(gemm);
      }
    }
  }
  return cases;
}

GemmSweep run_gemm_sweep(const topology::TopologyGraph& graph, const std::vector<GemmCase>& cases,
                         unsigned jobs, common::Parts* parts, const SpreadChoice& spread) {
  if (cases.empty()) throw std::invalid_argument("a sweep needs at least one case");
  std::vector<Ran> ran(cases.size());
  common::StepProgress progress("points", cases.size());
  common::fill_in_parts(parts, jobs, ran, [&](std::size_t i) {
    ran[i] = run_gemm(graph, cases[i], spread);
    progress.step();
    return true;
  });
  GemmSweep sweep{roofline_of(graph.spec(), ran.front().programs), {}};
  for (const Ran& one : ran) sweep.points.push_back(one.point);
  return sweep;
}

std::string variant_of(const GemmCase& gemm) {
  if (gemm.mapping == SweepMapping::Auto) return "auto";
  return fmt::format("rows, A {}, B {}", common::name_of(kStagingNames, gemm.a),
                     common::name_of(kStagingNames, gemm.b));
}

std::string text_of(const GemmCase& gemm) {
  return fmt::format("m {}, k {}, n {}, {}", gemm.m, gemm.k, gemm.n, variant_of(gemm));
}

std::string limits_of(const GemmPoint& point) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, point.limits.size()); ++i) {
    text += fmt::format("{}{} {:.0f} %", i == 0 ? "" : ", ", point.limits[i].name,
                        100.0 * point.limits[i].time.ns() / point.took.ns());
  }
  return text;
}

}  // namespace kernbench::model::bench
