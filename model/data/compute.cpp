#include "model/data/compute.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace kernbench::model::data {

using components::MathOp;

namespace {

using Index = Eigen::Index;
using MatrixU = Eigen::Matrix<std::uint32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Eigen cuts sums where the caches of the machine end, unless it is told what they are.
void fix_order_of_sums() {
  static const bool done = [] {
    Eigen::setCpuCacheSizes(32 * 1024, 1024 * 1024, 8 * 1024 * 1024);
    return true;
  }();
  (void)done;
}

std::int32_t wrapped(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}
std::uint32_t bits(std::int32_t value) {
  return static_cast<std::uint32_t>(value);
}

float apply_unary(MathOp op, float x) {
  switch (op) {
    case MathOp::Exp:
      return std::exp(x);
    case MathOp::Log:
      return std::log(x);
    case MathOp::Sqrt:
      return std::sqrt(x);
    case MathOp::Abs:
      return std::abs(x);
    case MathOp::Sigmoid:
      return 1.0F / (1.0F + std::exp(-x));
    case MathOp::Neg:
      return -x;
    case MathOp::Cast:
      return x;
    default:
      throw std::logic_error("no unary operation");
  }
}

std::int32_t apply_unary(MathOp op, std::int32_t x) {
  switch (op) {
    case MathOp::Abs:
      return x < 0 ? wrapped(0U - bits(x)) : x;
    case MathOp::Neg:
      return wrapped(0U - bits(x));
    case MathOp::Cast:
      return x;
    default:
      throw std::logic_error("no operation on integers");
  }
}

float arithmetic(MathOp op, float a, float b) {
  switch (op) {
    case MathOp::Add:
      return a + b;
    case MathOp::Sub:
      return a - b;
    case MathOp::Mul:
      return a * b;
    case MathOp::Div:
      return a / b;
    default:
      throw std::logic_error("no binary operation");
  }
}

std::int32_t arithmetic(MathOp op, std::int32_t a, std::int32_t b) {
  switch (op) {
    case MathOp::Add:
      return wrapped(bits(a) + bits(b));
    case MathOp::Sub:
      return wrapped(bits(a) - bits(b));
    case MathOp::Mul:
      return wrapped(bits(a) * bits(b));
    case MathOp::Div:
      if (b == 0) return 0;
      return b == -1 ? wrapped(0U - bits(a)) : a / b;
    default:
      throw std::logic_error("no binary operation");
  }
}

template <typename T>
T apply_binary(MathOp op, T a, T b) {
  switch (op) {
    case MathOp::Maximum:
      return std::max(a, b);
    case MathOp::Minimum:
      return std::min(a, b);
    case MathOp::Less:
      return static_cast<T>(a < b ? 1 : 0);
    case MathOp::LessEqual:
      return static_cast<T>(a <= b ? 1 : 0);
    case MathOp::Greater:
      return static_cast<T>(a > b ? 1 : 0);
    case MathOp::GreaterEqual:
      return static_cast<T>(a >= b ? 1 : 0);
    case MathOp::Equal:
      return static_cast<T>(a == b ? 1 : 0);
    default:
      return arithmetic(op, a, b);
  }
}

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// An input seen in the shape of the output.
template <typename T>
class Repeated {
 public:
  explicit Repeated(Matrix<T> values) : values_(std::move(values)) {}
  [[nodiscard]] T at(Index row, Index column) const {
    return values_(values_.rows() == 1 ? 0 : row, values_.cols() == 1 ? 0 : column);
  }
  [[nodiscard]] const Matrix<T>& values() const { return values_; }

 private:
  Matrix<T> values_;
};

template <typename T>
Matrix<T> numbers_of(const Array& array) {
  if constexpr (std::is_same_v<T, float>) {
    return array.to_floats();
  } else {
    return array.to_integers();
  }
}

template <typename T>
Repeated<T> repeated(const Value& value) {
  if (const auto* const number = std::get_if<double>(&value)) {
    return Repeated<T>(Matrix<T>::Constant(1, 1, static_cast<T>(*number)));
  }
  return Repeated<T>(numbers_of<T>(std::get<Array>(value)));
}

template <typename T>
T reduced(MathOp op, T a, T b) {
  switch (op) {
    case MathOp::Sum:
      return arithmetic(MathOp::Add, a, b);
    case MathOp::Max:
      return std::max(a, b);
    case MathOp::Min:
      return std::min(a, b);
    default:
      throw std::logic_error("no reduction");
  }
}

/// From the first element to the last.
template <typename T>
Matrix<T> reduce(MathOp op, const Matrix<T>& input, Axis axis) {
  const bool over_rows = axis == Axis::Rows;
  Matrix<T> result = over_rows ? Matrix<T>(input.row(0)) : Matrix<T>(input.col(0));
  for (Index row = 0; row < input.rows(); ++row) {
    for (Index column = 0; column < input.cols(); ++column) {
      if ((over_rows ? row : column) == 0) continue;
      T& sum = over_rows ? result(0, column) : result(row, 0);
      sum = reduced(op, sum, input(row, column));
    }
  }
  return result;
}

template <typename T>
Matrix<T> element_wise(MathOp op, const std::vector<Value>& inputs, Index rows, Index columns) {
  std::vector<Repeated<T>> in;
  in.reserve(inputs.size());
  for (const Value& input : inputs) in.push_back(repeated<T>(input));
  Matrix<T> result(rows, columns);
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < columns; ++column) {
      T& out = result(row, column);
      switch (in.size()) {
        case 1:
          out = apply_unary(op, in[0].at(row, column));
          break;
        case 2:
          out = apply_binary(op, in[0].at(row, column), in[1].at(row, column));
          break;
        default:
          out = in[0].at(row, column) != T{} ? in[1].at(row, column) : in[2].at(row, column);
      }
    }
  }
  return result;
}

