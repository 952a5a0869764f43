// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/back_pressure.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/stimulus/random_bits.hpp"
#include "sim/stimulus/traffic_rules.hpp"

namespace kernbench::sim {

using common::probability_threshold;
using maze::BitPlane;
using maze::Shape;

namespace {

const BackPressureSpec& checked(const BackPressureSpec& spec) {
  if (const auto wrong = problem(spec)) throw std::invalid_argument(*wrong);
  return spec;
}

std::uint64_t threshold_of(const BackPressureSpec& spec) {
  switch (spec.kind) {
    case BackPressure::Random:
      return probability_threshold(spec.ready_probability);
    case BackPressure::LongStalls:
      // A pause with a mean of m cycles ends with probability 1/(1+m) in every cycle.
      return probability_threshold(1.0 / (1.0 + spec.stall_interval));
    default:
      return 0;
  }
}

std::uint32_t longest_count(const BackPressureSpec& spec) {
  switch (spec.kind) {
    case BackPressure::Periodic:
      return std::max(spec.ready_cycles, spec.stalled_cycles);
    case BackPressure::LongStalls:
      return spec.stall_length;
    default:
      return 0;
  }
}

}  // namespace

BackPressureGenerator::BackPressureGenerator(const Shape& shape, unsigned ports,
                                             const BackPressureSpec& spec, common::Rng rng)
    : spec_(checked(spec)),
      rng_(rng),
      threshold_(threshold_of(spec)),
      every_(shape, ports),
      ready_(shape, ports),
      remaining_(shape, ports, longest_count(spec)) {
  for (unsigned port = 0; port < ports; ++port) {
    for (unsigned node = 0; node < shape.nodes(); ++node) every_.set(port, node);
  }
  ready_ = every_;
  if (spec_.kind == BackPressure::Periodic) start_at_random_phases(shape);
  if (spec_.kind == BackPressure::HeavyTailed) {
    runs_.emplace(shape, ports, RunLengths::HeavyTailed, spec_.longest, rng_);
  } else if (spec_.kind == BackPressure::LengthSweep) {
    runs_.emplace(shape, ports, RunLengths::Sweep, spec_.longest, rng_);
  }
}

void BackPressureGenerator::start_at_random_phases(const Shape& shape) {
  const std::uint64_t period = std::uint64_t{spec_.ready_cycles} + spec_.stalled_cycles;
  for (unsigned port = 0; port < ready_.ports(); ++port) {
    for (unsigned node = 0; node < shape.nodes(); ++node) {
      // The rest of the period: first the ready cycles, then the stalled ones.
      const std::uint64_t left = period - rng_.below(period);
      const bool is_ready = left > spec_.stalled_cycles;
      ready_.set(port, node, is_ready);
      const auto word = static_cast<std::size_t>(ready_.port(port) + node / 64 - ready_.data());
      remaining_.load(word, std::uint64_t{1} << (node % 64),
                      static_cast<std::uint32_t>(is_ready ? left - spec_.stalled_cycles : left));
    }
  }
}

void BackPressureGenerator::ready(std::uint64_t cycle, BitPlane& in_ready) {
  switch (spec_.kind) {
    case BackPressure::None:
      in_ready = every_;
      break;
    case BackPressure::Random:
      for (std::size_t w = 0; w < in_ready.size(); ++w) {
        in_ready.data()[w] = random_bits(rng_, threshold_, every_.data()[w]);
      }
      break;
    case BackPressure::Periodic:
      step_periodic(in_ready);
      break;
    case BackPressure::LongStalls:
      step_long_stalls(in_ready);
      break;
    case BackPressure::HeavyTailed:
    case BackPressure::LengthSweep:
      in_ready = runs_->step();
      break;
    case BackPressure::AllStalled: {
      const std::uint64_t period = std::uint64_t{spec_.stall_interval} + spec_.stall_length;
      if (cycle % period < spec_.stall_interval) {
        in_ready = every_;
      } else {
        in_ready.clear();
      }
      break;
    }
  }
}

void BackPressureGenerator::step_periodic(BitPlane& in_ready) {
  in_ready = ready_;
  for (std::size_t w = 0; w < in_ready.size(); ++w) {
    const std::uint64_t ended = remaining_.count_down(w, every_.data()[w]);
    if (ended == 0) continue;
    ready_.data()[w] ^= ended;
    remaining_.load(w, ended & ready_.data()[w], spec_.ready_cycles);
    remaining_.load(w, ended & ~ready_.data()[w], spec_.stalled_cycles);
  }
}

void BackPressureGenerator::step_long_stalls(BitPlane& in_ready) {
  for (std::size_t w = 0; w < in_ready.size(); ++w) {
    std::uint64_t& ready = ready_.data()[w];
    const std::uint64_t stalling = random_bits(rng_, threshold_, ready);
    remaining_.load(w, stalling, spec_.stall_length);
    ready &= ~stalling;
    in_ready.data()[w] = ready;
    ready |= remaining_.count_down(w, every_.data()[w] & ~ready);
  }
}

}  // namespace kernbench::sim
