// SPDX-License-Identifier: Apache-2.0
// Speed of the verilated MAZE network and of its reference, in cycles/s beside the bare TOPO.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "common/hash.hpp"
#include "common/random.hpp"
#include "maze/network_model.hpp"
#include "maze/packet_layout.hpp"
#include "maze/plane_bits.hpp"
#include "ratio_report.hpp"
#include "sim/dut/dut_library.hpp"

namespace kernbench::bench {
namespace {

using maze::NetworkInputs;
using maze::NetworkOutputs;
using maze::Shape;

constexpr Shape kShape{8, 8, 8};
constexpr std::uint64_t kCyclesPerRound = 2000;

/// Uniform unicasts of all nodes, half of them high, drawn beforehand. A refused packet is held.
class Users {
 public:
  explicit Users(double load) : inputs_(kShape) {
    const maze::PacketLayout layout(kShape);
    common::Rng rng = common::Rng::stream(1, "bench", 0);
    const auto threshold = common::probability_threshold(load);
    for (std::size_t i = 0; i < kFrames * kShape.nodes(); ++i) {
      const unsigned source = i % kShape.nodes();
      offers_[i / kShape.nodes()] |= std::uint64_t{rng.chance(threshold)} << source;
      packets_[i] =
          layout.encode({.qos = static_cast<unsigned>(rng.below(2)),
                         .src = layout.address(source),
                         .tgt = layout.address(static_cast<unsigned>(rng.below(kShape.nodes())))});
    }
    inputs_.in_ready[0] = ~std::uint64_t{0};
  }

  /// Returns the inputs of the next cycle; `ready` is what the network answered to the last.
  const NetworkInputs& next(std::uint64_t ready) {
    std::uint64_t& valid = inputs_.out_valid[0];
    accepted_ += static_cast<std::uint64_t>(std::popcount(valid & ready));
    valid &= ~ready;
    const std::size_t frame = frame_++ % kFrames;
    const std::uint64_t offered = offers_[frame] & ~valid;
    const maze::Payload* packets = packets_.data() + frame * kShape.nodes();
    maze::for_each_bit(offered, [&](unsigned node) { inputs_.out_payload[node] = packets[node]; });
    valid |= offered;
    return inputs_;
  }
  [[nodiscard]] std::uint64_t accepted() const { return accepted_; }

 private:
  static constexpr std::size_t kFrames = 1024;
  NetworkInputs inputs_;
  std::vector<std::uint64_t> offers_ = std::vector<std::uint64_t>(kFrames);
  std::vector<maze::Payload> packets_ = std::vector<maze::Payload>(kFrames * kShape.nodes());
  std::size_t frame_ = 0;
  std::uint64_t accepted_ = 0;
};

void add_outputs(common::RunHash& hash, const NetworkOutputs& out) {
  hash.add(out.out_ready[0]);
  hash.add(out.in_valid[0]);
  maze::for_each_bit(out.in_valid[0], [&](unsigned node) { hash.add(out.in_payload[node]); });
}

/// Times `cycle(inputs, outputs)`, and counts cycles and accepted packets.
template <class Cycle>
void run(benchmark::State& state, double load, Cycle cycle) {
  Users users(load);
  NetworkOutputs out(kShape);
  common::RunHash hash;
  std::uint64_t cycles = 0;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < kCyclesPerRound; ++i) {
      cycle(users.next(out.out_ready[0]), out);
      add_outputs(hash, out);
    }
    cycles += kCyclesPerRound;
  }
  benchmark::DoNotOptimize(hash);
  state.counters["cycles/s"] =
      benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
  state.counters["accepted"] =
      static_cast<double>(users.accepted()) / static_cast<double>(cycles * kShape.nodes());
}

void rtl_network(benchmark::State& state, const sim::NetworkLibrary& library, double load) {
  const std::shared_ptr<sim::NetworkDut> dut = library.create(1);
  const auto cycle = [&](const NetworkInputs& in, NetworkOutputs& out) {
    dut->drive(in);
    dut->settle();
    dut->sample(out);
    dut->clock_edge();
  };
  dut->set_reset(true);
  NetworkOutputs out(kShape);
  cycle(NetworkInputs(kShape), out);
  dut->set_reset(false);
  run(state, load, cycle);
}

void reference(benchmark::State& state, double load) {
  maze::NetworkModel model({.shape = kShape});
  run(state, load, [&](const NetworkInputs& in, NetworkOutputs& out) {
    model.evaluate(out);
    model.clock(in);
  });
}

/// Times the bare TOPO at 10 % load, as bench-maze does.
void bare_topo(benchmark::State& state, const sim::DutLibrary& library) {
  common::Rng rng = common::Rng::stream(1, "bench", 0);
  const auto threshold = common::probability_threshold(0.1);
  std::vector<maze::TopoInputs> frames(64, maze::TopoInputs(kShape));
  for (maze::TopoInputs& frame : frames) {
    for (unsigned port = 0; port < kShape.ports(); ++port) {
      for (unsigned node = 0; node < kShape.nodes(); ++node) {
        frame.out_valid.set(port, node, rng.chance(threshold));
        frame.in_ready.set(port, node);
        frame.out_payload.at(port, node) = rng.bits64() >> (64 - kShape.payload_w());
      }
    }
  }
  const std::shared_ptr<sim::MazeDut> dut = library.create(1);
  maze::TopoOutputs out(kShape);
  std::uint64_t cycles = 0;
  for (auto _ : state) {
    for (std::uint64_t i = 0; i < kCyclesPerRound; ++i) {
      dut->drive(frames[cycles++ % frames.size()]);
      dut->settle();
      dut->sample(out);
      dut->clock_edge();
    }
  }
  benchmark::DoNotOptimize(out.in_valid.data());
  state.counters["cycles/s"] =
      benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
}

template <class Run>
void add(const std::string& name, Run run) {
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->Unit(benchmark::kMillisecond)
      ->Repetitions(9)
      ->MinTime(0.2)
      ->ReportAggregatesOnly(true);
}

/// Returns the path in an environment variable, which `make bench BENCH=network` sets.
const char* model_path(const char* variable) {
  return std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): no threads
}

void add_all() {
  if (const char* path = model_path("KERNBENCH_BARE_MODEL")) {
    const sim::DutLibrary library(path);
    add("topo", [=](benchmark::State& state) { bare_topo(state, library); });
  }
  for (const double load : {0.05, 0.1, 0.9, 1.0}) {
    const std::string at = fmt::format("/{:.2f}", load);
    if (const char* path = model_path("KERNBENCH_NETWORK_MODEL")) {
      const sim::NetworkLibrary library(path);
      add("rtl" + at, [=](benchmark::State& state) { rtl_network(state, library, load); });
    }
    add("reference" + at, [=](benchmark::State& state) { reference(state, load); });
  }
}

const std::vector<Ratio> kRatios = {
    {"RTL network at 0.9 to bare TOPO", "rtl/0.90", "topo", 0.15},
    {"RTL network at 0.1 to bare TOPO", "rtl/0.10", "topo", 0},
    {"reference at 0.9 to bare TOPO", "reference/0.90", "topo", 2.0},
    {"reference at 0.05 to bare TOPO", "reference/0.05", "topo", 10},
    {"reference to RTL network, 0.9", "reference/0.90", "rtl/0.90", 0},
};

}  // namespace
}  // namespace kernbench::bench

int main(int argc, char** argv) {
  kernbench::bench::add_all();
  return kernbench::bench::run_benchmarks(argc, argv, kernbench::bench::kRatios);
}
