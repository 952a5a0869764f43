// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/weights.hpp"

#include <cmath>

#include "model/bench/random_data.hpp"

namespace kernbench::model::bench::transformer {

namespace {

/// Matrices of a layer without further experts and router.
constexpr std::uint64_t kWeightsOfLayer = 7;
/// More than the matrices of a model without further experts and routers.
constexpr std::uint64_t kWeightsOfExpert = 100'000;

}  // namespace

runtime::HostData Weights::random(std::uint64_t rows, std::uint64_t columns, double size,
                                  std::uint64_t number) const {
  const data::DataType type = shape_.type;
  // A number of [-1, 1) has the variance 1/3.
  const auto scale = static_cast<float>(size * std::sqrt(3.0));
  return [=, data = uniform(data::DataType::F32, rows, columns, seed_ * 1'000'003 + number)] {
    return data::Array::from(type, data::MatrixF(data().to_floats() * scale));
  };
}

runtime::HostData Weights::layer(std::uint64_t layer, Weight weight, std::uint64_t expert) const {
  const std::uint64_t q = shape_.heads * shape_.head_size;
  const std::uint64_t kv = shape_.kv_heads * shape_.head_size;
  const std::uint64_t number =
      weight == Weight::Router ? 2 + shape_.experts * kWeightsOfExpert
                               : 2 + expert * kWeightsOfExpert + static_cast<std::uint64_t>(weight);
  const auto matrix = [&](std::uint64_t rows, std::uint64_t columns) {
    return random(rows, columns, 1.0 / std::sqrt(static_cast<double>(rows)),
                  number + layer * kWeightsOfLayer);
  };
  switch (weight) {
    case Weight::Query:
      return matrix(shape_.hidden, q);
    case Weight::Key:
    case Weight::Value:
      return matrix(shape_.hidden, kv);
    case Weight::Output:
      return matrix(q, shape_.hidden);
    case Weight::Gate:
    case Weight::Up:
      return matrix(shape_.hidden, shape_.feed_forward);
    case Weight::Down:
      return matrix(shape_.feed_forward, shape_.hidden);
    case Weight::Router:
      return matrix(shape_.hidden, shape_.experts);
  }
  return {};
}

runtime::HostData Weights::embedding() const {
  return random(shape_.vocabulary, shape_.hidden, 1.0, 0);
}

runtime::HostData Weights::output() const {
  return random(shape_.hidden, shape_.vocabulary,
                1.0 / std::sqrt(static_cast<double>(shape_.hidden)), 1);
}

}  // namespace kernbench::model::bench::transformer
