// SPDX-License-Identifier: Apache-2.0
// y = x W with quantized weights: columns over all PEs. With f8, x has a scale for each row; W has
// a scale for each column, or for each group of rows of a column.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "model/bench/gemm_mapping.hpp"
#include "model/bench/random_data.hpp"
#include "model/bench/reference.hpp"
#include "model/bench/registry.hpp"

namespace kernbench::model::bench::gemm_quantized {
namespace {

using data::Array;
using data::DataType;
using data::MatrixF;
using kernel::Epilogue;
using kernel::MathOp;
using kernel::TensorRef;
using kernel::Tile;
using kernel::Tl;
using runtime::HostData;
using runtime::Placement;
using runtime::TensorView;

/// Rows of a result in f32 that a PE sums up at a time have at most so many elements.
constexpr std::uint64_t kElementsOfASum = 65536;

float largest_of(DataType type) {
  return type == DataType::F8E4M3 ? 448.0F : type == DataType::F8E5M2 ? 57344.0F : 7.0F;
}

/// A matrix as numbers of a narrow type and, for each group of `group` rows, a scale for each
/// column: the group's largest number becomes the largest of the type.
struct Quantized {
  Array values;
  Array scales;

  [[nodiscard]] static Quantized of(const MatrixF& x, DataType type, std::uint64_t group) {
    const auto rows = static_cast<Eigen::Index>(group);
    const Eigen::Index groups = (x.rows() - 1) / rows + 1;
    MatrixF scales(groups, x.cols());
    MatrixF values(x.rows(), x.cols());
    for (Eigen::Index i = 0; i < groups; ++i) {
      const Eigen::Index count = std::min(rows, x.rows() - i * rows);
      const auto part = x.middleRows(i * rows, count);
      scales.row(i) = (part.cwiseAbs().colwise().maxCoeff() / largest_of(type)).cwiseMax(0x1p-100F);
      values.middleRows(i * rows, count) = part.array().rowwise() / scales.row(i).array();
    }
    return {Array::from(type, values), Array::from(DataType::F32, scales)};
  }

  /// Returns the numbers that the values stand for.
  [[nodiscard]] MatrixD numbers(std::uint64_t group) const {
    MatrixD all = to_doubles(values);
    const MatrixD factors = to_doubles(scales);
    for (Eigen::Index row = 0; row < all.rows(); ++row) {
      all.row(row).array() *= factors.row(row / static_cast<Eigen::Index>(group)).array();
    }
    return all;
  }
};

struct GemmQuantized {
  TensorView x;
  std::optional<TensorView> x_scales;  ///< one column
  TensorView weights;
  TensorView scales;  ///< a row for each group
  TensorView y;
  std::uint64_t group = 0;  ///< rows of W with one scale in each column

  void operator()(Tl& tl) const {
    const TensorRef w = weights.local(tl);
    if (w.empty()) return;
    const TensorRef out = y.local(tl);
    const std::uint64_t at_once = std::max<std::uint64_t>(kElementsOfASum / w.columns, 1);
    for (std::uint64_t row = 0; row < out.rows; row += at_once) {
      const TensorRef rows = x.whole().block(row, 0, at_once, x.columns());
      const TensorRef target = out.block(row, 0, at_once, w.columns);
      std::vector<Epilogue> of_rows;
      if (x_scales) {
        of_rows = {{MathOp::Mul, tl.load(x_scales->whole().block(row, 0, at_once, 1))}};
      }
      if (group >= w.rows) {
        tl.composite(rows, w, target, options(tl, rows, w, 0, of_rows));
        continue;
      }
      std::optional<Tile> sum;
      for (std::uint64_t k = 0; k < w.rows; k += group) {
        const TensorRef left = rows.block(0, k, rows.rows, group);
        const TensorRef right = w.block(k, 0, group, w.columns);
        const Tile part =
            tl.composite(left, right, DataType::F32, options(tl, left, right, k / group, of_rows));
        sum = sum ? *sum + part : part;
      }
      tl.store(target, tl.cast(*sum, target.type));
    }
  }

