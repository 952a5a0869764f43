// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/report_envelope.hpp"
#include "plot/report_differences.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::plot {

/// A value that differs between two reports, as texts with their units.
struct DifferingValue {
  std::string place;   ///< "regions.gemm.time_ps", or the name of a part of a critical path
  std::string a, b;    ///< "(none)" where a report lacks it
  std::string change;  ///< B - A, "within the band of runs", or empty
  bool is_within_band = false;  ///< differs by no more than repeated runs of each report do
};

/// The parts of a time that changed, the largest change first.
struct ChangedParts {
  std::string of;  ///< "region 'gemm'"
  std::string by;  ///< "by limit", "by part"
  std::vector<DifferingValue> parts;
};

/// How two reports of a kind differ, and why.
struct ReportComparison {
  std::size_t compared = 0;   ///< values that both or one of the reports have
  std::size_t differing = 0;  ///< values that are not equal
  std::vector<DifferingValue> inputs;
  std::vector<DifferingValue> results;           ///< without those that `reasons` sums up
  std::pair<std::string, std::string> commands;  ///< words that only the command of A or of B has
  std::vector<ChangedParts> reasons;
  std::string missing_reasons;  ///< the report that lacks the reasons of its kind, or empty

  /// Returns "all 12 values are equal", "1 of 12 values differs".
  [[nodiscard]] std::string counts() const;
};

/// Compares two reports whose data have the form of the kind. Calls `visit`, if set, for each pair
/// of values.
[[nodiscard]] ReportComparison compare_reports(
    const ReportKind& kind, const common::ReportEnvelope& a, const common::ReportEnvelope& b,
    const std::function<void(const ValuePair& pair)>& visit = {});

/// Returns a value of a pair as text with its unit: "2.951 us", "7 items", "(none)".
[[nodiscard]] std::string text_of(const ValuePair& pair, const nlohmann::json* value);
/// Returns B - A of a pair of numbers, in the unit of text_of(): "-0.128 (-4.34 %)".
[[nodiscard]] std::string change_of(const ValuePair& pair);

}  // namespace kernbench::plot
