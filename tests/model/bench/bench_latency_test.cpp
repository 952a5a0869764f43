// SPDX-License-Identifier: Apache-2.0
// The time of a kernel of a bench on one PE, to the picosecond, is the sum of the formulas of
// docs/kernels.md for the operations that docs/lab/benches.md lists.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/bench/runner.hpp"
#include "tests/model/kernel/latency_fixture.hpp"
#include "topology/routing/phys_addr.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using data::Block;
using data::OpRecord;
using data::Space;
using ::testing::ElementsAre;
using Names = std::vector<std::string>;

/// Returns a system of one PE.
topology::TopologySpec one_pe() {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  spec.sip.cube_mesh_w = 1;
  spec.sip.cube_mesh_h = 1;
  spec.cube.corners = {topology::Corner::SE};
  spec.cube.pe_per_corner = 1;
  spec.cube.memory_map.slices_per_cube = 1;
  return spec;
}

class BenchLatency : public ::testing::Test {
 protected:
  BenchLatency() : machine_(one_pe()), formulas_(machine_.machine()) {}

  /// Runs a bench, expects the sum of the formulas for each launch, and returns the names of the
  /// operations of each. Those that are in flight together are in brackets.
  std::vector<Names> operations_of(const char* bench, std::map<std::string, std::string> set) {
    RunOptions options;
    options.parameters = std::move(set);
    options.op_log = true;
    const RunResult result =
        run_bench(find_bench(bench), topology::compile_topology(one_pe()), options);
    std::vector<std::vector<const OpRecord*>> launches(result.launches.size());
    for (const OpRecord& record : result.recorder->log().records()) {
      if (record.launch < launches.size()) launches[record.launch].push_back(&record);
    }
    std::vector<Names> names;
    for (const std::vector<const OpRecord*>& launch : launches) {
      names.push_back(names_of(launch));
    }
    return names;
  }

 private:
  Names names_of(const std::vector<const OpRecord*>& launch) {
    Names names;
    std::int64_t at = launch.front()->start.ps();
    for (std::size_t i = 0; i < launch.size();) {
      std::size_t end = i + 1;
      while (end < launch.size() && launch[end]->start == launch[i]->start) ++end;
      std::string name = op_name(launch[i]->params);
      EXPECT_EQ(launch[i]->start.ps(), at) << name;
      at += time_of(*launch[i]);
      for (std::size_t j = i + 1; j < end; ++j) {
        name += ", " + op_name(launch[j]->params);
        at += access(copied(*launch[j]));
      }
      EXPECT_EQ(launch[end - 1]->end.ps(), at) << name;
      names.push_back(end - i == 1 ? name : "[" + name + "]");
      i = end;
    }
    return names;
  }

  /// Returns the time of an operation alone.
  std::int64_t time_of(const OpRecord& record) {
    const kernel::Formulas& f = formulas_;
    if (std::holds_alternative<data::CopyParams>(record.params)) {
      return f.command() + f.to_dma() + access(copied(record));
    }
    if (const auto* const gemm = std::get_if<data::GemmParams>(&record.params)) {
      return f.compute(gemm->a.bytes() + gemm->b.bytes(),
                       f.to_gemm() + f.gemm(gemm->c.rows * gemm->c.columns * inner(gemm->a)),
                       gemm->c.bytes());
    }
    if (const auto* const gemm = std::get_if<data::CompositeGemmParams>(&record.params)) {
      return time_of(*gemm);
    }
    const auto& math = std::get<data::MathParams>(record.params);
    std::uint64_t bytes = 0;
    std::uint64_t elements = math.output.rows * math.output.columns;
    for (const data::Operand& operand : math.inputs) {
      const auto* const block = std::get_if<Block>(&operand);
      if (block == nullptr) continue;
      bytes += block->bytes();
      if (math.axis) elements = block->rows * block->columns;
    }
    return f.compute(bytes, f.to_math() + f.math(elements), math.output.bytes());
  }
  /// Returns the time of a composite of one tile.
  std::int64_t time_of(const data::CompositeGemmParams& gemm) {
    const kernel::Formulas& f = formulas_;
    std::int64_t time = f.command();
    if (gemm.a.space == Space::Hbm || gemm.b.space == Space::Hbm) time += f.to_dma();
    if (gemm.a.space == Space::Hbm) time += access({false, &gemm.a});
    if (gemm.b.space == Space::Hbm) time += access({false, &gemm.b});
    time += f.fetch(gemm.a.bytes() + gemm.b.bytes()) + f.to_gemm() +
            f.gemm(gemm.shape.m * gemm.shape.k * gemm.shape.n);
    if (!gemm.epilogue.empty()) {
      time += f.to_math() +
              static_cast<std::int64_t>(gemm.epilogue.size()) * f.math(gemm.shape.m * gemm.shape.n);
    }
    time += f.store(gemm.c.bytes());
    if (gemm.c.space == Space::Hbm) time += f.to_dma() + access({true, &gemm.c});
    return time;
  }

