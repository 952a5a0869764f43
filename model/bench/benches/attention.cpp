// SPDX-License-Identifier: Apache-2.0
// O = softmax(Q K^T / sqrt(d)) V as flash attention: processes keys block by block with a running
// maximum and sum of each row, and never stores a whole row of scores. Rows of Q and O are spread
// over all PEs; each cube has K and V.

#include <cmath>
#include <limits>

#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"

namespace kernbench::model::bench::attention {
namespace {

using components::MathOp;
using data::Axis;
using data::DataType;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::Placement;
using runtime::TensorView;

constexpr double kMasked = -std::numeric_limits<double>::infinity();

struct Attention {
  TensorView q;
  TensorView k;
  TensorView v;
  TensorView out;
  std::uint64_t block_q = 0;
  std::uint64_t block_k = 0;
  bool causal = false;

  void operator()(Tl& tl) const {
    const TensorRef mine = q.local(tl);
    const std::uint64_t first = q.local_part(tl).row;
    for (std::uint64_t row = 0; row < mine.rows; row += block_q) {
      const Tile queries = tl.load(mine.block(row, 0, block_q, mine.columns));
      tl.store(out.local(tl).block(row, 0, block_q, mine.columns), rows(tl, queries, first + row));
    }
  }

  /// Returns the output for the queries that start at row `first` of Q.
  [[nodiscard]] Tile rows(Tl& tl, const Tile& queries, std::uint64_t first) const {
    const double scale = 1.0 / std::sqrt(static_cast<double>(queries.columns()));
    const std::uint64_t keys = causal ? std::min(k.rows(), first + queries.rows()) : k.rows();
    Tile highest = tl.full(queries.rows(), 1, kMasked, DataType::F32);
    Tile sum = tl.full(queries.rows(), 1, 0.0, DataType::F32);
    Tile result = tl.full(queries.rows(), queries.columns(), 0.0, DataType::F32);
    for (std::uint64_t key = 0; key < keys; key += block_k) {
      const std::uint64_t count = std::min(block_k, keys - key);
      const Tile some_keys = tl.load(k.whole().block(key, 0, count, queries.columns()));
      Tile scores = tl.dot(queries, Tl::trans(some_keys)) * scale;
      if (causal && key + count > first + 1) scores = mask(tl, scores, first, key);
      const Tile higher = tl.maximum(highest, tl.max(scores, Axis::Columns));
      const Tile powers = tl.exp(scores - higher);
      const Tile correction = tl.exp(highest - higher);
      const Tile some_values = tl.load(v.whole().block(key, 0, count, queries.columns()));
      sum = sum * correction + tl.sum(powers, Axis::Columns);
      result = result * correction + tl.dot(tl.cast(powers, v.type()), some_values);
      highest = higher;
    }
    return tl.cast(result / sum, out.type());
  }

  /// Masks the scores of keys after their query.
  static Tile mask(Tl& tl, const Tile& scores, std::uint64_t first, std::uint64_t key) {
    const auto count = [&](std::uint64_t size, std::uint64_t from) {
      return tl.arange(size, DataType::F32, static_cast<double>(from));
    };
    const Tile queries = Tl::trans(count(scores.rows(), first));
    return tl.where(count(scores.columns(), key) <= queries, scores, kMasked);
  }
};

MatrixD reference(const MatrixD& q, const MatrixD& k, const MatrixD& v, bool causal) {
  MatrixD scores = q * k.transpose() / std::sqrt(static_cast<double>(q.cols()));
  for (Eigen::Index row = 0; row < scores.rows(); ++row) {
    for (Eigen::Index key = row + 1; causal && key < scores.cols(); ++key) {
      scores(row, key) = kMasked;
    }
    scores.row(row) = (scores.row(row).array() - scores.row(row).maxCoeff()).exp();
    scores.row(row) /= scores.row(row).sum();
  }
  return scores * v;
}

void run(runtime::Context& kb) {
  const std::uint64_t queries = kb.number("queries");
  const std::uint64_t keys = kb.number("keys", 1);
  const std::uint64_t size = kb.number("size", 1);
  const DataType type = kb.type("type");
  const bool causal = kb.choice("causal", {"no", "yes"}) == "yes";
  const runtime::DpPolicy by_rows{Placement::RowWise, Placement::RowWise};
  const runtime::DpPolicy in_each_cube{Placement::Replicate, Placement::RowWise};
  const auto q_data = uniform(type, queries, size, 1);
  const auto k_data = uniform(type, keys, size, 2);
  const auto v_data = uniform(type, keys, size, 3);
  const runtime::Tensor q = kb.tensor(queries, size, type, by_rows, q_data);
  const runtime::Tensor k = kb.tensor(keys, size, type, in_each_cube, k_data);
  const runtime::Tensor v = kb.tensor(keys, size, type, in_each_cube, v_data);
  const runtime::Tensor out = kb.tensor(queries, size, type, by_rows);

  kb.measure("attention", [&] {
    kb.launch("attention", Attention{q->view(), k->view(), v->view(), out->view(),
                                     kb.number("block_q", 1), kb.number("block_k", 1), causal});
  });

  kb.expect("out", kb.read(out), [=] {
    return from_doubles(
        type, reference(to_doubles(q_data()), to_doubles(k_data()), to_doubles(v_data()), causal));
  });
}

const Registration kBench{{"attention",
                           "flash attention of one head, queries over all PEs",
                           {{"queries", "1024", "rows of Q and the output"},
                            {"keys", "1024", "rows of K and V"},
                            {"size", "64", "head size: columns of Q, K, V and the output"},
                            {"type", "f16", "f32, f16 or bf16; sums are f32"},
                            {"causal", "no", "yes: a query sees no later key"},
                            {"block_q", "64", "queries at a time"},
                            {"block_k", "128", "keys at a time"}},
                           run}};

}  // namespace
}  // namespace kernbench::model::bench::attention
