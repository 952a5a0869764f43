// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/unit_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace kernbench::sim {
namespace {

using maze::Payload;

/// A port of the module: a vector of the signals with its name.
struct Vector {
  std::string name;
  bool is_input = false;
  unsigned bits = 0;
};

std::vector<Vector> ports_of(const Recording& recording) {
  std::vector<Vector> ports;
  for (std::size_t i = 0; i < recording.ports; ++i) {
    const UnitSignal& signal = recording.signals[i];
    auto found = std::find_if(ports.begin(), ports.end(),
                              [&](const Vector& port) { return port.name == signal.name; });
    if (found == ports.end()) {
      ports.push_back({signal.name, signal.kind == UnitSignal::Kind::Input, 0});
      found = ports.end() - 1;
    }
    found->bits = std::max(found->bits, signal.low + signal.bits);
  }
  return ports;
}

/// Returns a literal of the values that `get` returns for the signals of a port.
template <typename Get>
std::string literal(const Recording& recording, const Vector& port, Get get) {
  std::vector<bool> bits(port.bits);
  for (std::size_t i = 0; i < recording.ports; ++i) {
    const UnitSignal& signal = recording.signals[i];
    if (signal.name != port.name) continue;
    const Payload value = get(i);
    for (unsigned b = 0; b < signal.bits; ++b) bits[signal.low + b] = (value >> b & 1U) != 0;
  }
  std::string digits;
  for (unsigned at = (port.bits + 3) / 4 * 4; at != 0; at -= 4) {
    unsigned digit = 0;
    for (unsigned b = at; b-- > at - 4;) digit = digit * 2 + (b < port.bits && bits[b] ? 1 : 0);
    digits += "0123456789abcdef"[digit];
  }
  return fmt::format("{}'h{}", port.bits, digits);
}

/// Returns the parameters of the module, and the connections that do not change.
std::pair<std::string, std::string> settings_of(const Recording& recording,
                                                const maze::NetworkConfig& config) {
  const maze::Shape& shape = config.shape;
  if (recording.unit.kind == Unit::Kind::Link) {
    return {fmt::format(".PYLD_W({}), .IRS_DEEP({})", shape.payload_w(), recording.depth), ""};
  }
  const unsigned ax = shape.x_addr_bits();
  const unsigned ay = shape.y_addr_bits();
  const unsigned node = recording.unit.at.node;
  const unsigned failed = config.failed.value_or(0);
  const auto address = [&](unsigned one) { return (one / shape.nx) << ax | one % shape.nx; };
  return {
      fmt::format(".NX({}), .NY({}), .FLIT_W({}), .AX({}), .AY({}), .HIGH_BOUND({}), .FIXED({})",
                  shape.nx, shape.ny, shape.flit_w, ax, ay, config.high_bound,
                  config.fixed_priority ? 1 : 0),
      fmt::format(", .x_i({}'d{}), .y_i({}'d{}), .pg_en_i(1'b{}), .pg_node_i({}'d{})", ax,
                  node % shape.nx, ay, node / shape.nx, config.failed ? 1 : 0, ax + ay,
                  address(failed))};
}

}  // namespace

std::string unit_bench(const Recording& recording, const maze::NetworkConfig& config) {
  if (recording.cycles.empty() || recording.cycles.front().cycle != 0) return {};
  const std::vector<Vector> ports = ports_of(recording);
  const auto [parameters, connections] = settings_of(recording, config);
  std::string out;
  const auto add = [&](const std::string& text) { out += text; };
  add(
      fmt::format("// {} of {}, cycle by cycle.\n`timescale 1ns / 1ns\nmodule bench;\n"
                  "  reg clk = 1'b0, rst_n = 1'b1;\n  integer cycle = 0, wrong = 0;\n",
                  recording.module, recording.name));
  for (const Vector& port : ports) {
    add(fmt::format("  {} [{}:0] {};\n", port.is_input ? "reg" : "wire", port.bits - 1, port.name));
  }
  add(fmt::format("  {} #({}) dut (.clk(clk), .rst_n(rst_n){}", recording.module, parameters,
                  connections));
  for (const Vector& port : ports) add(fmt::format(", .{0}({0})", port.name));
  add(");\n\n  // One cycle: the inputs, then of each output what is expected and which bits "
      "count.\n"
      "  task step(input r");
  for (const Vector& port : ports) {
    if (port.is_input) {
      add(fmt::format(", input [{}:0] {}_v", port.bits - 1, port.name));
    } else {
      add(fmt::format(", input [{0}:0] {1}_v, input [{0}:0] {1}_m", port.bits - 1, port.name));
    }
  }
  add(");\n    begin\n      rst_n = r;\n");
  for (const Vector& port : ports) {
    if (port.is_input) add(fmt::format("      {0} = {0}_v;\n", port.name));
  }
  add("      #4;\n");
  for (const Vector& port : ports) {
    if (port.is_input) continue;
    add(
        fmt::format("      if ((({0} ^ {0}_v) & {0}_m) !== 0) begin\n"
                    "        if (wrong == 0) $display(\"FAIL cycle %0d: {0} is %h, expected %h\", "
                    "cycle, {0} & {0}_m, {0}_v);\n        wrong = wrong + 1;\n      end\n",
                    port.name));
  }
  add("      #1 clk = 1'b1;\n      #5 clk = 1'b0;\n      cycle = cycle + 1;\n    end\n  endtask\n\n"
      "  initial begin\n");
  for (const UnitCycle& cycle : recording.cycles) {
    add(fmt::format("    step(1'b{}", cycle.in_reset ? 0 : 1));
    for (const Vector& port : ports) {
      if (port.is_input) {
        add(", " + literal(recording, port, [&](std::size_t i) { return cycle.seen[i]; }));
        continue;
      }
      add(", " +
          literal(recording, port, [&](std::size_t i) { return cycle.expected[i].value_or(0); }));
      add(", " + literal(recording, port, [&](std::size_t i) {
            return cycle.expected[i] ? ~Payload{0} : Payload{0};
          }));
    }
    add(");\n");
  }
  add("    if (wrong == 0) $display(\"PASS %0d cycles\", cycle);\n    $finish;\n  "
      "end\nendmodule\n");
  return out;
}

}  // namespace kernbench::sim
