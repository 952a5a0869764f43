// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/dut/dut.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/ports.hpp"

namespace kernbench::sim {

/// Rules of the SystemVerilog checkers that count.
enum class CheckedRules {
  All,
  Links,  ///< without those of senders, for stimulus that may withdraw or change an offer
};

/// Collects the violations that the SystemVerilog checkers report. Kind: the name of the rule.
class Assertions : public Extension {
 public:
  Assertions(Dut& dut, const Ports& ports, CheckedRules rules = CheckedRules::All)
      : dut_(dut), ports_(ports), rules_(rules) {}
  void on_cycle(const CycleView& view) override;
  void after(const RunEnd& end) override;
  /// Cycles in which the model had its checkers.
  [[nodiscard]] std::uint64_t checks() const override { return cycles_; }

 private:
  void collect();

  Dut& dut_;
  Ports ports_;
  CheckedRules rules_;
  std::uint64_t cycles_ = 0;
};

}  // namespace kernbench::sim
