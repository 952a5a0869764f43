// SPDX-License-Identifier: Apache-2.0
// Sums a tensor over all cubes of all SIPs, with one rank and one worker per SIP.

#include <fmt/format.h>

#include <algorithm>

#include "model/bench/registry.hpp"
#include "model/ccl/process_group.hpp"

namespace kernbench::model::bench::all_reduce {
namespace {

using kernel::TensorRef;
using kernel::Tl;
using runtime::Placement;

constexpr std::uint64_t kRamp = 4096;

/// Initialises element j of a cube's copy to j mod 4096 + cube + 100 rank.
void fill(Tl& tl, const TensorRef& mine, std::uint32_t rank) {
  const double first = static_cast<double>(tl.program_id(1)) + 100.0 * rank;
  for (std::uint64_t begin = 0; begin < mine.columns; begin += kRamp) {
    const TensorRef part = mine.block(0, begin, 1, kRamp);
    tl.store(part, tl.arange(part.columns, part.type, first));
  }
}

data::Array sum_of_all(data::DataType type, std::uint64_t rows, std::uint64_t columns,
                       std::uint32_t ranks, std::uint32_t cubes) {
  const std::int64_t copies = std::int64_t{ranks} * cubes;
  const std::int64_t begins = std::int64_t{ranks} * cubes * (cubes - 1) / 2 +
                              100 * std::int64_t{cubes} * ranks * (ranks - 1) / 2;
  data::MatrixI sum(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (Eigen::Index i = 0; i < sum.size(); ++i) {
    const auto ramp = static_cast<std::int64_t>(static_cast<std::uint64_t>(i) % columns % kRamp);
    sum.data()[i] = static_cast<std::int32_t>(copies * ramp + begins);
  }
  if (!is_floating(type)) return data::Array::from(type, sum);
  return data::Array::from(type, data::MatrixF(sum.cast<float>()));
}

void run(runtime::Context& kb) {
  const data::DataType type = *data::data_type_of(kb.choice("type", {"i32", "f32"}));
  const std::uint64_t rows = kb.pes();
  const std::uint64_t bytes = kb.number("bytes", 1);
  const std::uint64_t element = whole_bytes_of(type);
  const std::uint64_t columns = bytes / (rows * element);
  if (columns * rows * element != bytes) {
    throw runtime::BadParameter(
        fmt::format("'bytes' must be a multiple of {}: {} PEs have {} bytes each", rows * element,
                    rows, element));
  }
  ccl::ProcessGroup group(kb.session(), "ahbm");

  ccl::spawn(kb, group, [=](ccl::Worker& worker) {
    runtime::Context& device = worker.kb();
    const runtime::Tensor x =
        device.tensor(rows, columns, type, {Placement::Replicate, Placement::RowWise});
    device.launch("fill",
                  [x = x->view(), rank = worker.rank()](Tl& tl) { fill(tl, x.local(tl), rank); });
    device.measure("all-reduce", [&] { worker.all_reduce(x); });
    device.expect(fmt::format("sum at rank {}", worker.rank()), device.read(x),
                  [=, ranks = worker.world_size(), cubes = device.cubes()] {
                    return sum_of_all(type, rows, columns, ranks, cubes);
                  });
  });
}

const Registration kBench{
    {"all-reduce",
     "sums over all cubes of all SIPs, one rank per SIP",
     {{"bytes", "131072", "bytes added by each cube of each rank"}, {"type", "i32", "i32 or f32"}},
     run}};

}  // namespace
}  // namespace kernbench::model::bench::all_reduce
