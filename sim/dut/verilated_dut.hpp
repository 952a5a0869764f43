// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kb_build.hpp"
#include "kb_members.hpp"
#include "sim/dut/dut.hpp"
#include "sim/dut/verilated_coverage.hpp"
#include "sim/dut/verilated_messages.hpp"
#include "sim/dut/verilated_start.hpp"
#include "sim/dut/verilated_wave.hpp"

namespace kernbench::sim {

/// Common part of the DUTs of verilated tops: messages, waves, coverage, violations and the end of
/// a simulation. `Design` is MazeDut or NetworkDut.
template <class Design, class Top>
class VerilatedDut : public Design {
 public:
  ~VerilatedDut() override {
    wave_.close();
    VerilatedDut::finish();
  }

  void set_reset(bool asserted) override { reset_ = asserted; }
  [[nodiscard]] RtlChecks rtl_checks() const override {
    return {KB_RTL_ASSERTIONS, KB_RTL_UNIQUE, KB_ASSERT != 0};
  }
  std::vector<RtlEvent> take_events() override { return messages_.take_events(); }
  [[nodiscard]] RtlText rtl_text() const override { return messages_.text(); }
  void finish() override {
    if (!std::exchange(finished_, true)) evaluate([this] { top_->final(); });
  }
  [[nodiscard]] std::vector<Member> members() const override {
    std::vector<Member> members;
    const auto add = [&](const char* instance, const void* object, const auto& table) {
      for (const ModelMember& one : table) {
        members.push_back({instance, one.name, one.bits,
                           static_cast<const char*>(object) + one.offset, one.bytes});
      }
    };
    each_model_part(*top_->rootp->vlSymsp, add);
    return members;
  }
  [[nodiscard]] std::vector<Violation> take_violations() override {
    return std::exchange(violations_, {});
  }
  void open_trace(const std::string& path) override { wave_.open(*top_, path); }
  void enable_trace(bool on) override { wave_.enable(on); }
  void close_trace() override { wave_.close(); }
  void write_coverage(const std::string& path) override {
    write_verilated_coverage(*context_, path);
  }

  /// Records a violation for the DUT that this thread evaluates. The call of a checker does not
  /// identify its DUT. Ignored in the first evaluation, which is of random flops.
  static void violated(Violation violation) {
    if (evaluated == nullptr || evaluated->violations_.size() >= kMaxPending) return;
    const std::uint64_t cycle = evaluated->wave_.cycle();
    violation.cycle = cycle - std::min(cycle, Design::kCheckedLate);
    evaluated->violations_.push_back(std::move(violation));
  }

 protected:
  VerilatedDut(std::uint64_t seed, const std::vector<std::string>& plusargs) {
    context_->traceEverOn(KB_TRACE != 0);
    top_ = start_verilated<Top>(*context_, seed, plusargs, messages_);
  }

  /// Evaluates the model: its checkers and messages lead here.
  template <class Evaluate>
  void evaluate(Evaluate&& evaluate) {
    VerilatedDut* const outer = std::exchange(evaluated, this);
    context_->time(wave_.time_ns());
    messages_.evaluate(*context_, wave_.cycle(), evaluate);
    evaluated = outer;
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Top> top_;
  VerilatedWave<Top> wave_;
  RtlMessages messages_;
  bool reset_ = false;

 private:
  // Bound on the violations kept between two calls of take_violations(): a broken DUT may violate
  // rules on every link in every cycle.
  static constexpr std::size_t kMaxPending = 4096;
  static inline thread_local VerilatedDut* evaluated = nullptr;

  std::vector<Violation> violations_;
  bool finished_ = false;
};

}  // namespace kernbench::sim