  struct Access {
    bool write = false;
    const Block* block = nullptr;
  };
  static Access copied(const OpRecord& record) {
    const auto& copy = std::get<data::CopyParams>(record.params);
    const bool write = copy.target.space == Space::Hbm;
    return {write, write ? &copy.target : &copy.source};
  }
  std::int64_t access(const Access& access) {
    const Block& block = *access.block;
    EXPECT_EQ(block.stretches.size(), 1U);
    const std::uint64_t address = topology::decode_phys_addr(block.stretches.at(0).pa).hbm_offset;
    const bool dense = block.columns == block.row_stride || block.rows == 1;
    return formulas_.access(access.write, block.bytes(), address, "sip0.cube0.hbm_ctrl.pe0",
                            dense ? 0 : block.columns * bytes_of(block.type),
                            dense ? 0 : block.row_stride * bytes_of(block.type));
  }
  static std::uint64_t inner(const Block& a) { return a.transposed ? a.rows : a.columns; }

  kernel::KernelMachine machine_;
  kernel::Formulas formulas_;
};

TEST_F(BenchLatency, OfRmsNorm) {
  EXPECT_THAT(operations_of("rmsnorm", {{"rows", "4"}, {"columns", "64"}}),
              ElementsAre(Names{"dma_read", "dma_read", "cast", "mul", "sum", "div", "add", "rsqrt",
                                "mul", "mul", "cast", "dma_write"}));
}

TEST_F(BenchLatency, OfABatchOfMatricesOneAfterTheOther) {
  EXPECT_THAT(operations_of("gemm-batched", {{"batch", "2"},
                                             {"heads", "2"},
                                             {"m", "4"},
                                             {"k", "64"},
                                             {"n", "32"},
                                             {"matrices_in_flight", "1"}}),
              ElementsAre(Names(4, "composite_gemm")));
}

TEST_F(BenchLatency, OfAQuantizedProduct) {
  std::map<std::string, std::string> set = {{"m", "4"}, {"k", "64"}, {"n", "32"}};
  EXPECT_THAT(operations_of("gemm-quantized", set),
              ElementsAre(Names{"dma_read", "composite_gemm"}));
  set["weights"] = "f8e4m3";
  EXPECT_THAT(operations_of("gemm-quantized", set),
              ElementsAre(Names{"dma_read", "dma_read", "composite_gemm"}));
  set["group"] = "32";
  EXPECT_THAT(operations_of("gemm-quantized", set),
              ElementsAre(Names{"dma_read", "dma_read", "composite_gemm", "dma_read",
                                "composite_gemm", "add", "cast", "dma_write"}));
}

TEST_F(BenchLatency, OfGroupedAttention) {
  std::map<std::string, std::string> set = {{"sequences", "1"}, {"context", "4"}, {"heads", "2"},
                                            {"kv_heads", "1"},  {"size", "8"},    {"page", "4"}};
  EXPECT_THAT(
      operations_of("attention-grouped", set),
      ElementsAre(Names{"dma_read", "[dma_read, dma_read]", "gemm_f16", "mul", "max", "sub", "exp",
                        "cast", "gemm_f16", "sum", "div", "log", "add", "[dma_write, dma_write]"},
                  Names{"[dma_read, dma_read]", "sub", "exp", "mul", "div", "cast", "dma_write"}));
  set["queries"] = "2";
  const Names head = {"gemm_f16", "mul", "where", "max", "sub", "exp", "cast", "gemm_f16", "sum"};
  Names prefill = {"[dma_read, dma_read]", "[dma_read, dma_read]", "arange", "arange",
                   "less_equal"};
  prefill.insert(prefill.end(), head.begin(), head.end());
  prefill.insert(prefill.end(), head.begin(), head.end());
  for (const char* const name :
       {"div", "log", "add", "div", "log", "add", "cast", "dma_write", "cast", "dma_write"}) {
    prefill.emplace_back(name);
  }
  EXPECT_THAT(operations_of("attention-grouped", set), ElementsAre(prefill));
}

}  // namespace
}  // namespace kernbench::model::bench
