// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/link_recorder.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "maze/packet_layout.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::docs {

using maze::Payload;
using maze::Shape;
using maze::TopoInputs;
using maze::TopoOutputs;

namespace {

constexpr Shape kShape{8, 8, 8};
constexpr unsigned kNode = 28;  // [3,4], the node of the examples in the requirements
constexpr unsigned kFirstData = 0xA0;

/// Appends `stimulus` for `count` cycles.
void append(std::vector<LinkStimulus>& cycles, unsigned count, const LinkStimulus& stimulus) {
  cycles.insert(cycles.end(), count, stimulus);
}

Scenario wire() {
  Scenario s{
      "wire", "A link of depth 0: valid, ready and packet pass within the cycle", {kNode, 0}, {}};
  append(s.cycles, 1, {});
  append(s.cycles, 1, {.packets = 1});
  append(s.cycles, 1, {});
  append(s.cycles, 1, {.packets = 2, .ready = false});
  append(s.cycles, 1, {.ready = false});
  append(s.cycles, 4, {});
  return s;
}

Scenario latency() {
  Scenario s{"latency",
             "A link of depth 3, never stalled: every packet three cycles later",
             {kNode, 3},
             {}};
  append(s.cycles, 1, {});
  append(s.cycles, 1, {.packets = 3});
  append(s.cycles, 4, {});
  append(s.cycles, 1, {.packets = 1});
  append(s.cycles, 5, {});
  return s;
}

Scenario stall() {
  Scenario s{"stall",
             "A link of depth 3 fills with six packets while stalled, then is released",
             {kNode, 3},
             {}};
  append(s.cycles, 1, {.packets = 8, .ready = false});
  append(s.cycles, 8, {.ready = false});
  append(s.cycles, 10, {});
  return s;
}

Scenario reset() {
  Scenario s{"reset", "A reset under traffic empties a link of depth 3 at once", {kNode, 3}, {}};
  append(s.cycles, 1, {.packets = 9});
  append(s.cycles, 3, {});
  append(s.cycles, 3, {.ready = false});
  append(s.cycles, 2, {.reset = true});
  append(s.cycles, 1, {});
  append(s.cycles, 1, {.packets = 1});
  append(s.cycles, 4, {});
  return s;
}

/// Runs one cycle of a fabric up to the sampling of its outputs.
void settle(sim::MazeDut& dut, const TopoInputs& inputs, TopoOutputs& outputs) {
  dut.drive(inputs);
  dut.settle();
  dut.sample(outputs);
}

std::string row(const std::string& label, const std::vector<std::string>& cells) {
  std::string text = fmt::format("{:<10}", label);
  for (const std::string& cell : cells) text += fmt::format("{:>3}", cell);
  return text + "\n";
}

}  // namespace

const std::vector<Scenario>& shipped_scenarios() {
  static const std::vector<Scenario> scenarios = {wire(), latency(), stall(), reset()};
  return scenarios;
}

std::vector<LinkSample> record(sim::MazeDut& dut, const Scenario& scenario) {
  if (!(dut.info().shape == kShape)) {
    throw std::invalid_argument("the timing diagrams need a fabric of 8x8 nodes and 8 data bits");
  }
  const topology::MazeLinks links(kShape.nx, kShape.ny);
  const topology::MazeLink& link = links.leaving(scenario.source.node, scenario.source.port);
  const maze::PacketLayout layout(kShape);
  TopoInputs inputs(kShape);
  TopoOutputs outputs(kShape);

  dut.set_reset(true);
  for (int i = 0; i < 2; ++i) {
    settle(dut, inputs, outputs);
    dut.clock_edge();
  }

  std::vector<LinkSample> samples;
  unsigned sent = 0;
  unsigned waiting = 0;
  unsigned held = 0;
  for (const LinkStimulus& stimulus : scenario.cycles) {
    waiting = stimulus.reset ? 0 : waiting + stimulus.packets;
    const Payload packet = layout.encode({.type = 0,
                                          .qos = 0,
                                          .src = layout.address(link.from.node),
                                          .tgt = layout.address(link.to.node),
                                          .data = kFirstData + sent});
    dut.set_reset(stimulus.reset);
    inputs.out_valid.set(link.from.port, link.from.node, waiting != 0);
    inputs.out_payload.at(link.from.port, link.from.node) = packet;
    inputs.in_ready.set(link.to.port, link.to.node, stimulus.ready);
    settle(dut, inputs, outputs);
    if (stimulus.reset) held = 0;

    LinkSample sample;
    sample.rst_n = !stimulus.reset;
    sample.out_valid = waiting != 0;
    sample.out_ready = outputs.out_ready.test(link.from.port, link.from.node);
    sample.out_packet = packet;
    sample.in_valid = outputs.in_valid.test(link.to.port, link.to.node);
    sample.in_ready = stimulus.ready;
    sample.in_packet = outputs.in_payload.at(link.to.port, link.to.node);
    sample.held = held;
    if (sample.accepted()) {
      --waiting;
      ++sent;
      ++held;
    }
    if (sample.delivered()) --held;
    samples.push_back(sample);
    dut.clock_edge();
  }
  return samples;
}

std::string signal_name(unsigned port, char side, const std::string& field) {
  const bool is_x = port < kShape.x_ports();
  return fmt::format("{}{}_{}[{}]", is_x ? 'x' : 'y', side, field,
                     is_x ? port : port - kShape.x_ports());
}

std::string waveform_text(const Scenario& scenario, const std::vector<LinkSample>& samples) {
  const topology::MazeLinks links(kShape.nx, kShape.ny);
  const topology::MazeLink& link = links.leaving(scenario.source.node, scenario.source.port);
  const auto line = [&](const std::string& label, auto cell) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < samples.size(); ++i) cells.push_back(cell(i));
    return row(label, cells);
  };
  const auto bit = [](bool value) { return std::string(value ? "1" : "0"); };
  const auto data = [](bool valid, Payload packet) {
    return valid ? fmt::format("{:02X}", packet & 0xFFU) : std::string(".");
  };
  const unsigned port = link.from.port;
  return line("cycle", [](std::size_t i) { return fmt::format("{}", i); }) +
         line("rst_n", [&](std::size_t i) { return bit(samples[i].rst_n); }) +
         line(signal_name(port, 'o', "vld"),
              [&](std::size_t i) { return bit(samples[i].out_valid); }) +
         line(signal_name(port, 'o', "rdy"),
              [&](std::size_t i) { return bit(samples[i].out_ready); }) +
         line(signal_name(port, 'o', "data"),
              [&](std::size_t i) { return data(samples[i].out_valid, samples[i].out_packet); }) +
         line("held", [&](std::size_t i) { return fmt::format("{}", samples[i].held); }) +
         line(signal_name(port, 'i', "vld"),
              [&](std::size_t i) { return bit(samples[i].in_valid); }) +
         line(signal_name(port, 'i', "rdy"),
              [&](std::size_t i) { return bit(samples[i].in_ready); }) +
         line(signal_name(port, 'i', "data"),
              [&](std::size_t i) { return data(samples[i].in_valid, samples[i].in_packet); });
}

}  // namespace kernbench::docs
