// SPDX-License-Identifier: Apache-2.0
#include "model/bench/evaluation/gemm_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/evaluation/gemm_figures.hpp"

namespace kernbench::common {

using model::bench::GemmCase;
using model::bench::GemmPoint;
using model::bench::GemmSweep;
using model::bench::Roofline;

/// Largest number in a report: a double holds it exactly, and sums of a few fit into 64 bits.
constexpr std::int64_t kMostInSweep = std::int64_t{1} << 53U;

template <>
const Description<GemmCase>& description_of() {
  static const auto kAll = Description<GemmCase>()
                               .add("series", &GemmCase::series)
                               .not_empty()
                               .add("m", &GemmCase::m)
                               .at_least(1)
                               .at_most(kMostInSweep)
                               .add("k", &GemmCase::k)
                               .at_least(1)
                               .at_most(kMostInSweep)
                               .add("n", &GemmCase::n)
                               .at_least(1)
                               .at_most(kMostInSweep)
                               .add("mapping", &GemmCase::mapping)
                               .add("stage_a", &GemmCase::a, "how A is read")
                               .add("stage_b", &GemmCase::b, "how B is read");
  return kAll;
}

template <>
const Description<GemmPoint>& description_of() {
  static const auto kAll =
      Description<GemmPoint>()
          .add_members(&GemmPoint::gemm)
          .add("took_ps", &GemmPoint::took, "from the start of the launch to its last PE's end")
          .at_least(1)
          .at_most(kMostInSweep)
          .add("macs", &GemmPoint::macs)
          .at_least(1)
          .at_most(kMostInSweep)
          .add("read_bytes", &GemmPoint::read_bytes, "from HBM; repeated reads count again")
          .at_least(1)
          .at_most(kMostInSweep)
          .add("written_bytes", &GemmPoint::written_bytes, "to HBM; repeated writes count again")
          .at_least(1)
          .at_most(kMostInSweep)
          .add("gmacs", &GemmPoint::gmacs, "10^9 multiply-adds a second")
          .computed()
          .add("macs_per_byte", &GemmPoint::macs_per_byte, "of HBM")
          .computed()
          .add("limits", &GemmPoint::limits, "of the critical path, the longest first")
          .add("limited_by", &model::bench::limits_of, "the two longest limits")
          .computed()
          .add("spread", &GemmPoint::spread)
          .absent_unless("--spread was given");
  return kAll;
}

template <>
const Description<Roofline>& description_of() {
  static const auto kAll =
      Description<Roofline>()
          .add("programs", &Roofline::programs, "PEs of a launch")
          .at_least(1)
          .add("peak_gmacs", &Roofline::peak_gmacs,
               "of all matrix engines, 10^9 multiply-adds a second")
          .above(0)
          .add("hbm_gbs", &Roofline::hbm_gbs, "bandwidth of the PEs' HBM slices")
          .above(0)
          .add("knee_macs_per_byte", &Roofline::knee, "above it the matrix engines are the limit")
          .computed();
  return kAll;
}

template <>
const Description<GemmSweep>& description_of() {
  static const auto kAll =
      Description<GemmSweep>()
          .add_members(&GemmSweep::roofline)
          .add("points", &GemmSweep::points)
          .not_empty()
          .add("fastest", &GemmSweep::fastest, "the variant of each size that takes least")
          .absent_unless("--spread was given")
          .computed();
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::bench {

namespace {

/// Tolerance of comparisons with the roofline, whose sides are rounded quotients.
constexpr double kRounding = 1 + 1e-9;

/// Returns the errors of a point by the points before it and the roofline.
std::vector<std::string> errors_of(const GemmSweep& sweep, std::size_t index) {
  const GemmPoint& point = sweep.points[index];
  const std::string where = fmt::format("data.points[{}]", index);
  const auto end = sweep.points.begin() + static_cast<std::ptrdiff_t>(index);
  std::vector<std::string> errors;
  if (std::any_of(sweep.points.begin(), end,
                  [&](const GemmPoint& other) { return other.gemm == point.gemm; })) {
    errors.push_back(fmt::format("'{}' is the second point of {}", where, text_of(point.gemm)));
  }
  common::SimTime sum;
  for (const trace::PathPart& part : point.limits) sum = sum + part.time;
  if (sum != point.took) {
    errors.push_back(fmt::format("'{}.limits' add up to {} ps, not to 'took_ps'", where, sum.ps()));
  }
  if (point.spread && point.spread->bands.size() != 1) {
    errors.push_back(fmt::format("'{}.spread.times' must be a list of one time", where));
  }
  const double bound = sweep.roofline.bound(point.macs_per_byte());
  if (point.gmacs() > bound * kRounding) {
    errors.push_back(
        fmt::format("'{}' is above the roofline: {:.6g} GMAC/s where {:.6g} are possible", where,
                    point.gmacs(), bound));
  }
  return errors;
}

std::vector<plot::ReportSection> figures_of(const nlohmann::json& data) {
  const auto sweep = common::value_of<GemmSweep>(data, "the report");
  return {{"Latency", gemm_latency_svg(sweep)},
          {"Utilization of the matrix engines", gemm_utilization_svg(sweep)},
          {"Roofline", gemm_roofline_svg(sweep)}};
}

}  // namespace

const plot::ReportKind kGemmReport = {
    .name = "gemm-evaluation",
    .command = "evaluate gemm",
    .about = "Latency, utilization and roofline of bench gemm by size and mapping",
    .form = common::form_of<GemmSweep>,
    .parts = figures_of,
    .rows = 1000};

std::vector<Contender> GemmSweep::contenders() const {
  std::vector<Contender> all;
  for (const GemmPoint& point : points) {
    const GemmCase& gemm = point.gemm;
    if (!point.spread) continue;
    all.push_back({fmt::format("{}, m {}, k {}, n {}", gemm.series, gemm.m, gemm.k, gemm.n),
                   variant_of(gemm), &*point.spread});
  }
  return all;
}

GemmSweep read_gemm_sweep(const std::filesystem::path& path) {
  const common::ReportEnvelope report = common::read_report(path, kGemmReport.name);
  auto sweep = common::value_of<GemmSweep>(report.data, path.string());
  common::Diagnostics diagnostics;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    for (std::string& error : errors_of(sweep, i)) {
      diagnostics.error({path.string()}, std::move(error));
    }
  }
  diagnostics.throw_if_any();
  return sweep;
}

}  // namespace kernbench::model::bench
