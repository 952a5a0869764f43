// SPDX-License-Identifier: Apache-2.0
// Operations on whole rows: the largest elements of a row, elements by their index, rotary
// embedding, transposition.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "model/data/compute.hpp"
#include "model/data/element_ops.hpp"
#include "model/data/numbers.hpp"

namespace kernbench::model::data {

using components::MathOp;

namespace {

const Array& array_in(const std::vector<Value>& inputs, std::size_t number) {
  return std::get<Array>(inputs.at(number));
}

void require_shape(MathOp op, const Block& output, std::uint64_t rows, std::uint64_t columns) {
  if (output.rows == rows && output.columns == columns) return;
  throw std::invalid_argument(fmt::format("'{}' gives {} x {}, not {} x {}",
                                          components::name_of(op), rows, columns, output.rows,
                                          output.columns));
}

/// Returns the columns of the largest elements of each row, as many as the output has columns. The
/// largest is first; NaN is larger than all numbers, and of equal elements the first one counts.
template <typename T>
Array largest_of(MathOp op, const Array& x, const Block& output) {
  require_shape(op, output, x.rows(), std::min(output.columns, x.columns()));
  const Numbers<T> in(x);
  const auto width = static_cast<std::ptrdiff_t>(output.columns);
  MatrixI found(static_cast<Eigen::Index>(output.rows), static_cast<Eigen::Index>(output.columns));
  std::vector<std::int32_t> order(x.columns());
  for (std::uint64_t row = 0; row < x.rows(); ++row) {
    const T* const elements = in.data() + row * x.columns();
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + width, order.end(),
                      [elements](std::int32_t a, std::int32_t b) {
                        const T one = elements[a];
                        const T other = elements[b];
                        if (is_nan(one) != is_nan(other)) return is_nan(one);
                        if (one > other || one < other) return one > other;
                        return a < b;
                      });
    std::copy_n(order.begin(), output.columns, found.data() + row * output.columns);
  }
  return Array::from(output.type, found);
}

/// Returns the elements of each row whose columns are in the same row of `indices`. One row of
/// elements serves all rows of indices.
Array take(const Array& x, const Array& indices, const Block& output) {
  require_shape(MathOp::Take, output, indices.rows(), indices.columns());
  if (x.rows() != 1 && x.rows() != indices.rows()) {
    throw std::invalid_argument(fmt::format("cannot take elements of {} rows by indices of {} rows",
                                            x.rows(), indices.rows()));
  }
  const MatrixI columns = indices.to_integers();
  const std::size_t size = whole_bytes_of(x.type());
  Bytes bytes(output.rows * output.columns * size);
  for (Eigen::Index row = 0; row < columns.rows(); ++row) {
    const std::uint64_t from = x.rows() == 1 ? 0 : static_cast<std::uint64_t>(row);
    for (Eigen::Index i = 0; i < columns.cols(); ++i) {
      const std::int32_t column = columns(row, i);
      if (column < 0 || static_cast<std::uint64_t>(column) >= x.columns()) {
        throw std::invalid_argument(fmt::format("index {} at [{}, {}] is not a column of {} x {}",
                                                column, row, i, x.rows(), x.columns()));
      }
      const std::uint64_t element = from * x.columns() + static_cast<std::uint64_t>(column);
      std::memcpy(bytes.data() + static_cast<std::size_t>(row * columns.cols() + i) * size,
                  x.bytes().data() + element * size, size);
    }
  }
  return {x.type(), output.rows, output.columns, std::make_shared<Bytes>(std::move(bytes))};
}

/// Rotates the pairs of elements (j, j + columns / 2) of each row by the angles whose cosines and
/// sines are in column j.
Array rotate(const Array& x, const Array& cosines, const Array& sines, const Block& output) {
  require_shape(MathOp::Rope, output, x.rows(), x.columns());
  const std::uint64_t half = x.columns() / 2;
  const Numbers<float> in(x);
  const Numbers<float> cosine(cosines);
  const Numbers<float> sine(sines);
  cosine.check_fits(x.rows(), half);
  sine.check_fits(x.rows(), half);
  Draft<float> out(output.type, output.rows, output.columns);
  for (std::uint64_t row = 0; row < x.rows(); ++row) {
    const float* const from = in.data() + row * x.columns();
    float* const to = out.row(row);
    for (std::uint64_t j = 0; j < half; ++j) {
      const float c = cosine.row(row)[j * cosine.step()];
      const float s = sine.row(row)[j * sine.step()];
      to[j] = from[j] * c - from[j + half] * s;
      to[j + half] = from[j + half] * c + from[j] * s;
    }
  }
  return std::move(out).finish();
}

}  // namespace

Array compute_rows(MathOp op, const std::vector<Value>& inputs, const Block& output) {
  const Array& x = array_in(inputs, 0);
  switch (op) {
    case MathOp::ArgMax:
    case MathOp::TopK:
      return is_floating(x.type()) ? largest_of<float>(op, x, output)
                                   : largest_of<std::int32_t>(op, x, output);
    case MathOp::Take:
      return take(x, array_in(inputs, 1), output);
    case MathOp::Rope:
      return rotate(x, array_in(inputs, 1), array_in(inputs, 2), output);
    case MathOp::Transpose:
      return x.transposed();
    default:
      refuse(op, "rows");
  }
}

}  // namespace kernbench::model::data
