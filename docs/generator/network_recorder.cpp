// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/network_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>

namespace kernbench::docs {
namespace {

using maze::Shape;
using Kind = ShownPort::Kind;

constexpr Shape kSmall{4, 3, 8};

/// The lines of one port.
struct PortLines {
  std::string valid, ready, data;
};

bool bit_of(const maze::BitPlane& plane, unsigned node) {
  return (plane[node / 64] >> node % 64 & 1U) != 0;
}

std::string port_name(const ShownPort& shown) {
  if (shown.kind == Kind::A) return fmt::format("A {}", shown.node);
  if (shown.kind == Kind::B) return fmt::format("B {}", shown.node);
  const bool is_x = shown.port < kSmall.x_ports();
  return fmt::format("{} {}[{}]", shown.node, is_x ? "xo" : "yo",
                     is_x ? shown.port : shown.port - kSmall.x_ports());
}

/// The users of the network: a queue of packets at each A.
class ScenarioUsers {
 public:
  explicit ScenarioUsers(const NetworkScenario& scenario)
      : scenario_(scenario), waiting_(kSmall.nodes()), inputs_(kSmall) {}

  const maze::NetworkInputs& next(std::uint64_t cycle) {
    for (const OfferedPacket& one : scenario_.packets) {
      if (one.cycle == cycle) waiting_[one.node].push_back(one);
    }
    const maze::PacketLayout layout(kSmall);
    inputs_.out_valid[0] = 0;
    for (unsigned node = 0; node < kSmall.nodes(); ++node) {
      if (waiting_[node].empty()) continue;
      const OfferedPacket& one = waiting_[node].front();
      inputs_.out_valid[0] |= std::uint64_t{1} << node;
      inputs_.out_payload[node] = layout.encode({.type = one.type,
                                                 .qos = one.qos,
                                                 .src = layout.address(node),
                                                 .tgt = layout.address(one.target),
                                                 .data = one.data});
    }
    inputs_.in_ready[0] = ~std::uint64_t{0};
    if (scenario_.stalled && cycle <= scenario_.stalled_until) {
      inputs_.in_ready[0] &= ~(std::uint64_t{1} << *scenario_.stalled);
    }
    return inputs_;
  }

  void accepted(const maze::BitPlane& ready) {
    for (unsigned node = 0; node < kSmall.nodes(); ++node) {
      if (!waiting_[node].empty() && bit_of(ready, node)) waiting_[node].pop_front();
    }
  }

 private:
  const NetworkScenario& scenario_;
  std::vector<std::deque<OfferedPacket>> waiting_;
  maze::NetworkInputs inputs_;
};

void add_cell(PortLines& lines, bool valid, bool ready, maze::Payload packet) {
  lines.valid += fmt::format("{:>3}", valid ? 1 : 0);
  lines.ready += fmt::format("{:>3}", ready ? 1 : 0);
  lines.data += valid ? fmt::format("{:>3}", fmt::format("{:02X}", packet & 0xFFU)) : "  .";
}

/// Returns offers of `count` packets that follow each other, with data from `data` on.
std::vector<OfferedPacket> row_of(unsigned count, OfferedPacket first) {
  std::vector<OfferedPacket> all;
  for (unsigned i = 0; i < count; ++i) {
    all.push_back(first);
    ++first.data;
  }
  return all;
}

std::vector<OfferedPacket> together(std::vector<OfferedPacket> a,
                                    const std::vector<OfferedPacket>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

const std::vector<NetworkScenario>& network_scenarios() {
  static const std::vector<NetworkScenario> scenarios = {
      {.name = "unicast",
       .packets = row_of(2, {.node = 0, .cycle = 1, .target = 2, .data = 0xA0}),
       .cycles = 10,
       .ports = {{Kind::A, 0}, {Kind::LinkOut, 0, 1}, {Kind::B, 2}}},
      {.name = "full",
       .packets = row_of(7, {.node = 0, .cycle = 1, .target = 0, .data = 0xB0}),
       .stalled = 0,
       .stalled_until = 8,
       .cycles = 18,
       .ports = {{Kind::A, 0}, {Kind::B, 0}}},
      {.name = "levels",
       .packets = together(row_of(3, {.node = 5, .cycle = 1, .qos = 0, .target = 1, .data = 0xC0}),
                           row_of(3, {.node = 1, .cycle = 3, .qos = 1, .target = 1, .data = 0xD0})),
       .cycles = 14,
       .ports = {{Kind::A, 5}, {Kind::A, 1}, {Kind::B, 1}}},
      {.name = "column",
       .packets = {{.node = 1, .cycle = 1, .type = 1, .target = 0, .data = 0xE0}},
       .cycles = 11,
       .ports = {{Kind::A, 1}, {Kind::B, 0}, {Kind::B, 4}, {Kind::B, 8}}},
      {.name = "failed",
       .failed = 4,
       .packets = {{.node = 1, .cycle = 1, .type = 1, .target = 0, .data = 0xE0},
                   {.node = 1, .cycle = 2, .target = 1, .data = 0xE1}},
       .cycles = 14,
       .ports = {{Kind::A, 1}, {Kind::B, 0}, {Kind::B, 8}, {Kind::B, 1}}},
  };
  return scenarios;
}

std::string network_waveform(sim::NetworkDut& dut, const NetworkScenario& scenario) {
  if (dut.info().config.shape != kSmall || !dut.info().links) {
    throw std::invalid_argument("the waveforms need a network of 4x3 nodes with visible links");
  }
  ScenarioUsers users(scenario);
  std::vector<PortLines> lines(scenario.ports.size());
  std::string numbers;
  maze::NetworkOutputs outputs(kSmall);
  sim::LinkSignals links(kSmall);
  dut.set_failed(scenario.failed);
  const std::uint64_t reset_cycles = 2;
  for (std::uint64_t cycle = 0; cycle < reset_cycles + scenario.cycles; ++cycle) {
    const bool in_reset = cycle < reset_cycles;
    dut.set_reset(in_reset);
    const maze::NetworkInputs idle(kSmall);
    const maze::NetworkInputs& inputs = in_reset ? idle : users.next(cycle - reset_cycles);
    dut.drive(inputs);
    dut.settle();
    dut.sample(outputs);
    dut.sample_links(links);
    dut.clock_edge();
    if (in_reset) continue;
    numbers += fmt::format("{:>3}", cycle - reset_cycles);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto& [kind, node, port] = scenario.ports[i];
      if (kind == Kind::A) {
        add_cell(lines[i], bit_of(inputs.out_valid, node), bit_of(outputs.out_ready, node),
                 inputs.out_payload[node]);
      } else if (kind == Kind::B) {
        add_cell(lines[i], bit_of(outputs.in_valid, node), bit_of(inputs.in_ready, node),
                 outputs.in_payload[node]);
      } else {
        add_cell(lines[i], links.from_nodes.out_valid.test(port, node),
                 links.to_nodes.out_ready.test(port, node),
                 links.from_nodes.out_payload.at(port, node));
      }
    }
    users.accepted(outputs.out_ready);
  }
  std::string text = fmt::format("{:<12}{}\n", "cycle", numbers);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string name = port_name(scenario.ports[i]);
    text += fmt::format("{:<12}{}\n{:<12}{}\n{:<12}{}\n", name + " vld", lines[i].valid,
                        name + " rdy", lines[i].ready, name + " data", lines[i].data);
  }
  return text;
}

}  // namespace kernbench::docs
