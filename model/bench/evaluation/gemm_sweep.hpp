#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/enum_names.hpp"
#include "common/units.hpp"
#include "model/bench/launch_figures.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::bench {

/// How a GEMM on a SIP's PEs gets an operand: tile by tile from HBM, or from TCM, loaded before.
enum class Staging : std::uint8_t { Streamed, Resident };
inline constexpr std::array<common::EnumName<Staging>, 2> kStagingNames = {
    {{"streamed", Staging::Streamed}, {"resident", Staging::Resident}}};

/// One GEMM of a sweep: C (m x n) = A (m x k) B (k x n).
struct GemmCase {
  std::string series;  ///< cases of one series differ in size and staging only
  std::uint64_t m = 0;
  std::uint64_t k = 0;
  std::uint64_t n = 0;
  Staging a = Staging::Streamed;
  Staging b = Staging::Streamed;

  friend bool operator==(const GemmCase&, const GemmCase&) = default;
};

/// What was measured of one.
struct GemmPoint {
  GemmCase gemm;
  common::SimTime took;  ///< the launch, from its start to the end of its last PE
  std::uint64_t macs = 0;
  std::uint64_t read_bytes = 0;     ///< of HBM, each time that a byte was read
  std::uint64_t written_bytes = 0;  ///< likewise

  [[nodiscard]] double gmacs() const;  ///< 10^9 multiply-adds a second
  [[nodiscard]] double macs_per_byte() const;

  friend bool operator==(const GemmPoint&, const GemmPoint&) = default;
};

/// What the PEs of a launch can do at best.
struct Roofline {
  std::uint64_t programs = 0;
  double peak_gmacs = 0;  ///< of the matrix engines of all programs
  double hbm_gbs = 0;     ///< of the HBM slices of all programs

  /// The arithmetic intensity from which on the matrix engines are the limit, MACs a byte.
  [[nodiscard]] double knee() const { return peak_gmacs / hbm_gbs; }
  /// GMAC/s at most at this intensity.
  [[nodiscard]] double bound(double macs_per_byte) const;
  /// The share of the peak: at most 1.
  [[nodiscard]] double utilization(const GemmPoint& point) const;

  friend bool operator==(const Roofline&, const Roofline&) = default;
};

struct GemmSweep {
  Roofline roofline;
  std::vector<GemmPoint> points;

  friend bool operator==(const GemmSweep&, const GemmSweep&) = default;
};

/// The roofline of launches on `programs` PEs of this system.
[[nodiscard]] Roofline roofline_of(const topology::TopologySpec& spec, std::uint64_t programs);

/// What the log of a case's launch says.
[[nodiscard]] GemmPoint point_of(const GemmCase& gemm, const runtime::LaunchRecord& launch,
                                 const LaunchFigures& figures);

/// Square matrices, and tall ones that are spread by their rows, each with every staging of A and
/// B. `quick` has small ones only.
[[nodiscard]] std::vector<GemmCase> gemm_cases(bool quick);

/// Runs the bench `gemm` for each case, f16, alone on SIP 0 and timing only, in up to `jobs`
/// threads; points are in the order of cases. Throws what run_bench() throws of a run, naming the
/// case, and std::invalid_argument without cases.
[[nodiscard]] GemmSweep run_gemm_sweep(const topology::TopologyGraph& graph,
                                       const std::vector<GemmCase>& cases, unsigned jobs);

/// "m 512, k 512, n 512, A streamed, B resident".
[[nodiscard]] std::string text_of(const GemmCase& gemm);

}  // namespace kernbench::model::bench
