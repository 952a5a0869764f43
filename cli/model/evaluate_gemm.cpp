// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/text_table.hpp"
#include "cli/model/bench_choice.hpp"
#include "cli/model/envelope.hpp"
#include "cli/model/evaluations.hpp"
#include "cli/model/run_end.hpp"
#include "cli/model/spread.hpp"
#include "common/atomic_file.hpp"
#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/evaluation/gemm_figures.hpp"
#include "model/bench/evaluation/gemm_report.hpp"
#include "model/bench/evaluation/gemm_sweep.hpp"
#include "model/bench/grade.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using model::bench::GemmCase;
using model::bench::GemmPoint;
using model::bench::GemmSweep;

void print_sweep(const GemmSweep& sweep, const common::Grade& grade) {
  print("simulated times: {}\n", grade.text());
  print("{} PEs: {:.6g} GMAC/s at most; HBM: {:.5g} GB/s; knee at {:.4g} MACs/byte\n\n",
        sweep.roofline.programs, sweep.roofline.peak_gmacs, sweep.roofline.hbm_gbs,
        sweep.roofline.knee());
  TextTable table({"series", "m", "k", "n", "mapping", "time (us)", "HBM (MB)", "MACs per byte",
                   "GMAC/s", "peak (%)"});
  for (const GemmPoint& point : sweep.points) {
    const GemmCase& gemm = point.gemm;
    table.add({gemm.series, std::to_string(gemm.m), std::to_string(gemm.k), std::to_string(gemm.n),
               variant_of(gemm), fixed_text(point.took.ns() / 1000.0, 3),
               fixed_text(static_cast<double>(point.read_bytes + point.written_bytes) / 1e6, 2),
               fixed_text(point.macs_per_byte(), 2), fixed_text(point.gmacs(), 1),
               fixed_text(100.0 * sweep.roofline.utilization(point), 2)});
    if (const std::string limits = limits_of(point); !limits.empty()) {
      table.add_line(wrapped("  limited by " + limits, 4));
    }
  }
  print_table(table);
  print_fastest(sweep.contenders());
}

void write_files(const EvaluateOptions& options, const Invocation& invocation,
                 const GemmSweep& sweep, const common::Grade& grade) {
  const plot::ReportKind& kind = model::bench::kGemmReport;
  common::ReportEnvelope report = topology_envelope(kind.name, Outcome::Pass, options.spec,
                                                    invocation, topology_settings(options.set));
  report.grade = grade;
  report.data = common::to_json(sweep);
  options.files.write(kind, report);
}

void draw(const GemmSweep& sweep, const std::filesystem::path& folder) {
  common::ensure_directory(folder);
  const auto write = [&](const char* name, const std::string& svg) {
    common::write_file_atomically(folder / name, svg);
    print("wrote {}\n", (folder / name).string());
  };
  write(kGemmPlots[0], gemm_latency_svg(sweep));
  write(kGemmPlots[1], gemm_utilization_svg(sweep));
  write(kGemmPlots[2], gemm_roofline_svg(sweep));
}

}  // namespace

Outcome evaluate_gemm(const EvaluateOptions& options, const Invocation& invocation) {
  if (options.files.json.empty() && options.figures.empty()) {
    throw common::BadInput("kernbench evaluate gemm needs --json, to run the sweep, or --figures");
  }
  if (!options.figures.empty()) {
    const GemmSweep sweep = model::bench::read_gemm_sweep(options.figures);
    if (sweep.points.empty()) {
      throw common::BadInput(fmt::format("'{}' has no points", options.figures));
    }
    draw(sweep, options.plots);
    return Outcome::Pass;
  }
  const topology::ResolvedTopology resolved = simulated_topology(options.spec, options.set);
  const std::vector<GemmCase> cases = model::bench::gemm_cases(options.quick);
  const auto parts = parts_of(options.parts, invocation, options.files.json);
  return outcome_of_benches({}, [&] {
    const GemmSweep sweep =
        run_gemm_sweep(resolved.graph, cases, options.jobs, parts.get(), options.spread);
    const common::Grade grade = model::bench::grade_of_system(resolved.graph.spec());
    print_machine(resolved.graph.spec());
    print_sweep(sweep, grade);
    write_files(options, invocation, sweep, grade);
    print("\nwrote {}\n", options.files.json);
    if (!options.plots.empty()) draw(sweep, options.plots);
    return Outcome::Pass;
  });
}

}  // namespace kernbench::cli
