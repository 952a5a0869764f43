// SPDX-License-Identifier: Apache-2.0
// Every cube of a SIP writes one block to the memory of every cube.

#include <fmt/format.h>

#include "model/bench/registry.hpp"

namespace kernbench::model::bench::all_to_all {
namespace {

using data::DataType;
using kernel::TensorRef;
using kernel::Tl;
using runtime::Placement;

constexpr std::uint64_t kElementBytes = 4;

void run(runtime::Context& kb) {
  const std::uint64_t cubes = kb.cubes();
  const auto pes = static_cast<std::uint32_t>(kb.number("pes", 1));
  if (pes > kb.pes()) {
    throw runtime::BadParameter(fmt::format("'pes' is {}, but a cube has {} PE{}", pes, kb.pes(),
                                            kb.pes() == 1 ? "" : "s"));
  }
  const std::uint64_t bytes = kb.number("bytes", 1);
  const std::uint64_t columns = bytes / (cubes * pes * kElementBytes);
  if (columns * cubes * pes * kElementBytes != bytes) {
    throw runtime::BadParameter(fmt::format(
        "'bytes' must be a multiple of {}: {} PEs have elements of {} bytes for {} cubes",
        cubes * pes * kElementBytes, pes, kElementBytes, cubes));
  }
  // Each PE has a row in its memory, with a block of `columns` elements for each cube.
  const std::uint64_t rows = cubes * pes;
  const runtime::DpPolicy policy{
      .cube = Placement::RowWise, .pe = Placement::RowWise, .cubes = {}, .pes = pes};
  const runtime::Tensor x = kb.tensor(rows, cubes * columns, DataType::I32, policy);
  const runtime::Tensor y = kb.tensor(rows, cubes * columns, DataType::I32, policy);

  const runtime::LaunchGrid grid{.cubes = {}, .pes = pes};
  const auto block = [columns](const TensorRef& row, std::uint64_t cube) {
    return row.block(0, cube * columns, 1, columns);
  };
  // All elements differ: element i of row r is r * cubes * columns + i.
  kb.launch(
      "fill",
      [x = x->view(), block, cubes](Tl& tl) {
        const TensorRef mine = x.local(tl);
        const std::uint64_t row = tl.program_id(1) * tl.num_programs(0) + tl.program_id(0);
        for (std::uint64_t to = 0; to < cubes; ++to) {
          const TensorRef part = block(mine, to);
          const std::uint64_t first = row * mine.columns + to * part.columns;
          tl.store(part, tl.arange(part.columns, part.type, static_cast<double>(first)));
        }
      },
      grid);
  kb.measure("all-to-all", [&] {
    kb.launch(
        "all-to-all",
        [x = x->view(), y = y->view(), block, cubes](Tl& tl) {
          const std::uint64_t pe = tl.program_id(0);
          const std::uint64_t me = tl.program_id(1);
          // Each cube starts with itself, so that no cube is the target of all others at once.
          for (std::uint64_t step = 0; step < cubes; ++step) {
            const std::uint64_t to = (me + step) % cubes;
            tl.store(block(y.shard(to, pe), me), tl.load(block(x.local(tl), to)));
          }
        },
        grid);
  });

  kb.expect("blocks", kb.read(y), [=] {
    data::MatrixI got(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cubes * columns));
    std::int32_t* element = got.data();
    for (std::uint64_t row = 0; row < rows; ++row) {
      for (std::uint64_t from = 0; from < cubes; ++from) {
        const std::uint64_t sent =
            (from * pes + row % pes) * cubes + row / pes;  // index of the block
        for (std::uint64_t i = 0; i < columns; ++i) {
          *element++ = static_cast<std::int32_t>(sent * columns + i);
        }
      }
    }
    return data::Array::from(DataType::I32, got);
  });
}

const Registration kBench{
    {"all-to-all",
     "writes a block from each cube to the memory of every cube of a SIP",
     {{"bytes", "8192", "bytes sent by each cube"}, {"pes", "2", "sending PEs of each cube"}},
     run}};

}  // namespace
}  // namespace kernbench::model::bench::all_to_all
