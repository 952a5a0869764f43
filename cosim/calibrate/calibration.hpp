// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "common/parts.hpp"
#include "model/fabric/analytic/analytic_parameters.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::cosim {

/// Largest allowed errors of the analytic fabric for each size and load of a pattern that it was
/// not fitted to.
inline constexpr double kMedianBar = 0.05;
inline constexpr double kP95Bar = 0.15;

struct CalibrationOptions {
  model::fabric::MazeNodeKind nodes = model::fabric::MazeNodeKind::Maze;
  /// Patterns of synthetic traffic. Every second one is held out. Empty: all that the SIP can
  /// carry.
  std::vector<std::string> patterns{};
  std::vector<std::uint64_t> bytes = {1, 16, 64};  ///< bytes per transfer
  std::vector<double> shares = {0.2, 0.5, 0.8};    ///< offered loads, as shares of saturation
  std::uint64_t warmup = 200;                      ///< cycles before the measurement
  std::uint64_t cycles = 2000;                     ///< measured cycles
  std::uint64_t seed = 1;
  unsigned jobs = 1;  ///< threads; do not affect results
  /// Runs the cycle reference, one part for each row, in other processes; null: in threads.
  common::Parts* parts = nullptr;
  /// Initial values of the fit. By default those of the nodes.
  std::optional<model::fabric::AnalyticParameters> start{};
};

/// Absolute relative errors of latencies, as shares of those over the cycle reference.
struct ErrorSummary {
  std::uint64_t transfers = 0;
  double median = 0;
  double p95 = 0;
  double max = 0;
};

/// Results for one pattern with transfers of one size.
struct CalibrationRow {
  std::string pattern;
  bool held_out = false;
  std::uint64_t bytes = 0;
  double saturation = 0;             ///< packets per sender and cycle, a multiple of 1/32
  std::vector<double> loads;         ///< offered loads
  std::vector<ErrorSummary> before;  ///< by load, with the initial parameters
  std::vector<ErrorSummary> after;   ///< by load, with the fitted parameters
};

/// Results for one pattern with transfers of all sizes at all loads.
struct CalibrationPattern {
  std::string pattern;
  bool held_out = false;
  ErrorSummary before;
  ErrorSummary after;
};

struct CalibrationResult {
  model::fabric::AnalyticParameters start;
  model::fabric::AnalyticParameters fitted;
  std::uint64_t tried = 0;  ///< number of parameter sets tried
  std::vector<CalibrationRow> rows;
  std::vector<CalibrationPattern> patterns;
  // Over all transfers of a half:
  ErrorSummary fit_before, fit_after, held_out_before, held_out_after;
  /// A mix of unicasts and multicasts of both QoS levels, with the fitted parameters. Part of
  /// neither half.
  ErrorSummary multicasts;
  /// Mismatch when an error exceeds its bar for some size and load of a held-out pattern.
  common::Outcome outcome = common::Outcome::Pass;
  std::string reason;
};

/// Fits queue_packets, stage_packets and restart_cycles to the cycle reference of this SIP. Moves
/// one parameter at a time by 8, 4, 2 and 1 as long as the mean error of the fitted half falls.
/// multicast_stride and quantum_packets trade accuracy for speed and are not fitted. Saturation is
/// the largest load of 1/32, 2/32 ... 1 at which at least 95 % of the offered packets arrive. Equal
/// arguments give equal results. Throws common::BadInput for a SIP without a MAZE and for fewer
/// than two patterns.
[[nodiscard]] CalibrationResult calibrate(const topology::SipSpec& sip,
                                          const CalibrationOptions& options);

/// Sets outcome and reason from the held-out rows, each load by itself. Vacuous when there are
/// none, or when a load has no transfers.
void judge_calibration(CalibrationResult& result);

}  // namespace kernbench::cosim
