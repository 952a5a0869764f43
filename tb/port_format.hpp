// SPDX-License-Identifier: Apache-2.0
#pragma once

// Layout of the planes of a MAZE cycle in the ports of tb/maze_tb_top.sv: each plane is an array
// with the same layout in memory, so moving it is a copy.

#include <Vmaze_tb_top.h>

#include <cstddef>
#include <cstring>

#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// The pins of one maze_tb_top.
class Pins {
 public:
  explicit Pins(Vmaze_tb_top& top) : top_(top) {}

  void drive(const maze::TopoInputs& inputs) {
    copy(&top_.out_valid_i, inputs.out_valid.data(), sizeof(top_.out_valid_i));
    copy(&top_.in_ready_i, inputs.in_ready.data(), sizeof(top_.in_ready_i));
    copy(&top_.out_payload_i, inputs.out_payload.data(), sizeof(top_.out_payload_i));
  }

  void sample(maze::TopoOutputs& outputs) const {
    copy(outputs.out_ready.data(), &top_.out_ready_o, sizeof(top_.out_ready_o));
    copy(outputs.in_valid.data(), &top_.in_valid_o, sizeof(top_.in_valid_o));
    copy(outputs.in_payload.data(), &top_.in_payload_o, sizeof(top_.in_payload_o));
  }

  /// Executes the rising edge deferred by rising_edge() and applies the inputs, in one evaluation.
  void settle(bool rst_n) {
    if (edge_due_) {
      top_.clk_i = 1;
      // The edge ends the previous cycle and must see the reset of that cycle.
      if ((top_.rst_ni != 0) != rst_n) top_.eval();
      edge_due_ = false;
    }
    top_.rst_ni = static_cast<CData>(rst_n);
    top_.apply_i = top_.apply_i == 0;
    top_.eval();
  }

  /// Executes the falling edge, at which the checkers sample.
  void falling_edge() {
    top_.clk_i = 0;
    top_.eval();
  }

  /// Defers the rising edge to settle(); this is not observable, because outputs are sampled after
  /// settle().
  void rising_edge() { edge_due_ = true; }

 private:
  static void copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

  Vmaze_tb_top& top_;
  bool edge_due_ = false;
};

}  // namespace kernbench::sim
