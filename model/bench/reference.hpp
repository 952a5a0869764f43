// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "model/data/array.hpp"

namespace kernbench::model::bench {

// Benches check their results against straightforward computations in double.

using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

[[nodiscard]] inline MatrixD to_doubles(const data::Array& array) {
  return array.to_floats().cast<double>();
}
[[nodiscard]] inline data::Array from_doubles(data::DataType type, const MatrixD& values) {
  return data::Array::from(type, data::MatrixF(values.cast<float>()));
}

}  // namespace kernbench::model::bench
