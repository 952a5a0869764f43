// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/rtl_network.hpp"

namespace kernbench::cosim {
namespace {

maze::NetworkConfig config_of(const sim::NetworkDut& dut, std::optional<unsigned> failed) {
  maze::NetworkConfig config = dut.info().config;
  config.failed = failed;
  return config;
}

}  // namespace

RtlNetwork::RtlNetwork(const std::shared_ptr<sim::NetworkDut>& dut, std::optional<unsigned> failed,
                       const sim::TraceWindow& trace, sim::Extension* observer)
    : bench_(dut),
      lockstep_(config_of(*dut, failed)),
      scoreboard_(config()),
      assertions_(*dut, sim::Ports::of_users(config().shape)),
      collector_(lockstep_.reference()),
      entries_(config().shape) {
  dut->set_failed(failed);
  sim::CycleRunner& runner = bench_.runner();
  runner.add(collector_);
  sim::CheckerSet& checkers = bench_.checkers();
  checkers.add("lockstep", lockstep_);
  checkers.add("scoreboard", scoreboard_);
  if (dut->info().checkers) checkers.add("assertions", assertions_);
  bench_.attach_checkers();
  if (observer != nullptr) runner.add(*observer);
  if (!trace.path.empty()) {
    const sim::LinkEnd user{0, config().shape.ports()};
    watch_.emplace(*dut, config(), trace.link.value_or(user));
    runner.set_trace(trace, &*watch_);
  }
  bench_.begin();
}

void RtlNetwork::step(model::fabric::Edge edge, const maze::NetworkInputs& inputs,
                      maze::NetworkOutputs& outputs) {
  bench_.step(edge, inputs);
  static_cast<maze::TopoOutputs&>(outputs) = bench_.runner().frame().observed();
  const maze::NetworkModel& reference = lockstep_.reference();
  entries_.count(reference.from_nodes(), reference.to_nodes());
}

}  // namespace kernbench::cosim