  /// Returns the tiles of a product, which are multiplied by the scales of a group.
  [[nodiscard]] kernel::CompositeOptions options(Tl& tl, const TensorRef& left,
                                                 const TensorRef& right, std::uint64_t number,
                                                 std::vector<Epilogue> of_rows) const {
    kernel::CompositeOptions tiles =
        fit_tiles({left.rows, left.columns, right.columns}, left.type, tl.accumulator_bytes());
    tiles.tile_n += tiles.tile_n % 2;  // a tile of i4 fills its bytes
    tiles.tile_m = std::min(tiles.tile_m, tl.accumulator_bytes() / 4 / tiles.tile_n);
    tiles.epilogue = std::move(of_rows);
    tiles.epilogue.push_back(
        {MathOp::Mul, tl.load(scales.local(tl).block(number, 0, 1, right.columns))});
    return tiles;
  }
};

/// Throws BadParameter unless each PE has an even number of columns.
void require_even_parts(const runtime::Context& kb, std::uint64_t n,
                        const runtime::DpPolicy& policy) {
  const runtime::Layout layout(1, n, policy, kb.cubes(), kb.pes());
  for (std::uint32_t cube = 0; cube < kb.cubes(); ++cube) {
    for (std::uint32_t pe = 0; pe < kb.pes(); ++pe) {
      const std::uint64_t columns = layout.shard(cube, pe).part.columns;
      if (columns % 2 == 0) continue;
      const std::uint64_t step = std::uint64_t{2} * kb.cubes() * kb.pes();
      throw runtime::BadParameter(fmt::format(
          "parameter 'n' is {}: a PE would have {} columns of i4, and two share a byte; multiples "
          "of {} fit",
          n, columns, step));
    }
  }
}

void run(runtime::Context& kb) {
  const std::uint64_t m = kb.number("m", 1);
  const std::uint64_t k = kb.number("k", 1);
  const std::uint64_t n = kb.number("n", 1);
  const DataType type = *data::data_type_of(kb.choice("weights", {"f8e4m3", "f8e5m2", "i4"}));
  const std::uint64_t group = std::min(kb.number_or_auto("group", 1).value_or(k), k);
  const bool quantizes_x = is_f8(type);
  const DataType x_type = quantizes_x ? type : DataType::F16;
  const auto quantized_x = [=] {
    const MatrixF numbers = uniform(DataType::F32, m, k, 1)().to_floats();
    // Scales of rows are those of the columns of the transposed matrix.
    return Quantized::of(numbers.transpose(), type, k);
  };
  const HostData x_data = [=] {
    return quantizes_x ? quantized_x().values.transposed() : uniform(DataType::F16, m, k, 1)();
  };
  const auto quantized_w = [=] {
    return Quantized::of(uniform(DataType::F32, k, n, 2)().to_floats(), type, group);
  };
  const runtime::DpPolicy by_columns{Placement::ColumnWise, Placement::ColumnWise};
  if (type == DataType::I4) require_even_parts(kb, n, by_columns);
  // A copy in each cube must have rows for all its PEs, or one slice serves them all.
  const runtime::DpPolicy copies =
      m < kb.pes() ? runtime::DpPolicy{}
                   : runtime::DpPolicy{Placement::Replicate, Placement::RowWise};
  const runtime::Tensor x = kb.tensor(m, k, x_type, copies, x_data);
  const runtime::Tensor w = kb.tensor(k, n, type, by_columns, [=] { return quantized_w().values; });
  const runtime::Tensor scales = kb.tensor((k - 1) / group + 1, n, DataType::F32, by_columns,
                                           [=] { return quantized_w().scales; });
  const runtime::Tensor y = kb.tensor(m, n, DataType::F16, by_columns);
  GemmQuantized gemm{x->view(), {}, w->view(), scales->view(), y->view(), group};
  if (quantizes_x) {
    gemm.x_scales = kb.tensor(m, 1, DataType::F32, copies, [=] {
                        return quantized_x().scales.transposed();
                      })->view();
  }
  kb.measure("gemm-quantized", [&] { kb.launch("gemm-quantized", gemm); });

  kb.expect("y", kb.read(y), [=] {
    const MatrixD left =
        quantizes_x ? MatrixD(quantized_x().numbers(k).transpose()) : to_doubles(x_data());
    return from_doubles(DataType::F16, left * quantized_w().numbers(group));
  });
}

const Registration kBench{
    {"gemm-quantized",
     "y = x W with weights of f8 or i4 and their scales, columns over all PEs",
     {{"m", "16", "rows of x and y"},
      {"k", "1024", "columns of x, rows of W"},
      {"n", "1024", "columns of W and y"},
      {"weights", "i4", "f8e4m3 or f8e5m2, also the type of x, or i4 with x of f16; y is f16"},
      {"group", "auto", "rows of W with one scale in each column; auto: all"}},
     run,
     {},
     true}};

}  // namespace
}  // namespace kernbench::model::bench::gemm_quantized
