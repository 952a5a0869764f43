// SPDX-License-Identifier: Apache-2.0
// The latency of each operation on an idle system against the formulas of docs/kernels.md, on the
// default system and on one with other parameters.
#include <algorithm>
#include <cmath>

#include "kernel_fixture.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/probe/closed_form.hpp"
#include "model/transport/wire_time.hpp"
#include "topology/routing/path_router.hpp"

namespace kernbench::model::kernel {
namespace {

using components::StageKind;
using topology::NodeKind;

topology::TopologySpec other_spec() {
  topology::TopologySpec spec;
  spec.system.request_bytes = 24;
  spec.pe.clock_ghz = 0.75;
  spec.pe.pe_cpu_overhead_ns = 3.5;
  spec.pe.pe_scheduler_overhead_ns = 1.25;
  spec.pe.pe_dma_overhead_ns = 4.75;
  spec.pe.pe_fetch_store_overhead_ns = 0.5;
  spec.pe.pe_gemm_overhead_ns = 7.0;
  spec.pe.pe_gemm_macs_per_cycle = 1000;
  spec.pe.pe_math_overhead_ns = 1.125;
  spec.pe.pe_math_elements_per_cycle = 33;
  spec.pe.pe_tcm_overhead_ns = 2.5;
  spec.pe.pe_tcm_read_bw_gbs = 300.0;
  spec.pe.pe_tcm_write_bw_gbs = 200.0;
  spec.pe.pe_mmu_tlb_overhead_ns = 0.75;
  spec.pe.pe_ipcq_overhead_ns = 3.25;
  spec.pe.pe_internal = {700.0, 0.25};
  spec.cube.memory_map.channels_per_slice = 4;
  return spec;
}

std::int64_t ps_of(double ns) {
  return common::SimTime::from_ns(ns).ps();
}

/// The formulas of docs/kernels.md.
class Formulas {
 public:
  explicit Formulas(components::Machine& machine)
      : machine_(machine),
        router_(machine.graph()),
        system_(machine.spec().system),
        pe_(machine.spec().pe) {}

