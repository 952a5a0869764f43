// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "maze/irs_model.hpp"
#include "sim/dut/maze_dut.hpp"
#include "sim/harness/extension.hpp"

namespace kernbench::sim {

/// The ends of the chain in a bench of one IRS_N (tb/primitive/maze_tb_top.sv).
inline constexpr LinkEnd kChainSource{0, 0};
inline constexpr LinkEnd kChainSink{1, 0};

/// Runs the reference of one IRS_N beside a bench that has nothing else, and compares valid, ready
/// and an offered payload in every cycle, resets included. Writes the expected values into the
/// waveform. Kinds: valid, ready, payload.
class IrsLockstep : public Extension {
 public:
  IrsLockstep(const maze::IrsParams& params, MazeDut& dut) : reference_(params), dut_(dut) {}

  void on_cycle(const CycleView& view) override;
  /// Cycles.
  [[nodiscard]] std::uint64_t checks() const override { return compared_; }

 private:
  void report(const CycleView& view, const char* kind, const std::string& got,
              const std::string& expected);

  maze::IrsModel reference_;
  MazeDut& dut_;
  std::uint64_t compared_ = 0;
};

}  // namespace kernbench::sim
