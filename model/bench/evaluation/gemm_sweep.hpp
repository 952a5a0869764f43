// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/enum_names.hpp"
#include "common/parts.hpp"
#include "common/units.hpp"
#include "model/bench/fastest.hpp"
#include "model/bench/launch_figures.hpp"
#include "model/bench/spread.hpp"
#include "model/trace/critical_path.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// How a GEMM reads an operand: tile by tile from HBM, or from TCM, where it was loaded before.
enum class Staging : std::uint8_t { Streamed, Resident };
inline constexpr std::array<common::EnumName<Staging>, 2> kStagingNames = {
    {{"streamed", Staging::Streamed}, {"resident", Staging::Resident}}};
constexpr const auto& name_table(Staging /*any*/) {
  return kStagingNames;
}

/// The mapping of a GEMM to the PEs.
enum class SweepMapping : std::uint8_t {
  Auto,  ///< the bench's own choice of placements and tiles; operands are streamed
  Rows,  ///< A and C by rows, a copy of B in each cube, tiles of 128 x 64 x 128
};
inline constexpr std::array<common::EnumName<SweepMapping>, 2> kSweepMappingNames = {
    {{"auto", SweepMapping::Auto}, {"rows", SweepMapping::Rows}}};
constexpr const auto& name_table(SweepMapping /*any*/) {
  return kSweepMappingNames;
}

/// One GEMM of a sweep: C (m x n) = A (m x k) B (k x n).
struct GemmCase {
  std::string series;  ///< cases of one series differ in size and staging only
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  std::uint64_t n = 0;
  Staging a = Staging::Streamed;
  Staging b = Staging::Streamed;
  SweepMapping mapping = SweepMapping::Rows;

  friend bool operator==(const GemmCase&, const GemmCase&) = default;
};

/// The measured result of a case.
struct GemmPoint {
  GemmCase gemm;
  common::SimTime took;  ///< from the start of the launch to the end of its last PE
  std::uint64_t macs = 0;
  std::uint64_t read_bytes = 0;           ///< bytes read from HBM; repeated reads count again
  std::uint64_t written_bytes = 0;        ///< bytes written to HBM; repeated writes count again
  std::vector<trace::PathPart> limits{};  ///< critical path by limit, longest first; sums to `took`
  std::optional<Spread> spread{};         ///< if it was asked: the band of `took`

  [[nodiscard]] double gmacs() const;  ///< 10^9 multiply-adds a second
  [[nodiscard]] double macs_per_byte() const;

  friend bool operator==(const GemmPoint&, const GemmPoint&) = default;
};

/// The limits of a launch.
struct Roofline {
  std::uint64_t programs = 0;  ///< number of PEs
  double peak_gmacs = 0;       ///< peak of all matrix engines, 10^9 multiply-adds a second
  double hbm_gbs = 0;          ///< bandwidth of the PEs' HBM slices, 10^9 bytes a second

  /// Returns the arithmetic intensity, in MACs a byte, above which the matrix engines are the
  /// limit.
  [[nodiscard]] double knee() const { return peak_gmacs / hbm_gbs; }
  /// Returns the limit at this intensity, in GMAC/s.
  [[nodiscard]] double bound(double macs_per_byte) const;
  /// Returns the point's share of the peak, 0 to 1.
  [[nodiscard]] double utilization(const GemmPoint& point) const;

  friend bool operator==(const Roofline&, const Roofline&) = default;
};

struct GemmSweep {
  Roofline roofline;
  std::vector<GemmPoint> points;

  /// Returns the variants with a spread, for each size.
  [[nodiscard]] std::vector<Contender> contenders() const;
  [[nodiscard]] std::vector<Fastest> fastest() const { return fastest_of(contenders()); }

  friend bool operator==(const GemmSweep&, const GemmSweep&) = default;
};

/// Returns the roofline of launches on `programs` PEs of this system.
[[nodiscard]] Roofline roofline_of(const topology::TopologySpec& spec, std::uint64_t programs);

/// Returns the result of a case from the record of its launch.
[[nodiscard]] GemmPoint point_of(const GemmCase& gemm, const runtime::MeasuredRegion& region,
                                 const LaunchFigures& figures);

/// Returns the cases of the sweep: square matrices and tall ones, each with the mapping `auto` and
/// with the mapping `rows` for every staging of A and B. `quick` leaves large ones out.
[[nodiscard]] std::vector<GemmCase> gemm_cases(bool quick);

/// Runs the bench `gemm` for each case in f16 on SIP 0, without computing numbers, in `parts` or,
/// if that is null, in up to `jobs` threads, and `spread.runs` times more for its band. Points are
/// in the order of cases. Throws std::invalid_argument without cases, and as run_case() does.
[[nodiscard]] GemmSweep run_gemm_sweep(const topology::TopologyGraph& graph,
                                       const std::vector<GemmCase>& cases, unsigned jobs,
                                       common::Parts* parts = nullptr,
                                       const SpreadChoice& spread = {});

/// Returns "auto", or for example "rows, A streamed, B resident".
[[nodiscard]] std::string variant_of(const GemmCase& gemm);
/// Returns, for example, "m 512, k 512, n 512, rows, A streamed, B resident".
[[nodiscard]] std::string text_of(const GemmCase& gemm);
/// Returns the two longest limits: "bandwidth of hbm_ctrl 47 %, speed of pe_gemm 30 %".
[[nodiscard]] std::string limits_of(const GemmPoint& point);

}  // namespace kernbench::model::bench
