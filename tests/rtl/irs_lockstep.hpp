#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "tests/rtl/irs_bench.hpp"

namespace kernbench::tests {

/// Runs a bench beside one IrsModel for each of its instances and compares every output in every
/// cycle, with the clock high and low. Beside that, and without the model: what was accepted must
/// be delivered in order, and no more may be inside than the capacity (stages with ready).
class IrsLockstep {
 public:
  /// Changes what was observed of an instance before it is compared: a fault to be found.
  using Tamper = std::function<void(std::size_t instance, IrsOutputs& observed)>;

  explicit IrsLockstep(std::uint64_t power_on_seed = 1);

  [[nodiscard]] const std::vector<IrsInstance>& instances() const { return bench_.instances(); }
  void set_tamper(Tamper tamper) { tamper_ = std::move(tamper); }

  /// One cycle. Returns which instances accepted a packet.
  const std::vector<bool>& step(const std::vector<IrsInputs>& inputs);
  /// Takes effect at once; the outputs are compared at once too. Packets inside are lost.
  void set_reset(bool asserted);

  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }
  [[nodiscard]] std::uint64_t delivered(std::size_t instance) const { return delivered_[instance]; }
  [[nodiscard]] std::uint64_t mismatch_count() const { return mismatch_count_; }
  /// The first mismatches in words, at most 10.
  [[nodiscard]] const std::vector<std::string>& mismatches() const { return mismatches_; }
  /// Every "instance, stage, packets held, push/pop/both/neither" that never happened.
  [[nodiscard]] std::vector<std::string> unseen_transitions() const;

 private:
  /// Per stage: cycles with [packets held][packet came][packet left].
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
