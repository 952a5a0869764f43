// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/rtl_network.hpp"

#include <fmt/format.h>

#include <utility>

#include "model/fabric/clocked/fabric_failure.hpp"

namespace kernbench::cosim {

RtlNetwork::RtlNetwork(std::shared_ptr<sim::NetworkDut> dut, std::optional<unsigned> failed,
                       const std::optional<sim::NetworkTrace>& trace)
    : network_(std::move(dut), failed), entries_(network_.config().shape) {
  if (trace) network_.trace(*trace);
  network_.reset(maze::NetworkInputs(network_.config().shape), kResetCycles);
}

void RtlNetwork::step(model::fabric::Edge edge, const maze::NetworkInputs& inputs,
                      maze::NetworkOutputs& outputs) {
  network_.step(inputs);
  outputs = network_.outputs();
  const maze::NetworkModel& reference = network_.lockstep().model();
  entries_.count(reference.from_nodes(), reference.to_nodes());
  if (!network_.has_failed()) return;
  failures_.push_back(
      {"network", "difference", network_.cycle() - 1, std::nullopt, network_.failure().text});
  const maze::NetworkInputs idle(config().shape);
  while (!network_.is_over()) network_.step(idle);  // the cycles behind the failure, for the waves
  network_.close_trace();
  throw model::fabric::FabricFailure(edge, "RTL: " + network_.failure().text);
}

void RtlNetwork::finish() {
  const bool had_failed = network_.has_failed();
  network_.finish();
  if (had_failed || !network_.has_failed()) return;
  failures_.push_back(
      {"network", "report", network_.failure().cycle, std::nullopt, network_.failure().text});
}

std::vector<sim::CheckerResult> RtlNetwork::checkers() const {
  const std::uint64_t failed = failures_.empty() ? 0 : 1;
  std::vector<sim::CheckerResult> results = {
      {"lockstep", network_.cycle(), failed},
      {"delivery oracle", network_.oracle().delivered(), failed}};
  if (network_.info().checkers)
    results.push_back({"checkers of the nodes", network_.cycle(), failed});
  return results;
}

}  // namespace kernbench::cosim
