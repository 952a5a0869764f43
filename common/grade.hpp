// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/described.hpp"

namespace kernbench::common {

/// Says how far a figure can be from the flit and cycle simulation of its spec. How far that
/// simulation is from silicon is another question.
struct Grade {
  enum class Kind : std::uint8_t {
    Exact,     ///< equal to that simulation
    Within,    ///< at most `percent` off, as a test has measured
    Estimate,  ///< off by an unknown error, or by more than kLargestBound
  };
  static constexpr double kLargestBound = 10.0;  ///< percent

  Kind kind = Kind::Exact;
  double percent = 0.0;                ///< above 0 only for Kind::Within
  std::vector<std::string> reasons{};  ///< parts not simulated flit by flit, cycle by cycle

  [[nodiscard]] static Grade estimate(std::string reason);
  /// Returns the grade of a measured bound in percent; an estimate above kLargestBound.
  [[nodiscard]] static Grade within(double percent, const std::string& reason);

  /// Adds what else makes a figure less than exact. Bounds add up.
  void add(const Grade& other);

  /// Returns "exact", "within 3.6 %" or "estimate".
  [[nodiscard]] std::string name() const;
  /// Returns the name with the reasons, such as "estimate: the MAZE is analytic".
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Grade&, const Grade&) = default;
};

template <>
const Description<Grade>& description_of();

}  // namespace kernbench::common
