// SPDX-License-Identifier: Apache-2.0
// The latency of each operation on an idle system against the formulas of docs/kernels.md, on the
// default system and on one with other parameters.
#include <map>
#include <span>

#include "latency_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {
namespace {

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

TEST_P(KernelLatency, OfALoadAndADotOfTypesThatTakeAByteAndLess) {
  const TensorRef weights = Tl::ref(pe_.slice(), 40, 72, DataType::I4).block(1, 6, 30, 40);
  EXPECT_EQ(weights.va, pe_.slice() + (72 + 6) / 2);
  EXPECT_EQ(time_of([&](Tl& tl) { (void)tl.load(weights); }),
            expected_.command() + expected_.to_dma() +
                expected_.access(false, 30 * 20, (72 + 6) / 2, "sip0.cube0.hbm_ctrl.pe0", 20, 36));
  EXPECT_EQ(time_of(
                [](Tl& tl) {
                  return std::pair(tl.full(48, 40, 1.0, DataType::F16),
                                   tl.cast(tl.full(40, 72, 1.0, DataType::F16), DataType::I4));
                },
                [](Tl& tl, const std::pair<Tile, Tile>& factors) {
                  (void)tl.dot(factors.first, factors.second);
                }),
            expected_.compute(48 * 40 * 2 + 40 * 72 / 2,
                              expected_.to_gemm() + expected_.gemm(48 * 40 * 72), 48 * 72 * 4));
  EXPECT_EQ(time_of(
                [](Tl& tl) {
                  return std::pair(tl.full(48, 40, 1.0, DataType::F8E4M3),
                                   tl.full(40, 72, 1.0, DataType::F8E5M2));
                },
                [](Tl& tl, const std::pair<Tile, Tile>& factors) {
                  (void)tl.dot(factors.first, factors.second, DataType::F8E4M3);
                }),
            expected_.compute(48 * 40 + 40 * 72, expected_.to_gemm() + expected_.gemm(48 * 40 * 72),
                              48 * 72));
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

// All requests leave at once; rows of one flit return in the order in which the memory serves them.
TEST_P(KernelLatency, OfAGatherWhoseRowsBeginAtOnce) {
  constexpr std::uint64_t kMatrixRows = 24;
  constexpr std::uint64_t kFound = 9;
  constexpr std::uint64_t kRowBytes = 256;
  const TensorRef matrix = Tl::ref(pe_.slice(), kMatrixRows, kRowBytes / 2, DataType::F16);
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
    const std::uint64_t flit = i * kMatrixRows / kFound;
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

INSTANTIATE_TEST_SUITE_P(Systems, KernelLatency, ::testing::Values("default", "other"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace kernbench::model::kernel