  /// Returns the time of a message to another part of the PE, without that part's overhead.
  [[nodiscard]] std::int64_t wire(std::uint64_t bytes) const {
    return occupancy(bytes, pe_.pe_internal.bw_gbs) + travel();
  }
  [[nodiscard]] std::int64_t to_cpu() const { return message() + ps_of(pe_.pe_cpu_overhead_ns); }
  [[nodiscard]] std::int64_t to_scheduler() const {
    return message() + ps_of(pe_.pe_scheduler_overhead_ns);
  }
  [[nodiscard]] std::int64_t to_dma() const { return message() + ps_of(pe_.pe_dma_overhead_ns); }
  [[nodiscard]] std::int64_t to_ipcq() const { return message() + ps_of(pe_.pe_ipcq_overhead_ns); }
  [[nodiscard]] std::int64_t to_gemm() const { return message() + ps_of(pe_.pe_gemm_overhead_ns); }
  [[nodiscard]] std::int64_t to_math() const { return message() + ps_of(pe_.pe_math_overhead_ns); }
  [[nodiscard]] std::int64_t to_tcm() const { return message() + ps_of(pe_.pe_tcm_overhead_ns); }
  [[nodiscard]] std::int64_t to_fetch_store() const {
    return message() + ps_of(pe_.pe_fetch_store_overhead_ns);
  }
  [[nodiscard]] std::int64_t command() const { return to_scheduler() + to_scheduler() + to_cpu(); }
  [[nodiscard]] std::int64_t fetch(std::uint64_t bytes) const {
    return to_fetch_store() + to_tcm() + occupancy(bytes, pe_.pe_tcm_read_bw_gbs);
  }
  [[nodiscard]] std::int64_t store(std::uint64_t bytes) const {
    return to_fetch_store() + to_tcm() + occupancy(bytes, pe_.pe_tcm_write_bw_gbs);
  }
  [[nodiscard]] std::int64_t cycles(std::uint64_t work, std::uint32_t per_cycle) const {
    const auto count = static_cast<double>((work + per_cycle - 1) / per_cycle);
    return static_cast<std::int64_t>(std::ceil(count * 1000.0 / pe_.clock_ghz));
  }
  [[nodiscard]] std::int64_t gemm(std::uint64_t macs) const {
    return cycles(macs, pe_.pe_gemm_macs_per_cycle);
  }
  [[nodiscard]] std::int64_t math(std::uint64_t elements) const {
    return cycles(elements, pe_.pe_math_elements_per_cycle);
  }
  /// Returns the time of an access by PE 0 of its cube to a contiguous block of a PE's slice, or to
  /// rows with gaps.
  [[nodiscard]] std::int64_t access(bool write, std::uint64_t bytes, std::uint64_t address = 0,
                                    const char* slice = "sip0.cube0.hbm_ctrl.pe0",
                                    std::uint64_t row_bytes = 0,
                                    std::uint64_t row_stride = 0) const {
    const auto there = router_.find_path("sip0.cube0.pe0", slice).edges;
    const auto back = machine_.network().reversed(there);
    const probe::LoneAccess alone{write, there, back, address, bytes, row_bytes, row_stride};
    return ps_of(pe_.pe_mmu_tlb_overhead_ns) +
           probe::closed_form(machine_.graph(), alone).latency().ps() -
           ps_of(pe_.pe_dma_overhead_ns);  // already paid when the tile arrived
  }
  [[nodiscard]] std::int64_t load(std::uint64_t bytes) const {
    return command() + to_dma() + access(false, bytes);
  }
  [[nodiscard]] std::int64_t compute(std::uint64_t in, std::int64_t engine,
                                     std::uint64_t out) const {
    return command() + (in == 0 ? 0 : fetch(in)) + engine + store(out);
  }
  [[nodiscard]] const topology::PathRouter& router() const { return router_; }
  [[nodiscard]] std::int64_t message() const { return wire(system_.request_bytes); }
  [[nodiscard]] static std::int64_t occupancy(std::uint64_t bytes, double bw_gbs) {
    return transport::occupancy(bytes, bw_gbs).ps();
  }
  [[nodiscard]] std::int64_t travel() const {
    return ps_of(pe_.pe_internal.distance_mm * system_.wire_ns_per_mm);
  }

 private:
  components::Machine& machine_;
  topology::PathRouter router_;
  const topology::SystemSpec& system_;
  const topology::PeSpec& pe_;
};

class KernelLatency : public ::testing::TestWithParam<const char*> {
 protected:
  KernelLatency()
      : pe_(GetParam() == std::string_view("default") ? topology::TopologySpec() : other_spec()),
        expected_(pe_.machine()) {}

  /// Returns the time of a part of a kernel, which runs after `prepare`.
  template <typename Prepare, typename Act>
  std::int64_t time_of(Prepare prepare, Act act) {
    std::int64_t took = 0;
    pe_.run([&](Tl& tl) {
      const auto prepared = prepare(tl);
      const std::int64_t from = pe_.now();
      act(tl, prepared);
      took = pe_.now() - from;
    });
    return took;
  }
  template <typename Act>
  std::int64_t time_of(Act act) {
    return time_of([](Tl&) { return 0; }, [&](Tl& tl, int) { act(tl); });
  }

