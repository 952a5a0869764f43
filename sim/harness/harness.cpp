#include "sim/harness/harness.hpp"

#include <algorithm>

namespace kernbench::sim {

using model::maze::BitPlane;
using model::maze::TopoInputs;

namespace {

constexpr std::uint64_t kHeartbeatCycles = 2048;
// An empty fabric offers nothing for longer than its deepest link (7 stages at 16x16) takes.
constexpr std::uint64_t kQuietCycles = 16;

bool all_zero(const BitPlane& plane) {
  return std::all_of(plane.data(), plane.data() + plane.size(), [](auto w) { return w == 0; });
}

}  // namespace

Harness::Harness(MazeDut& dut, Driver& driver)
    : dut_(dut),
      driver_(driver),
      shape_(dut.info().shape),
      intended_(shape_),
      driven_(shape_),
      pins_(shape_),
      observed_(shape_),
      source_fired_(shape_),
      sink_fired_(shape_) {}

RunEnd Harness::run(const RunPlan& plan) {
  if (!trace_.path.empty()) dut_.open_trace(trace_.path);
  for (Extension* extension : extensions_) extension->before();
  const auto spell = [&](Phase phase, std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) cycle(phase);
  };

  StopReason reason = StopReason::Drained;
  spell(Phase::Reset, plan.reset_cycles);
  auto next_reset = plan.reset_at.begin();
  std::uint64_t run = 0;
  std::uint64_t drained = 0;
  std::uint64_t quiet = 0;
  std::uint64_t failing = 0;
  for (;;) {
    const bool running = run < plan.cycles && !driver_.exhausted();
    if (running && next_reset != plan.reset_at.end() && *next_reset == run) {
      spell(Phase::Reset, plan.reset_cycles);
      ++next_reset;
    }
    cycle(running ? Phase::Run : Phase::Drain);
    if (running) ++run;
    if (failed() && failing++ >= plan.after_failure) {
      reason = StopReason::Failed;
      break;
    }
    if (heartbeat_ && now_ % kHeartbeatCycles == 0 && !heartbeat_(now_)) {
      reason = StopReason::Interrupted;
      break;
    }
    if (running) continue;
    quiet = fabric_quiet() ? quiet + 1 : 0;
    if (quiet == kQuietCycles) break;
    if (++drained > plan.drain_limit) {
      reason = StopReason::DrainLimit;
      break;
    }
  }
  if (reason == StopReason::Drained && failed()) reason = StopReason::Failed;
  for (Extension* extension : extensions_) extension->after({reason, now_});
  if (reason == StopReason::Drained && failed()) reason = StopReason::Failed;
  if (!trace_.path.empty()) dut_.close_trace();
  return {reason, now_};
}

void Harness::cycle(Phase phase) {
  const bool in_reset = phase == Phase::Reset;
  if (!trace_.path.empty()) dut_.enable_trace(now_ >= trace_.first && now_ <= trace_.last);
  driver_.drive(now_, phase, source_fired_, intended_);
  if (in_reset != in_reset_ || now_ == 0) dut_.set_reset(in_reset);
  in_reset_ = in_reset;

  const TopoInputs* driven = &intended_;
  const TopoInputs* pins = &intended_;
  if (injector_ != nullptr && !in_reset) {
    injector_->surroundings(now_, intended_);
    driven_ = intended_;
    injector_->stimulus(now_, driven_);
    pins_ = driven_;
    injector_->pins(now_, pins_);
    driven = &driven_;
    pins = &pins_;
  }
  dut_.drive(*pins);
  dut_.settle();
  dut_.sample(observed_);
  if (injector_ != nullptr && !in_reset) injector_->observed(now_, *driven, observed_);
  compute_fires(in_reset);

  const CycleView view{now_,   in_reset,   phase == Phase::Drain, &intended_,
                       driven, &observed_, &source_fired_,        &sink_fired_};
  for (Extension* extension : extensions_) extension->on_cycle(view);
  dut_.clock_edge();
  ++now_;
}

void Harness::compute_fires(bool in_reset) {
  if (in_reset) {
    source_fired_.clear();
    sink_fired_.clear();
    return;
  }
  for (std::size_t i = 0; i < source_fired_.size(); ++i) {
    source_fired_.data()[i] = intended_.out_valid.data()[i] & observed_.out_ready.data()[i];
    sink_fired_.data()[i] = observed_.in_valid.data()[i] & intended_.in_ready.data()[i];
  }
}

bool Harness::failed() const {
  return std::any_of(extensions_.begin(), extensions_.end(),
                     [](const Extension* e) { return e->failure_count() != 0; });
}

bool Harness::fabric_quiet() const {
  return all_zero(intended_.out_valid) && all_zero(observed_.in_valid);
}

}  // namespace kernbench::sim