template <typename T>
Matrix<T> make_numbers(MathOp op, const std::vector<Value>& inputs, Index rows, Index columns) {
  const double first = std::get<double>(inputs.at(0));
  if (op == MathOp::Fill) return Matrix<T>::Constant(rows, columns, static_cast<T>(first));
  Matrix<T> result(rows, columns);
  for (Index i = 0; i < result.size(); ++i) {
    result.data()[i] = static_cast<T>(first + static_cast<double>(i));
  }
  return result;
}

template <typename T>
Array compute_as(MathOp op, const std::vector<Value>& inputs, std::optional<Axis> axis,
                 const Block& output) {
  const auto rows = static_cast<Index>(output.rows);
  const auto columns = static_cast<Index>(output.columns);
  if (components::inputs_of(op) == 0) {
    return Array::from(output.type, make_numbers<T>(op, inputs, rows, columns));
  }
  if (components::is_reduction(op)) {
    return Array::from(output.type,
                       reduce<T>(op, repeated<T>(inputs.at(0)).values(), axis.value()));
  }
  return Array::from(output.type, element_wise<T>(op, inputs, rows, columns));
}

/// Whether all inputs are integers; numbers adapt to the others. The condition of `where` decides
/// nothing.
bool in_integers(MathOp op, const std::vector<Value>& inputs, DataType output) {
  if (components::inputs_of(op) == 0) return !is_floating(output);
  for (std::size_t i = op == MathOp::Where ? 1 : 0; i < inputs.size(); ++i) {
    const auto* const array = std::get_if<Array>(&inputs[i]);
    if (array != nullptr) return !is_floating(array->type());
  }
  return !is_floating(output);
}

template <typename T>
Array finished(Matrix<T> values, const std::vector<MathOp>& epilogue,
               const std::vector<Value>& operands, DataType type) {
  std::size_t used = 0;
  for (const MathOp op : epilogue) {
    if (components::inputs_of(op) == 1) {
      for (Index i = 0; i < values.size(); ++i) {
        values.data()[i] = apply_unary(op, values.data()[i]);
      }
      continue;
    }
    const Repeated<T> operand = repeated<T>(operands.at(used++));
    for (Index row = 0; row < values.rows(); ++row) {
      for (Index column = 0; column < values.cols(); ++column) {
        values(row, column) = apply_binary(op, values(row, column), operand.at(row, column));
      }
    }
  }
  return Array::from(type, values);
}

}  // namespace

Array compute_gemm(const Array& a, const Array& b, DataType type) {
  return compute_composite(a, b, {}, {}, type);
}

Array compute_composite(const Array& a, const Array& b, const std::vector<MathOp>& epilogue,
                        const std::vector<Value>& operands, DataType type) {
  fix_order_of_sums();
  if (is_floating(a.type())) {
    MatrixF product(static_cast<Index>(a.rows()), static_cast<Index>(b.columns()));
    product.noalias() = a.to_floats() * b.to_floats();
    return finished<float>(std::move(product), epilogue, operands, type);
  }
  const MatrixI left = a.to_integers();
  const MatrixI right = b.to_integers();
  const MatrixU product = left.cast<std::uint32_t>() * right.cast<std::uint32_t>();
  return finished<std::int32_t>(product.cast<std::int32_t>(), epilogue, operands, type);
}

Array compute_math(MathOp op, const std::vector<Value>& inputs, std::optional<Axis> axis,
                   const Block& output) {
  if (in_integers(op, inputs, output.type)) {
    return compute_as<std::int32_t>(op, inputs, axis, output);
  }
  return compute_as<float>(op, inputs, axis, output);
}

}  // namespace kernbench::model::data
