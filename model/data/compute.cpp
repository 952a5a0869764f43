// SPDX-License-Identifier: Apache-2.0
#include "model/data/compute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "model/data/element_ops.hpp"
#include "model/data/numbers.hpp"

namespace kernbench::model::data {

using components::MathOp;

namespace {

template <typename T>
void apply_unary(MathOp op, const T* in, std::uint64_t size, T* out) {
  with_unary(op, T{}, [&](auto f) {
    for (std::uint64_t i = 0; i < size; ++i) out[i] = f(in[i]);
  });
}

/// Computes one row of f(x, y). A step of 0 repeats one element of x or y.
template <typename T, typename F>
void binary_row(const T* x, std::uint64_t x_step, const T* y, std::uint64_t y_step,
                std::uint64_t columns, T* out, F f) {
  if (x_step == 1 && y_step == 1) {
    for (std::uint64_t i = 0; i < columns; ++i) out[i] = f(x[i], y[i]);
  } else if (x_step == 1) {
    const T second = *y;
    for (std::uint64_t i = 0; i < columns; ++i) out[i] = f(x[i], second);
  } else {
    const T first = *x;
    for (std::uint64_t i = 0; i < columns; ++i) out[i] = f(first, y[i * y_step]);
  }
}

template <typename T>
void apply_binary(MathOp op, const Numbers<T>& a, const Numbers<T>& b, Draft<T>& out) {
  with_binary(op, T{}, [&](auto f) {
    for (std::uint64_t row = 0; row < out.rows(); ++row) {
      binary_row(a.row(row), a.step(), b.row(row), b.step(), out.columns(), out.row(row), f);
    }
  });
}

template <typename T>
void apply_where(const Numbers<T>& condition, const Numbers<T>& a, const Numbers<T>& b,
                 Draft<T>& out) {
  for (std::uint64_t row = 0; row < out.rows(); ++row) {
    const T* const choice = condition.row(row);
    const T* const yes = a.row(row);
    const T* const no = b.row(row);
    for (std::uint64_t i = 0; i < out.columns(); ++i) {
      out.row(row)[i] = choice[i * condition.step()] != T{} ? yes[i * a.step()] : no[i * b.step()];
    }
  }
}

/// Reduces from the first element to the last.
template <typename T>
void reduce(MathOp op, const Numbers<T>& in, Axis axis, Draft<T>& out) {
  const bool over_rows = axis == Axis::Rows;
  if (in.rows() == 0 || in.columns() == 0 || out.rows() != (over_rows ? 1 : in.rows()) ||
      out.columns() != (over_rows ? in.columns() : 1)) {
    throw std::invalid_argument(fmt::format("cannot reduce {} x {} to {} x {}", in.rows(),
                                            in.columns(), out.rows(), out.columns()));
  }
  with_reduction(op, T{}, [&](auto f) {
    if (over_rows) {
      T* const sums = out.data();
      std::copy_n(in.data(), in.columns(), sums);
      for (std::uint64_t row = 1; row < in.rows(); ++row) {
        const T* const next = in.row(row);
        for (std::uint64_t i = 0; i < in.columns(); ++i) sums[i] = f(sums[i], next[i]);
      }
      return;
    }
    for (std::uint64_t row = 0; row < in.rows(); ++row) {
      const T* const elements = in.row(row);
      T sum = elements[0];
      for (std::uint64_t i = 1; i < in.columns(); ++i) sum = f(sum, elements[i]);
      out.data()[row] = sum;
    }
  });
}

template <typename T>
void element_wise(MathOp op, const std::vector<Value>& inputs, Draft<T>& out) {
  std::vector<Numbers<T>> in;
  in.reserve(inputs.size());
  for (const Value& input : inputs) in.emplace_back(input).check_fits(out.rows(), out.columns());
  switch (in.size()) {
    case 1:
      if (in[0].rows() != out.rows() || in[0].columns() != out.columns()) {
        throw std::invalid_argument("the input must have the shape of the result");
      }
      return apply_unary(op, in[0].data(), out.size(), out.data());
    case 2:
      return apply_binary(op, in[0], in[1], out);
    default:
      return apply_where(in[0], in[1], in[2], out);
  }
}

template <typename T>
void make_numbers(MathOp op, double first, Draft<T>& out) {
  const T start = number_as<T>(first);
  for (std::uint64_t i = 0; i < out.size(); ++i) {
    if (op == MathOp::Fill) {
      out.data()[i] = start;
    } else if constexpr (std::is_same_v<T, float>) {
      out.data()[i] = static_cast<float>(first + static_cast<double>(i));
    } else {
      out.data()[i] = wrapped(bits_of(start) + static_cast<std::uint32_t>(i));
    }
  }
}

template <typename T>
Array compute_as(MathOp op, const std::vector<Value>& inputs, std::optional<Axis> axis,
                 const Block& output) {
  Draft<T> draft(output.type, output.rows, output.columns);
  if (components::inputs_of(op) == 0) {
    make_numbers<T>(op, std::get<double>(inputs[0]), draft);
  } else if (components::is_reduction(op)) {
    reduce<T>(op, Numbers<T>(inputs[0]), axis.value(), draft);
  } else {
    element_wise<T>(op, inputs, draft);
  }
  return std::move(draft).finish();
}

/// Returns true if an operation computes in integers: its tile inputs decide, apart from the
/// condition of `where`. Without tiles the output decides, and comparisons compute in f32.
bool in_integers(MathOp op, const std::vector<Value>& inputs, DataType output) {
  for (std::size_t i = op == MathOp::Where ? 1 : 0; i < inputs.size(); ++i) {
    const auto* const array = std::get_if<Array>(&inputs[i]);
    if (array != nullptr) return !is_floating(array->type());
  }
  return !is_floating(output) && !components::is_comparison(op);
}

}  // namespace

Array compute_math(MathOp op, const std::vector<Value>& inputs, std::optional<Axis> axis,
                   const Block& output) {
  // Fill and arange take their first value as an input.
  if (inputs.size() != std::max<std::size_t>(components::inputs_of(op), 1)) {
    throw std::invalid_argument(
        fmt::format("'{}' does not take {} inputs", components::name_of(op), inputs.size()));
  }
  if (components::is_reduction(op) != axis.has_value()) {
    throw std::invalid_argument(fmt::format("'{}' {} an axis", components::name_of(op),
                                            axis.has_value() ? "does not take" : "needs"));
  }
  if (components::is_of_rows(op)) return compute_rows(op, inputs, output);
  if (in_integers(op, inputs, output.type)) {
    return compute_as<std::int32_t>(op, inputs, axis, output);
  }
  return compute_as<float>(op, inputs, axis, output);
}

}  // namespace kernbench::model::data
