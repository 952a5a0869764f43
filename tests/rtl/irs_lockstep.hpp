// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "tests/rtl/irs_bench.hpp"

namespace kernbench::tests {

/// Runs a bench in lockstep with one IrsModel per instance and compares every output in every
/// cycle, with the clock high and low. Independent of the model, checks that accepted packets are
/// delivered in order and that a stage with ready holds no more packets than its capacity.
class IrsLockstep {
 public:
  /// Changes the observed outputs of an instance before the comparison, to inject a fault.
  using Tamper = std::function<void(std::size_t instance, IrsOutputs& observed)>;

  explicit IrsLockstep(std::uint64_t power_on_seed = 1);

  [[nodiscard]] const std::vector<IrsInstance>& instances() const { return bench_.instances(); }
  void set_tamper(Tamper tamper) { tamper_ = std::move(tamper); }

  /// Executes one cycle. Returns the instances that accepted a packet.
  const std::vector<bool>& step(const std::vector<IrsInputs>& inputs);
  /// Sets the reset, which takes effect at once, and compares the outputs. Packets inside are lost.
  void set_reset(bool asserted);

  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }
  [[nodiscard]] std::uint64_t delivered(std::size_t instance) const { return delivered_[instance]; }
  [[nodiscard]] std::uint64_t mismatch_count() const { return mismatch_count_; }
  /// Descriptions of the first mismatches, at most 10.
  [[nodiscard]] const std::vector<std::string>& mismatches() const { return mismatches_; }
  /// Every "instance, stage, packets held, push/pop/both/neither" that never occurred.
  [[nodiscard]] std::vector<std::string> unseen_transitions() const;

 private:
  /// Per stage: cycles with [packets held][packet arrived][packet left].
  using Transitions = std::array<std::array<std::array<std::uint64_t, 2>, 2>, 3>;

  void compare();
  void compare_one(std::size_t instance, const IrsOutputs& expected, const IrsOutputs& observed);
  void account(std::size_t instance);
  void cover(std::size_t instance);
  void mismatch(std::size_t instance, const std::string& what);

  IrsBench bench_;
  std::vector<maze::IrsModel> models_;
  std::vector<IrsInputs> inputs_;
  std::vector<IrsOutputs> observed_;
  std::vector<bool> taken_;
  std::vector<std::deque<Payload>> inside_;
  std::vector<std::vector<Transitions>> transitions_;
  std::vector<std::uint64_t> delivered_;
  Tamper tamper_;
  bool in_reset_ = false;
  std::uint64_t cycles_ = 0;
  std::uint64_t mismatch_count_ = 0;
  std::vector<std::string> mismatches_;
};

}  // namespace kernbench::tests
