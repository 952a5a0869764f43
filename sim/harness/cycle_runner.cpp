// SPDX-License-Identifier: Apache-2.0
#include "sim/harness/cycle_runner.hpp"

#include <algorithm>

namespace kernbench::sim {

template <class Frame>
void CycleRunnerOf<Frame>::begin() {
  if (!trace_.path.empty()) dut_.open_trace(wave_.emplace(trace_.path).written_path());
  for (Extension* extension : extensions_) extension->before();
}

template <class Frame>
void CycleRunnerOf<Frame>::end(const RunEnd& end) {
  dut_.finish();
  for (Extension* extension : extensions_) extension->after(end);
  ended_ = true;
}

template <class Frame>
void CycleRunnerOf<Frame>::close(bool keep_trace) {
  if (!wave_) return;
  dut_.close_trace();
  if (keep_trace) wave_->commit();
  wave_.reset();
}

template <class Frame>
void CycleRunnerOf<Frame>::begin_cycle() {
  if (!trace_.path.empty()) dut_.enable_trace(now_ >= trace_.first && now_ <= trace_.last);
}

template <class Frame>
void CycleRunnerOf<Frame>::set_reset(bool asserted) {
  if (asserted != in_reset_ || now_ == 0) dut_.set_reset(asserted);
  in_reset_ = asserted;
}

template <class Frame>
void CycleRunnerOf<Frame>::show(CycleView& view) {
  frame_.show(view);
  if (!ended_) {
    for (Extension* extension : extensions_) extension->on_cycle(view);
  }
  if (watch_ != nullptr) watch_->on_cycle(view);
}

template <class Frame>
void CycleRunnerOf<Frame>::cycle(Inputs& intended, bool in_reset, bool draining) {
  begin_cycle();
  set_reset(in_reset);
  Interceptor* const tap = in_reset ? nullptr : tap_;
  CycleView view{.cycle = now_, .in_reset = in_reset, .draining = draining};
  frame_.drive(dut_, tap, intended, view);
  dut_.settle();
  frame_.sample(dut_);
  if (tap != nullptr) frame_.intercept(*tap, now_);
  show(view);
  dut_.clock_edge();
  ++now_;
}

template <class Frame>
void CycleRunnerOf<Frame>::reset_cycle(const Inputs& before, Inputs& intended,
                                       const ResetCycle& reset) {
  begin_cycle();
  set_reset(reset.from == ClockMoment::Rise);
  Frame::drive(dut_, reset.from == ClockMoment::Low ? before : intended);
  dut_.settle();
  CycleView view{.cycle = now_, .in_reset = true, .reset = reset};
  bool high = true;
  const auto change_at = [&](ClockMoment moment, bool asserted) {
    if (moment == ClockMoment::Low && high) {
      dut_.falling_edge();
      high = false;
    }
    Frame::drive(dut_, intended);
    set_reset(asserted);
    dut_.settle();
  };
  if (reset.from != ClockMoment::Rise) change_at(reset.from, true);
  if (reset.to != ClockMoment::End) change_at(reset.to, false);
  frame_.sample(dut_);
  Frame::tell(intended, view);
  show(view);
  dut_.clock_edge();
  ++now_;
}

template <class Frame>
bool CycleRunnerOf<Frame>::failed() const {
  return std::any_of(extensions_.begin(), extensions_.end(),
                     [](const Extension* e) { return e->failure_count() != 0; });
}

template class CycleRunnerOf<PlaneFrame>;
template class CycleRunnerOf<NocFrame>;

}  // namespace kernbench::sim
