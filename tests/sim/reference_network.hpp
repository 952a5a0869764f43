// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "maze/network_model.hpp"
#include "sim/dut/network_dut.hpp"

namespace kernbench::sim {

/// The cycle reference behind the interface of a network: for tests of its checkers and cases,
/// without a verilated model. Derived classes may change what it shows.
class ReferenceNetwork : public NetworkDut {
 public:
  explicit ReferenceNetwork(const maze::NetworkConfig& config)
      : model_(config), inputs_(config.shape), outputs_(config.shape) {
    info_.shape = config.shape;
    info_.build_hash = "reference";
    info_.config = config;
    info_.config.failed.reset();
    info_.links = true;
  }
  [[nodiscard]] const NetworkInfo& info() const override { return info_; }
  void set_failed(std::optional<unsigned> node) override {
    maze::NetworkConfig config = info_.config;
    config.failed = node;
    model_ = maze::NetworkModel(config);
  }
  void set_reset(bool asserted) override { in_reset_ = asserted; }
  void drive(const maze::TopoInputs& inputs) override {
    static_cast<maze::TopoInputs&>(inputs_) = inputs;
  }
  void settle() override {
    if (in_reset_) model_.reset();
    model_.evaluate(outputs_);
  }
  void sample(maze::TopoOutputs& outputs) const override { outputs = outputs_; }
  void sample_links(LinkSignals& signals) const override {
    signals.from_nodes = model_.from_nodes();
    signals.to_nodes = model_.to_nodes();
  }
  void falling_edge() override {}
  void clock_edge() override {
    if (!in_reset_) model_.clock(inputs_);
    ++cycle_;
  }
  [[nodiscard]] std::vector<Violation> take_violations() override { return {}; }
  void open_trace(const std::string& /*path*/) override { throw std::logic_error("no tracing"); }
  void enable_trace(bool /*on*/) override {}
  void close_trace() override {}
  void annotate(const PortNote& /*note*/) override {}
  void write_coverage(const std::string& /*path*/) override {
    throw std::logic_error("no coverage");
  }

 protected:
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }

 private:
  NetworkInfo info_;
  maze::NetworkModel model_;
  maze::NetworkInputs inputs_;
  maze::NetworkOutputs outputs_;
  std::uint64_t cycle_ = 0;
  bool in_reset_ = false;
};

}  // namespace kernbench::sim
