#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/outcome.hpp"
#include "model/fabric/analytic/analytic_parameters.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cosim {

/// How far the analytic fabric may be off on patterns that it was not fitted to.
inline constexpr double kMedianBar = 0.05;
inline constexpr double kP95Bar = 0.15;

struct CalibrationOptions {
  /// Of synthetic traffic, in order; every second is held out. Empty: all that the SIP can carry.
  std::vector<std::string> patterns{};
  std::vector<std::uint64_t> bytes = {1, 16, 64};  ///< of transfers
  std::vector<double> shares = {0.2, 0.45, 0.7};   ///< of saturation that are offered
  std::uint64_t warmup = 200;                      ///< cycles before those that count
  std::uint64_t cycles = 2000;                     ///< that count
  std::uint64_t seed = 1;
  unsigned jobs = 1;                          ///< change no result
  model::fabric::AnalyticParameters start{};  ///< from where the fit starts
};

/// Errors of latencies as shares of those over the cycle reference, absolute.
struct ErrorSummary {
  std::uint64_t transfers = 0;
  double median = 0;
  double p95 = 0;
  double max = 0;
};

/// One pattern with transfers of one size.
struct CalibrationRow {
  std::string pattern;
  bool held_out = false;
  std::uint64_t bytes = 0;
  double saturation = 0;             ///< packets per sender and cycle, in 32nds
  std::vector<double> loads;         ///< that were offered
  std::vector<ErrorSummary> before;  ///< by load, as the fit started
  std::vector<ErrorSummary> after;   ///< by load, with the fitted parameters
};

struct CalibrationResult {
  model::fabric::AnalyticParameters start;
  model::fabric::AnalyticParameters fitted;
  std::uint64_t tried = 0;  ///< sets of parameters
  std::vector<CalibrationRow> rows;
  // Of all transfers of a half:
  ErrorSummary fit_before, fit_after, held_out_before, held_out_after;
  /// Of unicasts and multicasts of both levels of QoS, all at once, with the fitted parameters. It
  /// is in neither half.
  ErrorSummary multicasts;
  /// Mismatch when an error of a row that is held out is beyond a bar, at any load.
  common::Outcome outcome = common::Outcome::Pass;
  std::string reason;
};

/// Fits queue_packets, stage_packets and restart_cycles to the cycle reference of this SIP:
/// starting where it is told, one after the other is moved by 8, 4, 2 and 1 as long as the mean
/// error of the transfers of the half that is not held out falls. multicast_stride trades error for
/// time, and is not fitted. Saturation is the largest load of 1/32, 2/32 ... 1 at which at least 95
/// % of what is offered arrives. The same arguments give the same result. Throws common::BadInput
/// for a SIP without a MAZE and for fewer than two patterns.
[[nodiscard]] CalibrationResult calibrate(const topology::SipSpec& sip,
                                          const CalibrationOptions& options);

/// Sets outcome and reason from the rows that are held out; Vacuous when there are none, or one of
/// them has no transfers.
void judge_calibration(CalibrationResult& result);

/// As a table for people.
[[nodiscard]] std::string calibration_text(const CalibrationResult& result);

}  // namespace kernbench::cosim
