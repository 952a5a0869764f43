// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/rtl_links.hpp"

namespace kernbench::cosim {

using maze::BitPlane;
using maze::TopoInputs;
using maze::TopoOutputs;

namespace {

/// Clears the bits of `plane` that are not set in `other`.
void keep_common(BitPlane& plane, const BitPlane& other) {
  for (std::size_t i = 0; i < plane.size(); ++i) plane.data()[i] &= other.data()[i];
}

}  // namespace

RtlLinks::RtlLinks(const std::shared_ptr<sim::MazeDut>& dut, const RtlLinksOptions& options)
    : bench_(dut),
      shape_(dut->info().shape),
      links_(shape_.nx, shape_.ny),
      lockstep_(shape_, links_),
      scoreboard_(shape_, links_),
      watchdog_(links_, options.watchdog_cycles),
      assertions_(*dut, links_),
      hash_(shape_),
      coverage_(shape_, links_, sim::BackPressure::None, &lockstep_.reference(), 1) {
  sim::CheckerSet& checkers = bench_.checkers();
  checkers.add("lockstep", lockstep_);
  checkers.add("scoreboard", scoreboard_);
  checkers.add("watchdog", watchdog_);
  if (dut->info().checkers) checkers.add("assertions", assertions_);
  bench_.attach_checkers();
  sim::CycleRunner& runner = bench_.runner();
  runner.add(hash_);
  if (options.fault) {
    injector_.emplace(shape_, links_, *options.fault, options.seed);
    runner.set_tap(&*injector_);
  } else {
    runner.add(coverage_);
  }
  if (options.observer != nullptr) runner.add(*options.observer);
  if (!options.trace.path.empty() && options.trace.link) watch_.emplace(*dut, *options.trace.link);
  runner.set_trace(options.trace, watch_ ? &*watch_ : nullptr);
  bench_.begin();
}

void RtlLinks::step(model::fabric::Edge edge, const TopoInputs& inputs, TopoOutputs& outputs) {
  bench_.step(edge, inputs);
  outputs = bench_.runner().frame().observed();
  if (!injector_) return;
  // A fault may silence a source or stop a receiver: no packet moves there.
  keep_common(outputs.out_ready, bench_.intended().out_valid);
  keep_common(outputs.in_valid, bench_.intended().in_ready);
}

}  // namespace kernbench::cosim
