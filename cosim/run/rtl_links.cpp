// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/rtl_links.hpp"

#include <fmt/format.h>

#include <utility>

#include "model/fabric/clocked/fabric_failure.hpp"

namespace kernbench::cosim {

using maze::BitPlane;
using maze::TopoInputs;
using maze::TopoOutputs;

namespace {

constexpr std::uint64_t kTracedAfterFailure = 160;

/// Clears the bits of `plane` that are not set in `other`.
void keep_common(BitPlane& plane, const BitPlane& other) {
  for (std::size_t i = 0; i < plane.size(); ++i) plane.data()[i] &= other.data()[i];
}

}  // namespace

RtlLinks::RtlLinks(std::shared_ptr<sim::MazeDut> dut, const RtlLinksOptions& options)
    : dut_(std::move(dut)),
      shape_(dut_->info().shape),
      links_(shape_.nx, shape_.ny),
      runner_(*dut_),
      lockstep_(shape_, links_),
      scoreboard_(shape_, links_),
      watchdog_(shape_, links_, options.watchdog_cycles),
      assertions_(*dut_, links_),
      rtl_(*dut_),
      hash_(shape_),
      coverage_(shape_, links_, sim::BackPressure::None, &lockstep_.reference(), 1),
      intended_(shape_) {
  checkers_.add("lockstep", lockstep_);
  checkers_.add("scoreboard", scoreboard_);
  checkers_.add("watchdog", watchdog_);
  if (dut_->info().checkers) checkers_.add("assertions", assertions_);
  rtl_.add_to(checkers_);
  checkers_.attach_to(runner_);
  runner_.add(hash_);
  if (options.fault) {
    injector_.emplace(shape_, links_, *options.fault, options.seed);
    runner_.set_tap(&*injector_);
  } else {
    runner_.add(coverage_);
  }
  runner_.set_trace(options.trace);
  runner_.begin();
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    for (unsigned node = 0; node < shape_.nodes(); ++node) intended_.in_ready.set(port, node);
  }
  for (std::uint64_t i = 0; i < kResetCycles; ++i) runner_.cycle(intended_, true, false);
}

void RtlLinks::step(model::fabric::Edge edge, const TopoInputs& inputs, TopoOutputs& outputs) {
  intended_ = inputs;
  runner_.cycle(intended_, false, false);
  outputs = runner_.observed();
  if (injector_) {
    // A fault may silence a source or stop a receiver: no packet moves there.
    keep_common(outputs.out_ready, intended_.out_valid);
    keep_common(outputs.in_valid, intended_.in_ready);
  }
  if (!runner_.failed()) return;
  const sim::Failure first = checkers_.failures().front();
  throw model::fabric::FabricFailure(
      edge, fmt::format("cycle {} of the RTL: {} {}: {}", first.cycle, first.checker, first.kind,
                        first.message));
}

void RtlLinks::finish(bool failed) {
  if (std::exchange(finished_, true)) return;
  failed = failed || runner_.failed();
  runner_.end({failed ? sim::StopReason::Failed : sim::StopReason::Drained, runner_.now()});
  for (std::uint64_t i = 0; failed && i < kTracedAfterFailure && runner_.tracing(); ++i) {
    runner_.cycle(intended_, false, false);
  }
  runner_.close();
}

}  // namespace kernbench::cosim
