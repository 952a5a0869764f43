// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/pin_recorder.hpp"

#include <algorithm>
#include <utility>

namespace kernbench::sim {

void PinRecorder::on_cycle(const CycleView& view) {
  Cycle cycle;
  cycle.reset = view.in_reset;
  if (view.in_reset && view.reset != ResetCycle{}) exact_ = false;
  for (unsigned port = 0; port < ports_; ++port) {
    for (unsigned node = 0; node < shape_.nodes(); ++node) {
      if (!view.driven->in_ready.test(port, node)) cycle.stalled.push_back({node, port});
      if (!view.driven->out_valid.test(port, node)) continue;
      cycle.offers.push_back({{node, port}, view.driven->out_payload.at(port, node), true});
    }
  }
  cycles_.push_back(std::move(cycle));
}

PinTrace PinRecorder::trace(PinBench bench) const {
  PinTrace trace;
  trace.bench = bench;
  trace.shape = shape_;
  const auto is_in = [](const std::vector<PinPort>& ports, const PinPort& port) {
    return std::find(ports.begin(), ports.end(), port) != ports.end();
  };
  for (const Cycle& cycle : cycles_) {
    for (const PinPort& port : cycle.stalled) {
      if (!is_in(trace.receivers, port)) trace.receivers.push_back(port);
    }
  }
  for (const Cycle& cycle : cycles_) {
    PinCycle pins{cycle.reset, cycle.offers, {}};
    for (const PinPort& port : trace.receivers) pins.ready.push_back(!is_in(cycle.stalled, port));
    trace.cycles.push_back(std::move(pins));
  }
  return trace;
}

}  // namespace kernbench::sim
