// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "reference_dut.hpp"

namespace kernbench::sim {

/// Wraps a correct fabric. Derived classes may change its inputs and outputs.
class WrappedDut : public MazeDut {
 public:
  explicit WrappedDut(const maze::Shape& shape) : inner_(shape) {}

  [[nodiscard]] const DutInfo& info() const override { return inner_.info(); }
  void set_reset(bool asserted) override { inner_.set_reset(asserted); }
  void drive(const maze::TopoInputs& inputs) override { inner_.drive(inputs); }
  void settle() override { inner_.settle(); }
  void sample(maze::TopoOutputs& outputs) const override { inner_.sample(outputs); }
  void falling_edge() override { inner_.falling_edge(); }
  void clock_edge() override { inner_.clock_edge(); }
  std::vector<Violation> take_violations() override { return {}; }
  void open_trace(const std::string& path) override { inner_.open_trace(path); }
  void enable_trace(bool on) override { inner_.enable_trace(on); }
  void close_trace() override { inner_.close_trace(); }
  void write_coverage(const std::string& path) override { inner_.write_coverage(path); }

 private:
  ReferenceDut inner_;
};

/// One link, given by node and port of its sending end, never accepts a packet.
class DeadLinkDut : public WrappedDut {
 public:
  DeadLinkDut(const maze::Shape& shape, unsigned node, unsigned port)
      : WrappedDut(shape), node_(node), port_(port) {}

  void drive(const maze::TopoInputs& inputs) override {
    maze::TopoInputs pins = inputs;
    pins.out_valid.set(port_, node_, false);
    WrappedDut::drive(pins);
  }
  void sample(maze::TopoOutputs& outputs) const override {
    WrappedDut::sample(outputs);
    outputs.out_ready.set(port_, node_, false);
  }

 private:
  unsigned node_;
  unsigned port_;
};

}  // namespace kernbench::sim
