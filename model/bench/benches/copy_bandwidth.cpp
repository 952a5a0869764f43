// SPDX-License-Identifier: Apache-2.0
// Measures how fast a PE's DMA reads and writes HBM, for sizes from `from` to `to` bytes in steps
// of 4x, in near and distant slices. With programs=all every PE does so at once, each in its own
// slice.

#include <fmt/format.h>

#include "model/bench/random_data.hpp"
#include "model/bench/registry.hpp"

namespace kernbench::model::bench::copy_bandwidth {
namespace {

using data::DataType;
using kernel::Tile;
using kernel::Tl;
using runtime::Placement;
using runtime::TensorView;

/// An HBM slice, by its distance in PEs and cubes.
struct Place {
  std::string name;
  std::uint64_t pes = 0;
  std::uint64_t cubes = 0;
};

std::vector<Place> places(const runtime::Context& kb) {
  std::vector<Place> list = {{"own slice", 0, 0}};
  if (kb.pes() > 1) list.push_back({"next PE", 1, 0});
  if (kb.cubes() > 1) list.push_back({"next cube", 0, 1});
  if (kb.cubes() > 2) list.push_back({"last cube", 0, kb.cubes() - 1});
  return list;
}

void copy(runtime::Context& kb, std::uint64_t bytes, const Place& place, bool all) {
  const std::uint64_t pes = kb.pes();
  const std::uint64_t rows = pes * kb.cubes();
  const runtime::DpPolicy a_row_each{Placement::RowWise, Placement::RowWise};
  const auto x_data = uniform(DataType::I8, rows, bytes, bytes);
  const auto zeros = [=] { return data::Array(DataType::I8, rows, bytes); };
  const runtime::Tensor x = kb.tensor(rows, bytes, DataType::I8, a_row_each, x_data);
  const runtime::Tensor y = kb.tensor(rows, bytes, DataType::I8, a_row_each, zeros);

  const auto kernel = [place, x = x->view(), y = y->view()](Tl& tl) {
    const auto there = [&](const TensorView& tensor) {
      return tensor.shard((tl.program_id(1) + place.cubes) % tensor.layout().cubes(),
                          (tl.program_id(0) + place.pes) % tensor.layout().pes());
    };
    tl.store(there(y), tl.load(there(x)));
  };
  const runtime::LaunchGrid one{1, 1};
  const std::string name = fmt::format("{} B, {}", bytes, place.name);
  kb.measure(name, [&] { kb.launch(name, kernel, all ? runtime::LaunchGrid{} : one); });

  kb.expect(name, kb.read(y), [=] {
    if (all) return x_data();
    data::MatrixI wanted =
        data::MatrixI::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(bytes));
    const auto row = static_cast<Eigen::Index>(place.cubes * pes + place.pes);
    wanted.row(row) = x_data().to_integers().row(row);
    return data::Array::from(DataType::I8, wanted);
  });
  kb.free(x);
  kb.free(y);
}

void run(runtime::Context& kb) {
  const std::uint64_t to = kb.number("to", 1);
  const bool all = kb.choice("programs", {"one", "all"}) == "all";
  for (std::uint64_t bytes = kb.number("from", 1); bytes <= to; bytes *= 4) {
    for (const Place& place : places(kb)) copy(kb, bytes, place, all);
  }
}

const Registration kBench{{"copy-bandwidth",
                           "Reads and writes of HBM by size and distance, in GB/s",
                           {{"from", "256", "bytes of the smallest copy"},
                            {"to", "65536", "bytes of the largest copy at most"},
                            {"programs", "one", "all: every PE at once"}},
                           run}};

}  // namespace
}  // namespace kernbench::model::bench::copy_bandwidth
