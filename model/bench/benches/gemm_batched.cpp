// SPDX-License-Identifier: Apache-2.0
// C = A B for each matrix of a batch, tensors of rank 3 or 4: each PE its rows of all C.

#include <algorithm>
#include <deque>
#include <limits>

#include "model/bench/gemm_mapping.hpp"
#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"

namespace kernbench::model::bench::gemm_batched {
namespace {

using data::DataType;
using kernel::Pending;
using kernel::TensorRef;
using kernel::Tl;
using runtime::Placement;
using runtime::TensorView;

/// The matrices of A, B and C are stacked: A has m rows of k columns for each, B k rows.
struct GemmBatched {
  TensorView a;
  TensorView b;
  TensorView c;
  std::uint64_t m = 0;
  bool shares_b = false;        ///< one matrix of B serves the whole batch
  std::uint64_t in_flight = 0;  ///< matrices that a PE works on at a time

  void operator()(Tl& tl) const {
    const std::uint64_t k = a.columns();
    const TensorRef rows_of_a = a.local(tl);
    const TensorRef rows_of_c = c.local(tl);
    const std::uint64_t first = c.local_part(tl).row;
    std::deque<Pending> running;
    std::uint64_t count = 0;
    for (std::uint64_t at = 0; at < rows_of_c.rows; at += count) {
      const std::uint64_t matrix = (first + at) / m;
      count = std::min(m - (first + at) % m, rows_of_c.rows - at);
      kernel::CompositeOptions tiles =
          fit_tiles({count, k, c.columns()}, a.type(), tl.accumulator_bytes());
      tiles.tiles_in_flight = 2;
      if (running.size() == in_flight) {
        tl.wait(running.front());
        running.pop_front();
      }
      running.push_back(tl.icomposite(rows_of_a.block(at, 0, count, k),
                                      b.whole().matrix(shares_b ? 0 : matrix, k),
                                      rows_of_c.block(at, 0, count, c.columns()), tiles));
    }
    for (const Pending& pending : running) tl.wait(pending);
  }
};

void run(runtime::Context& kb) {
  const std::uint64_t matrices = kb.number("batch", 1) * kb.number("heads", 1);
  const std::uint64_t m = kb.number("m", 1);
  const std::uint64_t k = kb.number("k", 1);
  const std::uint64_t n = kb.number("n", 1);
  const bool shares_b = kb.choice("b", {"each", "shared"}) == "shared";
  const std::uint64_t in_flight = kb.number("matrices_in_flight", 1);
  const DataType type = kb.type("type");
  const DataType result = is_floating(type) ? type : DataType::I32;
  const runtime::DpPolicy by_rows{Placement::RowWise, Placement::RowWise};
  const std::uint64_t rows_of_b = (shares_b ? 1 : matrices) * k;
  const auto a_data = uniform(type, matrices * m, k, 1);
  const auto b_data = uniform(type, rows_of_b, n, 2);
  const runtime::Tensor a = kb.tensor(matrices * m, k, type, by_rows, a_data);
  const runtime::Tensor b = kb.tensor(rows_of_b, n, type, by_rows, b_data);
  const runtime::Tensor c = kb.tensor(matrices * m, n, result, by_rows);
  kb.measure("gemm-batched", [&] {
    kb.launch("gemm-batched", GemmBatched{a->view(), b->view(), c->view(), m, shares_b, in_flight});
  });

  kb.expect("c", kb.read(c), [=] {
    const MatrixD left = to_doubles(a_data());
    const MatrixD right = to_doubles(b_data());
    const auto height = static_cast<Eigen::Index>(m);
    const auto inner = static_cast<Eigen::Index>(k);
    MatrixD product(left.rows(), right.cols());
    for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(matrices); ++i) {
      product.middleRows(i * height, height) =
          left.middleRows(i * height, height) * right.middleRows(shares_b ? 0 : i * inner, inner);
    }
    return from_doubles(result, product);
  });
}

const Registration kBench{{"gemm-batched",
                           "C = A B for each matrix of a batch, rows of all C over all PEs",
                           {{"batch", "8", "outer size of the batch"},
                            {"heads", "4", "inner size of the batch; 1: tensors of rank 3"},
                            {"m", "64", "rows of each matrix of A and C"},
                            {"k", "64", "columns of each matrix of A, rows of one of B"},
                            {"n", "64", "columns of each matrix of B and C"},
                            {"b", "each", "each: a matrix of B for each of A, shared: one for all"},
                            {"type", "f16", "type of A, B and C; C is i32 for integers"},
                            {"matrices_in_flight", "2", "matrices that a PE works on at a time"}},
                           run,
                           {},
                           true}};

}  // namespace
}  // namespace kernbench::model::bench::gemm_batched
