// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/check/checker_set.hpp"
#include "sim/dut/rtl_output.hpp"
#include "sim/harness/extension.hpp"

namespace kernbench::sim {

/// Names of the checkers of what the RTL itself reports.
inline constexpr const char* kRtlAssertions = "rtl_assertions";  ///< violated assertions
inline constexpr const char* kRtlUnique = "rtl_unique";          ///< violated unique and priority
inline constexpr const char* kRtlCalls = "rtl";  ///< `$finish`, `$stop`, and the rest

/// Returns the name of the checker to which an event of a model with these checks belongs.
[[nodiscard]] const char* rtl_checker(const RtlEvent& event, const RtlChecks& checks);

/// Returns an event as a failure. Its message names file and line, and the cycle.
[[nodiscard]] Failure rtl_failure(const RtlEvent& event, const RtlChecks& checks);

/// Executes the `final` blocks of a model and returns what its RTL has reported since it was asked
/// last, as failures.
[[nodiscard]] std::vector<Failure> finished_failures(RtlOutput& rtl);

/// Returns true for a failure that the RTL itself reported.
[[nodiscard]] bool is_rtl_report(const Failure& failure);

/// Returns the text of a model with the user's names, safe to print.
[[nodiscard]] RtlText rtl_text(const RtlOutput& rtl);

/// Returns, for example, "3 assertions and 1 unique or priority of the RTL are checked", or "" for
/// RTL that has neither.
[[nodiscard]] std::string checks_text(const RtlChecks& checks);

/// Returns the last lines of a text, at most `lines`, and what was left out.
[[nodiscard]] std::string shortened(const RtlText& text, std::size_t lines);

/// Takes what the RTL of a model reports and gives it to three checkers: its assertions, its unique
/// and priority, and what ends a simulation. The first two are listed where the RTL has them and
/// the model evaluates them.
class RtlReports {
 public:
  explicit RtlReports(RtlOutput& rtl);

  /// Adds the checkers to a set, which this object must outlive.
  void add_to(CheckerSet& checkers);

 private:
  class Checker final : public Extension {
   public:
    Checker(RtlReports& reports, const char* name) : reports_(reports), name_(name) {}
    void on_cycle(const CycleView& /*view*/) override {
      collect();
      ++cycles_;
    }
    void after(const RunEnd& /*end*/) override { collect(); }
    /// Number of cycles in which the RTL was evaluated.
    [[nodiscard]] std::uint64_t checks() const override { return cycles_; }

   private:
    void collect();

    RtlReports& reports_;
    std::string name_;
    std::uint64_t cycles_ = 0;
  };

  RtlOutput& rtl_;
  RtlChecks checks_;
  std::vector<Failure> taken_;  ///< not yet collected by their checkers
  Checker assertions_, unique_, calls_;
};

}  // namespace kernbench::sim
