#include "sim/harness/cycle_runner.hpp"

#include <algorithm>

namespace kernbench::sim {

using maze::TopoInputs;

CycleRunner::CycleRunner(MazeDut& dut)
    : dut_(dut),
      observed_(dut.info().shape),
      source_fired_(dut.info().shape),
      sink_fired_(dut.info().shape) {}

void CycleRunner::begin() {
  if (!trace_.path.empty()) dut_.open_trace(trace_.path);
  if (!trace_.path.empty() && trace_.link) watch_.emplace(dut_.info().shape, *trace_.link);
  for (Extension* extension : extensions_) extension->before();
}

void CycleRunner::end(const RunEnd& end) {
  for (Extension* extension : extensions_) extension->after(end);
  ended_ = true;
}

void CycleRunner::close() {
  if (!trace_.path.empty()) dut_.close_trace();
}

void CycleRunner::cycle(TopoInputs& intended, bool in_reset, bool draining) {
  if (!trace_.path.empty()) dut_.enable_trace(now_ >= trace_.first && now_ <= trace_.last);
  if (in_reset != in_reset_ || now_ == 0) dut_.set_reset(in_reset);
  in_reset_ = in_reset;

  Tap* const tap = in_reset ? nullptr : tap_;
  const Tap::Inputs inputs = tap ? tap->drive(now_, intended) : Tap::Inputs{&intended, &intended};
  dut_.drive(*inputs.pins);
  dut_.settle();
  dut_.sample(observed_);
  if (tap) tap->observe(now_, observed_);
  compute_fires(intended, in_reset);

  const CycleView view{now_,          in_reset,   draining,       &intended,
                       inputs.driven, &observed_, &source_fired_, &sink_fired_};
  if (!ended_) {
    for (Extension* extension : extensions_) extension->on_cycle(view);
  }
  if (watch_) dut_.annotate(watch_->note(view));
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
