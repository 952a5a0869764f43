// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/driver.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/stimulus/payload_generator.hpp"
#include "sim/stimulus/trace_replay.hpp"
#include "sim/stimulus/traffic_rules.hpp"
#include "sim/trace/link_trace.hpp"

namespace kernbench::sim {

using common::Rng;
using maze::BitPlane;
using maze::Shape;
using maze::TopoInputs;

Driver::Driver(const Shape& shape, const topology::MazeLinks& links, const TrafficSpec& traffic,
               const BackPressureSpec& back_pressure, std::uint64_t seed)
    : back_pressure_(shape, back_pressure, Rng::stream(seed, "back_pressure")),
      ready_in_reset_(seed),
      every_(shape),
      offered_(shape),
      reached_(shape),
      free_(shape),
      start_(shape) {
  if (const auto wrong = problem(traffic, shape)) throw std::invalid_argument(*wrong);
  if (traffic.pattern == Pattern::Trace) {
    const auto replay =
        std::make_shared<TraceReplay>(shape, read_link_trace(traffic.trace_file, shape));
    pattern_ = replay;
    payloads_ = replay;
  } else {
    pattern_ = make_traffic_pattern(traffic, shape, links, Rng::stream(seed, "traffic"));
    payloads_ = std::make_shared<PayloadGenerator>(shape, links, traffic, seed);
  }
  for (unsigned port = 0; port < shape.ports(); ++port) {
    for (unsigned node = 0; node < shape.nodes(); ++node) every_.set(port, node);
  }
}

void Driver::drive(std::uint64_t cycle, Phase phase, const BitPlane& source_fired,
                   TopoInputs& inputs) {
  if (phase == Phase::Reset) {
    offered_.clear();
    reached_.clear();
  } else {
    for (std::size_t w = 0; w < offered_.size(); ++w) {
      offered_.data()[w] &= ~source_fired.data()[w];
    }
  }
  ready_in_reset_.drive(phase == Phase::Reset, every_, inputs.in_ready);
  if (phase == Phase::Run) {
    back_pressure_.ready(cycle, inputs.in_ready);
    start_packets(cycle, inputs);
  } else if (phase == Phase::Drain) {
    inputs.in_ready = every_;
  }
  inputs.out_valid = offered_;
}

void Driver::start_packets(std::uint64_t cycle, TopoInputs& inputs) {
  for (std::size_t w = 0; w < free_.size(); ++w) {
    free_.data()[w] = every_.data()[w] & ~offered_.data()[w];
  }
  pattern_->start(cycle, {free_, inputs.in_ready}, start_);
  payloads_->fill(start_, inputs.out_payload);
  for (std::size_t w = 0; w < offered_.size(); ++w) {
    offered_.data()[w] |= start_.data()[w];
    reached_.data()[w] |= start_.data()[w];
    ever_started_ |= start_.data()[w];
  }
}

bool Driver::idle() const {
  return std::all_of(offered_.data(), offered_.data() + offered_.size(),
                     [](std::uint64_t word) { return word == 0; });
}

}  // namespace kernbench::sim
