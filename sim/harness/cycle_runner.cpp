// SPDX-License-Identifier: Apache-2.0
#include "sim/harness/cycle_runner.hpp"

#include <algorithm>

namespace kernbench::sim {

using maze::TopoInputs;

CycleRunner::CycleRunner(Dut& dut)
    : dut_(dut),
      observed_(dut.info().shape, dut.ports()),
      source_fired_(dut.info().shape, dut.ports()),
      sink_fired_(dut.info().shape, dut.ports()) {
  if (dut.shows_links()) links_.emplace(dut.info().shape);
}

void CycleRunner::begin() {
  if (!trace_.path.empty()) dut_.open_trace(wave_.emplace(trace_.path).written_path());
  for (Extension* extension : extensions_) extension->before();
}

void CycleRunner::end(const RunEnd& end) {
  dut_.finish();
  for (Extension* extension : extensions_) extension->after(end);
  ended_ = true;
}

void CycleRunner::close(bool keep_trace) {
  if (!wave_) return;
  dut_.close_trace();
  if (keep_trace) wave_->commit();
  wave_.reset();
}

void CycleRunner::begin_cycle() {
  if (!trace_.path.empty()) dut_.enable_trace(now_ >= trace_.first && now_ <= trace_.last);
}

void CycleRunner::set_reset(bool asserted) {
  if (asserted != in_reset_ || now_ == 0) dut_.set_reset(asserted);
  in_reset_ = asserted;
}

void CycleRunner::sample() {
  dut_.sample(observed_);
  if (links_) dut_.sample_links(*links_);
}

void CycleRunner::show(CycleView view) {
  compute_fires(*view.intended, view.in_reset);
  view.cycle = now_;
  view.observed = &observed_;
  view.links = links_ ? &*links_ : nullptr;
  view.source_fired = &source_fired_;
  view.sink_fired = &sink_fired_;
  if (!ended_) {
    for (Extension* extension : extensions_) extension->on_cycle(view);
  }
  if (watch_ != nullptr) watch_->on_cycle(view);
}

void CycleRunner::cycle(TopoInputs& intended, bool in_reset, bool draining) {
  begin_cycle();
  set_reset(in_reset);
  Tap* const tap = in_reset ? nullptr : tap_;
  const Tap::Inputs inputs = tap ? tap->drive(now_, intended) : Tap::Inputs{&intended, &intended};
  dut_.drive(*inputs.pins);
  dut_.settle();
  sample();
  if (tap) tap->observe(now_, observed_);
  if (tap && links_) tap->observe_links(now_, *links_);
  show(
      {.in_reset = in_reset, .draining = draining, .intended = &intended, .driven = inputs.driven});
  dut_.clock_edge();
  ++now_;
}

void CycleRunner::reset_cycle(const TopoInputs& before, TopoInputs& intended,
                              const ResetCycle& reset) {
  begin_cycle();
  set_reset(reset.from == ClockMoment::Rise);
  dut_.drive(reset.from == ClockMoment::Low ? before : intended);
  dut_.settle();
  bool high = true;
  const auto change_at = [&](ClockMoment moment, bool asserted) {
    if (moment == ClockMoment::Low && high) {
      dut_.falling_edge();
      high = false;
    }
    dut_.drive(intended);
    set_reset(asserted);
    dut_.settle();
  };
  if (reset.from != ClockMoment::Rise) change_at(reset.from, true);
  if (reset.to != ClockMoment::End) change_at(reset.to, false);
  sample();
  show({.in_reset = true, .intended = &intended, .driven = &intended, .reset = reset});
  dut_.clock_edge();
  ++now_;
}

void CycleRunner::compute_fires(const TopoInputs& intended, bool in_reset) {
  if (in_reset) {
    source_fired_.clear();
    sink_fired_.clear();
    return;
  }
  for (std::size_t i = 0; i < source_fired_.size(); ++i) {
    source_fired_.data()[i] = intended.out_valid.data()[i] & observed_.out_ready.data()[i];
    sink_fired_.data()[i] = observed_.in_valid.data()[i] & intended.in_ready.data()[i];
  }
}

bool CycleRunner::failed() const {
  return std::any_of(extensions_.begin(), extensions_.end(),
                     [](const Extension* e) { return e->failure_count() != 0; });
}

}  // namespace kernbench::sim
