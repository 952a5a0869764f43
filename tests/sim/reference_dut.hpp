// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "maze/topo_model.hpp"
#include "sim/dut/maze_dut.hpp"

namespace kernbench::sim {

/// The cycle reference behind the DUT interface: a fabric for tests of the harness, without a
/// verilated model.
class ReferenceDut : public MazeDut {
 public:
  explicit ReferenceDut(const maze::Shape& shape) : model_(shape), inputs_(shape), outputs_(shape) {
    info_.shape = shape;
    info_.build_hash = "reference";
  }
  [[nodiscard]] const DutInfo& info() const override { return info_; }
  void set_reset(bool asserted) override { in_reset_ = asserted; }
  void drive(const maze::TopoInputs& inputs) override { inputs_ = inputs; }
  void settle() override {
    if (in_reset_) model_.reset();
    model_.evaluate(inputs_, outputs_);
  }
  void sample(maze::TopoOutputs& outputs) const override { outputs = outputs_; }
  void falling_edge() override {}
  void clock_edge() override {
    if (!in_reset_) model_.clock(inputs_);
  }
  std::vector<Violation> take_violations() override { return {}; }
  void open_trace(const std::string& /*path*/) override { throw std::logic_error("no tracing"); }
  void enable_trace(bool /*on*/) override {}
  void close_trace() override {}
  void write_coverage(const std::string& /*path*/) override {
    throw std::logic_error("no coverage");
  }

 private:
  DutInfo info_;
  maze::TopoModel model_;
  maze::TopoInputs inputs_;
  maze::TopoOutputs outputs_;
  bool in_reset_ = false;
};

}  // namespace kernbench::sim
