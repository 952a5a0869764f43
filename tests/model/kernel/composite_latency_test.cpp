// SPDX-License-Identifier: Apache-2.0
// The latency of a composite against the formulas of docs/kernels.md, and what overlaps in it.
#include "latency_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {
namespace {

using components::StageKind;

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

TEST_P(KernelLatency, OfACompositeOfQuantizedFactorsWithScales) {
  struct Factors {
    DataType a;
    DataType b;
    std::uint64_t a_bytes;
    std::uint64_t b_bytes;
  };
  for (const Factors& factors : {Factors{DataType::F16, DataType::I4, 32 * 64 * 2, 64 * 48 / 2},
                                 Factors{DataType::F8E4M3, DataType::F8E5M2, std::uint64_t{32} * 64,
                                         std::uint64_t{64} * 48}}) {
    const TensorRef a = Tl::ref(pe_.slice(), 32, 64, factors.a);
    const TensorRef b = Tl::ref(pe_.slice(65'536), 64, 48, factors.b);
    const TensorRef c = Tl::ref(pe_.slice(131'072), 32, 48, DataType::F16);
    EXPECT_EQ(time_of([](Tl& tl) { return tl.full(1, 48, 0.5, DataType::F32); },
                      [&](Tl& tl, const Tile& scales) {
                        CompositeOptions options;
                        options.epilogue = {{MathOp::Mul, scales}};
                        tl.composite(a, b, c, options);
                      }),
              expected_.command() + expected_.to_dma() + expected_.access(false, factors.a_bytes) +
                  expected_.access(false, factors.b_bytes, 65'536) +
                  expected_.fetch(factors.a_bytes + factors.b_bytes) + expected_.to_gemm() +
                  expected_.gemm(32 * 64 * 48) + expected_.to_math() + expected_.math(32 * 48) +
                  expected_.store(c.bytes()) + expected_.to_dma() +
                  expected_.access(true, c.bytes(), 131'072));
  }
}

TEST_P(KernelLatency, OfABatchOfCompositesOneAfterTheOther) {
  constexpr std::uint64_t kMatrices = 3;
  const TensorRef a = Tl::ref(pe_.slice(), kMatrices * 32, 64, DataType::F16);
  const TensorRef b = Tl::ref(pe_.slice(65'536), kMatrices * 64, 48, DataType::F16);
  const TensorRef c = Tl::ref(pe_.slice(131'072), kMatrices * 32, 48, DataType::F16);
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < kMatrices; ++i) {
    const std::uint64_t a_bytes = 32 * 64 * 2;
    const std::uint64_t b_bytes = 64 * 48 * 2;
    const std::uint64_t c_bytes = 32 * 48 * 2;
    sum += expected_.command() + expected_.to_dma() +
           expected_.access(false, a_bytes, i * a_bytes) +
           expected_.access(false, b_bytes, 65'536 + i * b_bytes) +
           expected_.fetch(a_bytes + b_bytes) + expected_.to_gemm() + expected_.gemm(32 * 64 * 48) +
           expected_.store(c_bytes) + expected_.to_dma() +
           expected_.access(true, c_bytes, 131'072 + i * c_bytes);
  }
  EXPECT_EQ(time_of([&](Tl& tl) {
              for (std::uint64_t i = 0; i < kMatrices; ++i) {
                tl.composite(a.matrix(i, 32), b.matrix(i, 64), c.matrix(i, 32));
              }
            }),
            sum);
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