  KernelMachine pe_;
  Formulas expected_;
};

TEST_P(KernelLatency, OfALoad) {
  for (const std::uint64_t rows : {1U, 4U, 64U, 129U}) {
    const TensorRef block = Tl::ref(pe_.slice(), rows, 50, DataType::F16);
    EXPECT_EQ(time_of([&](Tl& tl) { (void)tl.load(block); }), expected_.load(block.bytes()));
  }
}

TEST_P(KernelLatency, OfAStore) {
  const TensorRef block = Tl::ref(pe_.slice(), 20, 64, DataType::F32);
  EXPECT_EQ(time_of([&](Tl& tl) { return tl.full(20, 64, 1.0, DataType::F32); },
                    [&](Tl& tl, const Tile& tile) { tl.store(block, tile); }),
            expected_.command() + expected_.to_dma() + expected_.access(true, block.bytes()));
}

TEST_P(KernelLatency, OfALoadAndAStoreOfABlockWithGapsBetweenItsRows) {
  constexpr const char* kSlice = "sip0.cube0.hbm_ctrl.pe0";
  const TensorRef matrix = Tl::ref(pe_.slice(), 40, 512, DataType::F16);
  for (const std::uint64_t columns : {1U, 50U, 128U, 200U}) {
    const TensorRef block = matrix.block(3, 7, 33, columns);
    const std::uint64_t address = (3 * 512 + 7) * 2;
    const auto access = [&](bool write) {
      return expected_.command() + expected_.to_dma() +
             expected_.access(write, block.bytes(), address, kSlice, columns * 2, 1024);
    };
    EXPECT_EQ(time_of([&](Tl& tl) { (void)tl.load(block); }), access(false)) << columns;
    EXPECT_EQ(time_of([&](Tl& tl) { return tl.full(33, columns, 1.0, DataType::F16); },
                      [&](Tl& tl, const Tile& tile) { tl.store(block, tile); }),
              access(true))
        << columns;
  }
}

TEST_P(KernelLatency, OfARead) {
  KernelMachine live(pe_.spec(), data::Recorder::Keeps::Live);
  live.run([&](Tl& tl) {
    const Tile tile = tl.full(20, 33, 1.5, DataType::F16);
    const std::int64_t from = live.now();
    const data::Array values = tl.read(tile);
    EXPECT_EQ(live.now() - from, expected_.command() + expected_.fetch(20 * 33 * 2));
    EXPECT_TRUE((values.to_floats().array() == 1.5F).all());
    EXPECT_EQ(values.rows(), 20U);
    EXPECT_EQ(tl.read(Tl::trans(tile)).rows(), 33U);
  });
}

TEST_P(KernelLatency, OfALoadFromAnotherSlice) {
  const TensorRef block = Tl::ref(pe_.slice(512, 3), 8, 64, DataType::F32);
  EXPECT_EQ(time_of([&](Tl& tl) { (void)tl.load(block); }),
            expected_.command() + expected_.to_dma() +
                expected_.access(false, block.bytes(), 512, "sip0.cube0.hbm_ctrl.pe3"));
}

TEST_P(KernelLatency, OfADot) {
  EXPECT_EQ(time_of(
                [](Tl& tl) {
                  return std::pair(tl.full(48, 40, 1.0, DataType::F16),
                                   tl.full(40, 72, 1.0, DataType::F16));
                },
                [](Tl& tl, const std::pair<Tile, Tile>& factors) {
                  (void)tl.dot(factors.first, factors.second);
                }),
            expected_.compute((48 * 40 + 40 * 72) * 2,
                              expected_.to_gemm() + expected_.gemm(48 * 40 * 72), 48 * 72 * 4));
}

TEST_P(KernelLatency, OfMathOfTwoTilesOneOfThemRepeated) {
  EXPECT_EQ(time_of(
                [](Tl& tl) {
                  return std::pair(tl.full(31, 64, 1.0, DataType::F32),
                                   tl.arange(64, DataType::F32));
                },
                [](Tl&, const std::pair<Tile, Tile>& x) { (void)(x.first + x.second); }),
            expected_.compute((31 * 64 + 64) * 4, expected_.to_math() + expected_.math(31 * 64),
                              31 * 64 * 4));
}

TEST_P(KernelLatency, OfMathWithANumberAndOfATransposedTile) {
  EXPECT_EQ(
      time_of([](Tl& tl) { return tl.full(31, 64, 1.0, DataType::F32); },
              [](Tl&, const Tile& x) { (void)(Tl::trans(x) * 2.0); }),
      expected_.compute(31 * 64 * 4, expected_.to_math() + expected_.math(31 * 64), 31 * 64 * 4));
}

TEST_P(KernelLatency, OfActivations) {
  const auto prepare = [](Tl& tl) { return tl.full(31, 64, 1.0, DataType::F16); };
  using Act = Tile (*)(Tl&, const Tile&);
  const std::array<Act, 4> activations = {
      [](Tl& tl, const Tile& x) { return tl.rsqrt(x); },
      [](Tl& tl, const Tile& x) { return tl.tanh(x); },
      [](Tl& tl, const Tile& x) { return tl.gelu(x); },
      [](Tl& tl, const Tile& x) { return tl.silu(x); },
  };
  for (const Act act : activations) {
    EXPECT_EQ(
        time_of(prepare, [act](Tl& tl, const Tile& x) { (void)act(tl, x); }),
        expected_.compute(31 * 64 * 2, expected_.to_math() + expected_.math(31 * 64), 31 * 64 * 2));
  }
}

TEST_P(KernelLatency, OfReductions) {
  const auto prepare = [](Tl& tl) { return tl.full(31, 64, 1.0, DataType::F32); };
  EXPECT_EQ(time_of(prepare, [](Tl& tl, const Tile& x) { (void)tl.sum(x, Axis::Columns); }),
            expected_.compute(31 * 64 * 4, expected_.to_math() + expected_.math(31 * 64), 31 * 4));
  EXPECT_EQ(time_of(prepare, [](Tl& tl, const Tile& x) { (void)tl.max(x, Axis::Rows); }),
            expected_.compute(31 * 64 * 4, expected_.to_math() + expected_.math(31 * 64), 64 * 4));
}

TEST_P(KernelLatency, OfOperationsOnWholeRows) {
  const auto prepare = [](Tl& tl) {
    return std::pair(tl.full(31, 64, 1.0, DataType::F16), tl.full(31, 5, 0.0, DataType::I32));
  };
  using Inputs = std::pair<Tile, Tile>;
  const auto took = [&](std::uint64_t in, std::uint64_t elements, std::uint64_t out) {
    return expected_.compute(in, expected_.to_math() + expected_.math(elements), out);
  };
  constexpr std::uint64_t kAll = 31 * 64;
  EXPECT_EQ(time_of(prepare, [](Tl& tl, const Inputs& x) { (void)tl.argmax(x.first); }),
            took(kAll * 2, kAll, 31 * 4));
  EXPECT_EQ(time_of(prepare, [](Tl& tl, const Inputs& x) { (void)tl.top_k(x.first, 5); }),
            took(kAll * 2, 5 * kAll, 31 * 5 * 4));
  EXPECT_EQ(time_of(prepare, [](Tl& tl, const Inputs& x) { (void)tl.take(x.first, x.second); }),
            took(kAll * 2 + 31 * 5 * 4, 31 * 5, 31 * 5 * 2));
  EXPECT_EQ(time_of(prepare, [](Tl& tl, const Inputs& x) { (void)tl.transpose(x.first); }),
            took(kAll * 2, kAll, kAll * 2));
  EXPECT_EQ(time_of(
                [](Tl& tl) {
                  return std::pair(tl.full(31, 64, 1.0, DataType::F16),
                                   tl.full(1, 32, 0.5, DataType::F32));
                },
                [](Tl& tl, const Inputs& x) { (void)tl.rope(x.first, x.second, x.second); }),
            took(kAll * 2 + 2 * 32 * 4, 2 * kAll, kAll * 2));
}

TEST_P(KernelLatency, OfAGatherAndAScatterOfOneRow) {
  const TensorRef matrix = Tl::ref(pe_.slice(), 40, 200, DataType::F16);
  const auto prepare = [](Tl& tl) {
    return std::pair(tl.full(1, 1, 0.0, DataType::I32), tl.full(1, 200, 1.0, DataType::F16));
  };
  const auto took = [&](bool write) {
    return expected_.command() + expected_.fetch(4) + expected_.to_dma() +
           expected_.access(write, 400);
  };
  EXPECT_EQ(time_of(prepare, [&](Tl& tl, const auto& x) { (void)tl.gather(matrix, x.first); }),
            took(false));
  EXPECT_EQ(time_of(prepare, [&](Tl& tl, const auto& x) { tl.scatter(matrix, x.first, x.second); }),
            took(true));
}

TEST_P(KernelLatency, OfNumbersThatAreMade) {
  EXPECT_EQ(time_of([](Tl& tl) { (void)tl.full(31, 64, 1.0, DataType::I8); }),
            expected_.compute(0, expected_.to_math() + expected_.math(31 * 64), 31 * 64));
  EXPECT_EQ(time_of([](Tl& tl) { (void)tl.arange(77, DataType::F32); }),
            expected_.compute(0, expected_.to_math() + expected_.math(77), 77 * 4));
}

TEST_P(KernelLatency, OfWhatNeedsNoWork) {
  EXPECT_EQ(time_of([&](Tl& tl) {
              (void)tl.program_id(0);
              const Tile none = tl.load(Tl::ref(pe_.slice(), 0, 50, DataType::F16));
              tl.store(Tl::ref(pe_.slice(), 0, 50, DataType::F16), none);
              (void)(none + none);
              (void)tl.sum(none, Axis::Columns);
              tl.send("nowhere", none);
              (void)tl.wait(tl.irecv("nowhere", 0, 50, DataType::F16));
            }),
            0);
}

TEST_P(KernelLatency, OfASumOfNothingWhichIsMadeZero) {
  EXPECT_EQ(time_of([&](Tl& tl) { (void)tl.sum(tl.full(0, 50, 0.0, DataType::F32), Axis::Rows); }),
            expected_.compute(0, expected_.to_math() + expected_.math(50), 50 * 4));
}

TEST_P(KernelLatency, OfACompositeOfOneTile) {
  CompositeOptions options;
  options.epilogue = {{MathOp::Exp}, {MathOp::Mul, Accumulated{0}}};
  const TensorRef a = Tl::ref(pe_.slice(), 32, 64, DataType::F16);
  const TensorRef b = Tl::ref(pe_.slice(65'536), 64, 48, DataType::F16);
  const TensorRef c = Tl::ref(pe_.slice(131'072), 32, 48, DataType::F16);
  EXPECT_EQ(time_of([&](Tl& tl) { tl.composite(a, b, c, options); }),
            expected_.command() + expected_.to_dma() + expected_.access(false, a.bytes()) +
                expected_.access(false, b.bytes(), 65'536) +
                expected_.fetch(a.bytes() + b.bytes()) + expected_.to_gemm() +
                expected_.gemm(32 * 64 * 48) + expected_.to_math() + 2 * expected_.math(32 * 48) +
                expected_.store(c.bytes()) + expected_.to_dma() +
                expected_.access(true, c.bytes(), 131'072));
}

/// Number of tiles along k. Both factors are in TCM.
constexpr std::uint64_t kTiles = 6;
Tile resident_product(Tl& tl, const std::pair<Tile, Tile>& x, std::uint32_t in_flight) {
  CompositeOptions options;
  options.tile_k = 64;
  options.tiles_in_flight = in_flight;
  return tl.composite(x.first, x.second, DataType::F32, options);
}
std::pair<Tile, Tile> resident_factors(Tl& tl) {
  return {tl.full(64, kTiles * 64, 1.0, DataType::F16),
          tl.full(kTiles * 64, 64, 1.0, DataType::F16)};
}

TEST_P(KernelLatency, OfACompositeOneTileAfterTheOther) {
  const std::int64_t tile = expected_.fetch(2 * 64 * 64 * 2) + expected_.to_gemm() +
                            expected_.gemm(64 * 64 * 64) + expected_.to_scheduler();
  EXPECT_EQ(
      time_of(resident_factors, [](Tl& tl, const auto& x) { (void)resident_product(tl, x, 1); }),
      expected_.to_scheduler() + static_cast<std::int64_t>(kTiles) * tile +
          expected_.store(64 * 64 * 4) + expected_.to_cpu());
}

/// Serves requests in order. A request that arrives at `ready` starts when its predecessors have
/// left, and leaves after its own service time.
struct Server {
  std::int64_t free = 0;
  std::int64_t pass(std::int64_t ready, std::int64_t time) {
    return free = std::max(ready, free) + time;
  }
};

// All requests leave at once; rows of one flit return in the order in which the memory serves them.
TEST_P(KernelLatency, OfAGatherWhoseRowsBeginAtOnce) {
  constexpr std::uint64_t kRows = 24;
  constexpr std::uint64_t kFound = 9;
  constexpr std::uint64_t kRowBytes = 256;
  const TensorRef matrix = Tl::ref(pe_.slice(), kRows, kRowBytes / 2, DataType::F16);
  const auto& memory = pe_.spec().cube.memory_map;
  const auto there =
      expected_.router().find_path("sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0").edges;
  const auto back = pe_.machine().network().reversed(there);
  std::vector<std::int64_t> at(kFound, 0);
  const auto pass = [&](std::span<const topology::EdgeId> way, std::uint64_t bytes) {
    for (std::size_t hop = 0; hop < way.size(); ++hop) {
      const topology::Edge& edge = pe_.graph().edge(way[hop]);
      Server wire;
      for (std::int64_t& one : at) {
        if (hop != 0) one += pe_.graph().node(edge.from).overhead.ps();
        one = wire.pass(one, Formulas::occupancy(bytes, edge.bw_gbs)) +
              transport::propagation(edge.length_nm, pe_.spec().system.wire_ns_per_mm).ps();
      }
    }
  };
  pass(there, pe_.spec().system.request_bytes);
  std::map<std::uint32_t, Server> channels;
  const double slice_bw = memory.hbm_total_bw_gbs / memory.slices_per_cube;
  for (std::uint64_t i = 0; i < kFound; ++i) {
    const std::uint64_t flit = i * kRows / kFound;
    Server& channel =
        channels[topology::hbm_channel(memory.hbm_interleave, flit, memory.channels_per_slice)];
    at[i] = channel.pass(at[i] + pe_.graph().node(pe_.graph().edge(there.back()).to).overhead.ps(),
                         Formulas::occupancy(kRowBytes * memory.channels_per_slice, slice_bw));
  }
  std::sort(at.begin(), at.end());
  pass(back, kRowBytes);
  EXPECT_EQ(time_of([](Tl& tl) { return tl.full(1, kFound, 0.0, DataType::I32); },
                    [&](Tl& tl, const Tile& rows) { (void)tl.gather(matrix, rows); }),
            expected_.command() + expected_.fetch(kFound * 4) + expected_.to_dma() +
                ps_of(pe_.spec().pe.pe_mmu_tlb_overhead_ns) + at.back());
}

TEST_P(KernelLatency, OfACompositeWithDoubleBuffering) {
  const auto& pe = pe_.spec().pe;
  const std::int64_t occupied =
      Formulas::occupancy(pe_.spec().system.request_bytes, pe.pe_internal.bw_gbs);
  Server to_fetch_store, to_tcm, read, to_gemm, gemm, to_scheduler;  // NOLINT
  const auto send = [&](Server& wire, std::int64_t at, double overhead_ns) {
    return wire.pass(at, occupied) + expected_.travel() + ps_of(overhead_ns);
  };
  std::vector<std::int64_t> back;  // return time of each tile at the scheduler
  for (std::uint64_t tile = 0; tile < kTiles; ++tile) {
    std::int64_t at = tile < 2 ? expected_.to_scheduler() : back[tile - 2];
    at = send(to_fetch_store, at, pe.pe_fetch_store_overhead_ns);
    at = send(to_tcm, at, pe.pe_tcm_overhead_ns);
    at = read.pass(at, Formulas::occupancy(std::uint64_t{2} * 64 * 64 * 2, pe.pe_tcm_read_bw_gbs));
    at = send(to_gemm, at, pe.pe_gemm_overhead_ns);
    at = gemm.pass(at, expected_.gemm(64 * 64 * 64));
    if (tile + 1 == kTiles) at += expected_.store(64 * 64 * 4);
    back.push_back(send(to_scheduler, at, pe.pe_scheduler_overhead_ns));
  }
  const std::int64_t doubled =
      time_of(resident_factors, [](Tl& tl, const auto& x) { (void)resident_product(tl, x, 2); });
  EXPECT_EQ(doubled, back.back() + expected_.to_cpu());
  EXPECT_LT(doubled, time_of(resident_factors,
                             [](Tl& tl, const auto& x) { (void)resident_product(tl, x, 1); }));
}

/// Arrival times of flits that pass a chain of servers.
class Flow {
 public:
  Flow(std::int64_t ready, std::uint64_t bytes, std::uint32_t flit_bytes) {
    for (; bytes > flit_bytes; bytes -= flit_bytes) flits_.push_back({flit_bytes, ready});
    flits_.push_back({bytes, ready});
  }
  /// Passes a server, whose service time is rounded up to a picosecond, and a delay `after`.
  void pass(double bw_gbs, std::int64_t after) {
    Server server;
    for (Flit& flit : flits_) {
      flit.at = server.pass(flit.at, Formulas::occupancy(flit.bytes, bw_gbs)) + after;
    }
  }
  [[nodiscard]] std::int64_t last() const { return flits_.back().at; }
  [[nodiscard]] std::size_t size() const { return flits_.size(); }

 private:
  struct Flit {
    std::uint64_t bytes;
    std::int64_t at;
  };
  std::vector<Flit> flits_;
};

TEST_P(KernelLatency, OfASendAndAReceive) {
  const memory::PeLocation left{0, 0, 0};
  const memory::PeLocation right{0, 0, 1};
  components::install_neighbors(pe_.machine(), {{left, "E", right, "W"}});
  const auto& pe = pe_.spec().pe;
  const std::uint32_t flit_bytes = pe_.spec().system.flit_bytes;
  // Returns when the DMA, starting at `at`, has read `bytes` of its TCM.
  const auto read = [&](std::int64_t at, std::uint64_t bytes) {
    Flow flow(at + expected_.to_tcm(), bytes, flit_bytes);
    flow.pass(pe.pe_tcm_read_bw_gbs, 0);
    flow.pass(pe.pe_internal.bw_gbs, expected_.travel());
    return flow.last();
  };
  std::size_t most_flits = 0;
  for (const std::uint64_t columns : {1U, 16U, 17U, 96U, 1000U}) {
    SCOPED_TRACE(columns);
    std::int64_t begun = 0;
    std::int64_t sent = 0;
    std::int64_t received = 0;
    pe_.start(left, [&](Tl& tl) {
      const Tile tile = tl.full(4, columns, 1.0, DataType::F32);
      begun = pe_.now();
      tl.send("E", tile);
      sent = pe_.now();
    });
    pe_.start(right, [&](Tl& tl) {
      (void)tl.recv("W", 4, columns, DataType::F32);
      received = pe_.now();
    });
    pe_.run();

    const std::uint64_t bytes = 4 * columns * 4;
    const std::int64_t taken = read(begun + expected_.to_ipcq() + expected_.to_dma(), bytes);
    const auto way = expected_.router().find_path("sip0.cube0.pe0", "sip0.cube0.pe1.pe_dma").edges;
    Flow data(taken, bytes, flit_bytes);
    most_flits = std::max(most_flits, data.size());
    data.pass(pe_.graph().edge(way.front()).bw_gbs, 0);
    EXPECT_EQ(sent, data.last() + expected_.to_ipcq() + expected_.to_cpu());

    data = Flow(taken, bytes, flit_bytes);
    for (const topology::EdgeId id : way) {
      const topology::Edge& edge = pe_.graph().edge(id);
      data.pass(edge.bw_gbs,
                pe_.graph().node(edge.to).overhead.ps() +
                    transport::propagation(edge.length_nm, pe_.spec().system.wire_ns_per_mm).ps());
    }
    Flow slot(data.last(), bytes, flit_bytes);
    slot.pass(pe.pe_internal.bw_gbs, expected_.travel() + ps_of(pe.pe_tcm_overhead_ns));
    slot.pass(pe.pe_tcm_write_bw_gbs, 0);
    const std::int64_t arrived = slot.last() + expected_.message() + expected_.to_ipcq();
    EXPECT_EQ(received,
              read(arrived + expected_.to_dma(), bytes) + expected_.to_ipcq() + expected_.to_cpu());
  }
  EXPECT_GT(most_flits, 10U);
}

INSTANTIATE_TEST_SUITE_P(Systems, KernelLatency, ::testing::Values("default", "other"),
                         [](const auto& test) { return std::string(test.param); });

/// Returns true if stages of the two kinds overlap in time.
bool overlap(const std::vector<data::StageRecord>& stages, StageKind a, StageKind b) {
  return std::any_of(stages.begin(), stages.end(), [&](const data::StageRecord& x) {
    return x.kind == a && std::any_of(stages.begin(), stages.end(), [&](const auto& y) {
             return y.kind == b && x.start < y.end && y.start < x.end;
           });
  });
}

void stream(KernelMachine& pe, std::uint32_t tiles_in_flight) {
  pe.run([&](Tl& tl) {
    CompositeOptions options{32, 32, 32, tiles_in_flight, {}};
    tl.composite(Tl::ref(pe.slice(), 128, 64, DataType::F16),
                 Tl::ref(pe.slice(1 << 20), 64, 128, DataType::F16),
                 Tl::ref(pe.slice(2 << 20), 128, 128, DataType::F16), options);
  });
}

TEST(DoubleBuffering, LetsDmaFetchGemmAndStoreOverlap) {
  KernelMachine bound_by_dma{topology::TopologySpec()};
  stream(bound_by_dma, 3);
  for (const StageKind other :
       {StageKind::Fetch, StageKind::Gemm, StageKind::Store, StageKind::DmaWrite}) {
    EXPECT_TRUE(overlap(bound_by_dma.log().stages(), StageKind::DmaRead, other))
        << static_cast<int>(other);
  }
  topology::TopologySpec spec;
  spec.pe.pe_gemm_macs_per_cycle = 64;
  KernelMachine pe(spec);
  stream(pe, 3);
  for (const StageKind other :
       {StageKind::DmaRead, StageKind::Fetch, StageKind::Store, StageKind::DmaWrite}) {
    EXPECT_TRUE(overlap(pe.log().stages(), StageKind::Gemm, other)) << static_cast<int>(other);
  }

  // The trace of the timeline shows the same.
  std::vector<trace::HopRecord> reads;
  std::vector<trace::HopRecord> products;
  for (const trace::HopRecord& hop : pe.trace().records()) {
    if (hop.label.what == "dma read") reads.push_back(hop);
    if (hop.label.what == "gemm") products.push_back(hop);
  }
  EXPECT_TRUE(std::any_of(reads.begin(), reads.end(), [&](const trace::HopRecord& x) {
    return std::any_of(products.begin(), products.end(), [&](const trace::HopRecord& y) {
      return x.arrive < y.depart && y.arrive < x.depart &&
             x.label.transaction != y.label.transaction;
    });
  }));
}

TEST(DoubleBuffering, WithOneTileInFlightNothingOverlaps) {
  KernelMachine pe{topology::TopologySpec()};
  stream(pe, 1);
  const std::vector<data::StageRecord>& stages = pe.log().stages();
  EXPECT_FALSE(stages.empty());
  for (const StageKind other : {StageKind::Fetch, StageKind::Gemm, StageKind::Store}) {
    EXPECT_FALSE(overlap(stages, StageKind::DmaRead, other)) << static_cast<int>(other);
  }
}

}  // namespace
}  // namespace kernbench::model::kernel
