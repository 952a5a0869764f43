// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "model/data/compute.hpp"
#include "model/data/element_ops.hpp"
#include "model/data/numbers.hpp"

namespace kernbench::model::data {

using components::MathOp;

namespace {

using Index = Eigen::Index;

/// Fixes the cache sizes for which Eigen blocks sums; by default they are those of the machine.
void fix_order_of_sums() {
  constexpr std::ptrdiff_t kL1 = 32'768;
  constexpr std::ptrdiff_t kL2 = 1'048'576;
  constexpr std::ptrdiff_t kL3 = 8'388'608;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  std::ptrdiff_t l1 = 0;
  std::ptrdiff_t l2 = 0;
  std::ptrdiff_t l3 = 0;
  Eigen::internal::manage_caching_sizes(Eigen::GetAction, &l1, &l2, &l3);
  if (l1 != kL1 || l2 != kL2 || l3 != kL3) Eigen::setCpuCacheSizes(kL1, kL2, kL3);
}

/// Computes c = a b. Sums of integers must wrap, so T is unsigned for them.
template <typename T>
void multiply(const T* a, const T* b, std::uint64_t rows, std::uint64_t depth,
              std::uint64_t columns, T* c) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto m = static_cast<Index>(rows);
  const auto k = static_cast<Index>(depth);
  const auto n = static_cast<Index>(columns);
  fix_order_of_sums();
  Eigen::Map<Matrix>(c, m, n).noalias() =
      Eigen::Map<const Matrix>(a, m, k) * Eigen::Map<const Matrix>(b, k, n);
}

void multiply(const Numbers<float>& a, const Numbers<float>& b, Draft<float>& c) {
  multiply(a.data(), b.data(), a.rows(), a.columns(), b.columns(), c.data());
}

void multiply(const Numbers<std::int32_t>& a, const Numbers<std::int32_t>& b,
              Draft<std::int32_t>& c) {
  using Bits = std::uint32_t;
  // Accessing an integer as its unsigned counterpart is valid.
  multiply(reinterpret_cast<const Bits*>(a.data()), reinterpret_cast<const Bits*>(b.data()),
           a.rows(), a.columns(), b.columns(), reinterpret_cast<Bits*>(c.data()));
}

template <typename T>
void apply(const std::vector<MathOp>& epilogue, const std::vector<EpilogueValue>& operands,
           Draft<T>& c) {
  const bool keeps = std::any_of(operands.begin(), operands.end(), [](const EpilogueValue& value) {
    return std::holds_alternative<Accumulated>(value);
  });
  std::vector<std::vector<T>> earlier;  // values before each step
  std::size_t used = 0;
  for (const MathOp op : epilogue) {
    if (keeps) earlier.emplace_back(c.data(), c.data() + c.size());
    if (components::inputs_of(op) == 1) {
      with_unary(op, T{}, [&](auto f) {
        for (std::uint64_t i = 0; i < c.size(); ++i) c.data()[i] = f(c.data()[i]);
      });
      continue;
    }
    const EpilogueValue& value = operands.at(used++);
    if (const auto* const accumulated = std::get_if<Accumulated>(&value)) {
      const std::vector<T>& second = earlier.at(accumulated->steps);
      with_binary(op, T{}, [&](auto f) {
        for (std::uint64_t i = 0; i < c.size(); ++i) c.data()[i] = f(c.data()[i], second.at(i));
      });
      continue;
    }
    const auto* const array = std::get_if<Array>(&value);
    const Numbers<T> operand =
        array != nullptr ? Numbers<T>(*array) : Numbers<T>(std::get<double>(value));
    operand.check_fits(c.rows(), c.columns());
    with_binary(op, T{}, [&](auto f) {
      for (std::uint64_t row = 0; row < c.rows(); ++row) {
        T* const values = c.row(row);
        const T* const second = operand.row(row);
        for (std::uint64_t i = 0; i < c.columns(); ++i) {
          values[i] = f(values[i], second[i * operand.step()]);
        }
      }
    });
  }
}

template <typename T>
Array compute_as(const Array& a, const Array& b, const std::vector<MathOp>& epilogue,
                 const std::vector<EpilogueValue>& operands, DataType type) {
  Draft<T> c(type, a.rows(), b.columns());
  multiply(Numbers<T>(a), Numbers<T>(b), c);
  apply(epilogue, operands, c);
  return std::move(c).finish();
}

}  // namespace

Array compute_gemm(const Array& a, const Array& b, DataType type) {
  return compute_composite(a, b, {}, {}, type);
}

Array compute_composite(const Array& a, const Array& b, const std::vector<MathOp>& epilogue,
                        const std::vector<EpilogueValue>& operands, DataType type) {
  if (a.columns() != b.rows() || !can_multiply(a.type(), b.type())) {
    throw std::invalid_argument(fmt::format("cannot multiply {} x {} of {} by {} x {} of {}",
                                            a.rows(), a.columns(), name_of(a.type()), b.rows(),
                                            b.columns(), name_of(b.type())));
  }
  return is_floating(a.type()) ? compute_as<float>(a, b, epilogue, operands, type)
                               : compute_as<std::int32_t>(a, b, epilogue, operands, type);
}

}  // namespace kernbench::model::data
