// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/rtl_bench.hpp"

#include <fmt/format.h>

#include <utility>

#include "model/fabric/clocked/fabric_failure.hpp"

namespace kernbench::cosim {
namespace {

constexpr std::uint64_t kTracedAfterFailure = 160;

}  // namespace

RtlBench::RtlBench(std::shared_ptr<sim::Dut> dut)
    : dut_(std::move(dut)),
      runner_(*dut_),
      rtl_(*dut_),
      intended_(dut_->info().shape, dut_->ports()) {}

void RtlBench::attach_checkers() {
  rtl_.add_to(checkers_);
  checkers_.attach_to(runner_);
}

void RtlBench::begin() {
  runner_.begin();
  const maze::Shape& shape = dut_->info().shape;
  for (unsigned w = 0; w < intended_.in_ready.size(); ++w) {
    intended_.in_ready[w] = shape.node_mask(w % shape.words());
  }
  for (std::uint64_t i = 0; i < kResetCycles; ++i) runner_.cycle(intended_, true, false);
}

void RtlBench::step(model::fabric::Edge edge, const maze::TopoInputs& inputs) {
  intended_ = inputs;
  runner_.cycle(intended_, false, false);
  if (!runner_.failed()) return;
  const sim::Failure first = checkers_.failures().front();
  throw model::fabric::FabricFailure(
      edge, fmt::format("cycle {} of the RTL: {} {}: {}", first.cycle, first.checker, first.kind,
                        first.message));
}

void RtlBench::finish(bool failed) {
  if (std::exchange(finished_, true)) return;
  failed = failed || runner_.failed();
  runner_.end({failed ? sim::StopReason::Failed : sim::StopReason::Drained, runner_.now()});
  for (std::uint64_t i = 0; failed && i < kTracedAfterFailure && runner_.tracing(); ++i) {
    runner_.cycle(intended_, false, false);
  }
  runner_.close();
}

}  // namespace kernbench::cosim
