// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/reference.hpp"

#include <cmath>
#include <limits>

namespace kernbench::model::bench::transformer {

namespace {

using Index = Eigen::Index;

MatrixD normed(const MatrixD& x, double epsilon) {
  MatrixD y = x;
  for (Index row = 0; row < x.rows(); ++row) {
    y.row(row) /= std::sqrt(x.row(row).squaredNorm() / static_cast<double>(x.cols()) + epsilon);
  }
  return y;
}

/// Rotates the pairs (i, i + size/2) of each head by their row's position.
void rotate(MatrixD& x, std::uint64_t head_size, double theta) {
  const auto size = static_cast<Index>(head_size);
  for (Index row = 0; row < x.rows(); ++row) {
    for (Index head = 0; head < x.cols(); head += size) {
      for (Index i = 0; i < size / 2; ++i) {
        const double angle =
            static_cast<double>(row) *
            std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(size));
        const double left = x(row, head + i);
        const double right = x(row, head + i + size / 2);
        x(row, head + i) = left * std::cos(angle) - right * std::sin(angle);
        x(row, head + i + size / 2) = right * std::cos(angle) + left * std::sin(angle);
      }
    }
  }
}

}  // namespace

MatrixD reference_attention(const ModelShape& shape, const MatrixD& q, const MatrixD& k,
                            const MatrixD& v) {
  const auto size = static_cast<Index>(shape.head_size);
  const auto group = static_cast<Index>(shape.heads / shape.kv_heads);
  MatrixD out(q.rows(), q.cols());
  for (Index head = 0; head < static_cast<Index>(shape.heads); ++head) {
    const Index kv = head / group * size;
    MatrixD scores = q.middleCols(head * size, size) * k.middleCols(kv, size).transpose() /
                     std::sqrt(static_cast<double>(size));
    for (Index row = 0; row < scores.rows(); ++row) {
      for (Index key = row + 1; key < scores.cols(); ++key) {
        scores(row, key) = -std::numeric_limits<double>::infinity();
      }
      scores.row(row) = (scores.row(row).array() - scores.row(row).maxCoeff()).exp();
      scores.row(row) /= scores.row(row).sum();
    }
    out.middleCols(head * size, size) = scores * v.middleCols(kv, size);
  }
  return out;
}

MatrixD reference_logits(const ModelShape& shape, const Weights& weights,
                         const std::vector<std::uint64_t>& tokens) {
  const MatrixD embedding = to_doubles(weights.embedding()());
  MatrixD x(static_cast<Index>(tokens.size()), static_cast<Index>(shape.hidden));
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    x.row(static_cast<Index>(i)) = embedding.row(static_cast<Index>(tokens[i]));
  }
  for (std::uint64_t layer = 0; layer < shape.layers; ++layer) {
    const auto weight = [&](Weight which) { return to_doubles(weights.layer(layer, which)()); };
    const MatrixD before = normed(x, shape.norm_epsilon);
    MatrixD q = before * weight(Weight::Query);
    MatrixD k = before * weight(Weight::Key);
    rotate(q, shape.head_size, shape.rope_theta);
    rotate(k, shape.head_size, shape.rope_theta);
    x += reference_attention(shape, q, k, before * weight(Weight::Value)) * weight(Weight::Output);
    const MatrixD after = normed(x, shape.norm_epsilon);
    const MatrixD gate = after * weight(Weight::Gate);
    const MatrixD silu = gate.array() / (1.0 + (-gate.array()).exp());
    x += (silu.array() * (after * weight(Weight::Up)).array()).matrix() * weight(Weight::Down);
  }
  return normed(x, shape.norm_epsilon) * to_doubles(weights.output()());
}

}  // namespace kernbench::model::bench::transformer
