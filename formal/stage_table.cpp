// SPDX-License-Identifier: Apache-2.0
// Prints what one stage of the reference does in every state and with every input, at one data bit:
// a line
//
//   lp irs_model 2 01 | 1 1 0 1 | 0 1 0 | 1 1
//
// with the kind of stage, the model, packets held and their values (oldest first); rst_n, valid_i,
// payload_i, ready_i; ready_o, valid_o and payload_o (`-` where nothing is offered); packets held
// after the clock and their values. Contents are seen at the ports, by draining a copy.
// formal/reference.py compares the lines with the netlist.
#include <fmt/format.h>

#include <string>

#include "maze/irs_model.hpp"
#include "maze/topo_model.hpp"

namespace kernbench {
namespace {

using maze::IrsInputs;
using maze::IrsOutputs;

/// A chain of one stage.
class ScalarStage {
 public:
  explicit ScalarStage(const maze::IrsParams& params) : model_(params) {}
  static const char* name() { return "irs_model"; }
  void reset() { model_.reset(); }
  [[nodiscard]] IrsOutputs evaluate(const IrsInputs& inputs) const {
    return model_.evaluate(inputs);
  }
  void clock(const IrsInputs& inputs) { model_.clock(inputs); }
  [[nodiscard]] unsigned stored() const { return model_.stored(); }

 private:
  maze::IrsModel model_;
};

/// A link of depth 1 in a torus of 4x2 nodes: output 1 of node 0, which leads to node 2.
class LinkOfTopo {
 public:
  explicit LinkOfTopo(const maze::IrsParams&) : model_({.nx = 4, .ny = 2, .flit_w = 1}) {}
  static const char* name() { return "topo_model"; }
  void reset() { model_.reset(); }
  [[nodiscard]] IrsOutputs evaluate(const IrsInputs& inputs) const {
    maze::TopoOutputs outputs(model_.shape());
    model_.evaluate(all(inputs), outputs);
    return {.ready_o = outputs.out_ready.test(kPort, 0),
            .valid_o = outputs.in_valid.test(kPort, kReceiver),
            .payload_o = outputs.in_payload.at(kPort, kReceiver)};
  }
  void clock(const IrsInputs& inputs) { model_.clock(all(inputs)); }
  [[nodiscard]] unsigned stored() const { return model_.stored(); }

 private:
  static constexpr unsigned kPort = 1;
  static constexpr unsigned kReceiver = 2;

  [[nodiscard]] maze::TopoInputs all(const IrsInputs& one) const {
    maze::TopoInputs inputs(model_.shape());
    inputs.out_valid.set(kPort, 0, one.valid_i);
    inputs.out_payload.at(kPort, 0) = one.payload_i;
    inputs.in_ready.set(kPort, kReceiver, one.ready_i);
    return inputs;
  }

  maze::TopoModel model_;
};

/// Returns the packets in a stage and their values, such as "2 01".
template <typename Stage>
std::string contents(Stage stage) {
  const unsigned count = stage.stored();
  std::string values;
  while (stage.stored() != 0 && values.size() < count) {
    const IrsInputs drain{.valid_i = false, .payload_i = 0, .ready_i = true};
    const IrsOutputs outputs = stage.evaluate(drain);
    values += outputs.valid_o ? fmt::format("{}", outputs.payload_o) : "?";
    stage.clock(drain);
  }
  return fmt::format("{} {}", count, values.empty() ? "-" : values);
}

template <typename Stage>
void print_table(const char* kind, const maze::IrsParams& params, unsigned capacity) {
  for (unsigned count = 0; count <= capacity; ++count) {
    for (unsigned values = 0; values < 1U << count; ++values) {
      for (unsigned input = 0; input < 16; ++input) {
        Stage stage(params);
        for (unsigned i = 0; i < count; ++i) {
          stage.clock(
              {.valid_i = true, .payload_i = values >> (count - 1 - i) & 1U, .ready_i = false});
        }
        const std::string before = contents(stage);
        const bool rst_n = (input & 8U) != 0;
        const IrsInputs inputs{.valid_i = (input & 4U) != 0,
                               .payload_i = input >> 1 & 1U,
                               .ready_i = (input & 1U) != 0};
        if (!rst_n) stage.reset();
        const IrsOutputs outputs = stage.evaluate(inputs);
        if (rst_n) stage.clock(inputs);
        fmt::print("{} {} {} | {:d} {:d} {} {:d} | {:d} {:d} {} | {}\n", kind, Stage::name(),
                   before, rst_n, inputs.valid_i, inputs.payload_i, inputs.ready_i, outputs.ready_o,
                   outputs.valid_o, outputs.valid_o ? fmt::format("{}", outputs.payload_o) : "-",
                   contents(stage));
      }
    }
  }
}

}  // namespace
}  // namespace kernbench

int main() {
  using kernbench::print_table;
  print_table<kernbench::ScalarStage>("lp", {.depth = 1}, 2);
  print_table<kernbench::LinkOfTopo>("lp", {.depth = 1}, 2);
  print_table<kernbench::ScalarStage>("half", {.depth = 1, .half = true}, 1);
  print_table<kernbench::ScalarStage>("no_ready", {.depth = 1, .no_ready = true}, 1);
}
