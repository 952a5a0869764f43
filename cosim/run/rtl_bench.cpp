// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/rtl_bench.hpp"

#include <fmt/format.h>

#include <utility>

#include "model/fabric/clocked/fabric_failure.hpp"

namespace kernbench::cosim {
namespace {

constexpr std::uint64_t kTracedAfterFailure = 160;

[[noreturn]] void fail(model::fabric::Edge edge, const sim::Failure& first) {
  throw model::fabric::FabricFailure(
      edge, fmt::format("cycle {} of the RTL: {} {}: {}", first.cycle, first.checker, first.kind,
                        first.message));
}

}  // namespace

template <class Frame>
RtlBenchOf<Frame>::RtlBenchOf(std::shared_ptr<Design> dut)
    : dut_(std::move(dut)), runner_(*dut_), rtl_(*dut_), intended_(Frame::idle_inputs(*dut_)) {}

template <class Frame>
void RtlBenchOf<Frame>::attach_checkers() {
  rtl_.add_to(checkers_);
  checkers_.attach_to(runner_);
}

template <class Frame>
void RtlBenchOf<Frame>::begin() {
  runner_.begin();
  for (std::uint64_t i = 0; i < kResetCycles; ++i) runner_.cycle(intended_, true, false);
}

template <class Frame>
void RtlBenchOf<Frame>::step(model::fabric::Edge edge, const Inputs& inputs) {
  intended_ = inputs;
  runner_.cycle(intended_, false, false);
  if (!runner_.failed()) return;
  fail(edge, checkers_.failures().front());
}

template <class Frame>
void RtlBenchOf<Frame>::finish(bool failed) {
  if (std::exchange(finished_, true)) return;
  failed = failed || runner_.failed();
  runner_.end({failed ? sim::StopReason::Failed : sim::StopReason::Drained, runner_.now()});
  for (std::uint64_t i = 0; failed && i < kTracedAfterFailure && runner_.tracing(); ++i) {
    runner_.cycle(intended_, false, false);
  }
  runner_.close();
}

template <class Frame>
void RtlBenchOf<Frame>::require_passed(model::fabric::Edge edge) {
  finish();
  const std::vector<sim::Failure> failures = checkers_.failures();
  if (!failures.empty()) fail(edge, failures.front());
}

template class RtlBenchOf<sim::PlaneFrame>;
template class RtlBenchOf<sim::NocFrame>;

}  // namespace kernbench::cosim
