// SPDX-License-Identifier: Apache-2.0
// Compares the second pass with plain Eigen for the same arithmetic, including type conversions.
// Both alternate in one process, and their CPU times are compared, as other programs share the
// machine. `make bench BENCH=replay` prints the table and fails if a replay takes more than twice
// as long.
#include <fmt/format.h>
#include <time.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "common/random.hpp"
#include "model/data/replay.hpp"

namespace kernbench::bench {
namespace {

using model::data::Array;
using model::data::Block;
using model::data::DataType;
using model::data::OpLog;
using model::data::Space;

constexpr int kRepetitions = 5;
constexpr double kBar = 2.0;
constexpr std::uint64_t kTile = 128;

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Array fractions(DataType type, std::uint64_t side, std::uint64_t seed) {
  common::Rng random(seed);
  model::data::MatrixF values(static_cast<Eigen::Index>(side), static_cast<Eigen::Index>(side));
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    values.data()[i] = static_cast<float>(random.bits64() >> 40U) * 0x1p-23F - 1.0F;
  }
  return Array::from(type, values);
}

template <typename T>
Matrix<T> matrix_of(const Array& array) {
  return array.to_floats().cast<T>();
}

/// Computes C = A B by one composite operation, or by kernels' loads, dots, sums and stores of
/// tiles.
class GemmLog {
 public:
  GemmLog(DataType type, std::uint64_t side, const Array& a, const Array& b, bool tiled)
      : side_(side), type_(type) {
    host(0, true, a);
    host(kB, true, b);
    if (tiled) {
      add_tiles();
    } else {
      done(model::data::CompositeGemmParams{
          part(0, 0, 0, side), part(kB, 0, 0, side), part(kC, 0, 0, side), {}, {}});
    }
    host(kC, false, {});
  }
  [[nodiscard]] const OpLog& log() const { return log_; }

 private:
  static constexpr std::uint64_t kB = 1ULL << 32U;
  static constexpr std::uint64_t kC = 2ULL << 32U;

  void done(model::data::Params params) {
    model::data::OpRecord record;
    record.params = std::move(params);
    log_.end(log_.begin(std::move(record)), {});
  }
  [[nodiscard]] Block part(std::uint64_t base, std::uint64_t row, std::uint64_t column,
                           std::uint64_t size) const {
    Block block{Space::Hbm, type_, size, size, side_, false, {}};
    block.stretches = {{base + (row * side_ + column) * bytes_of(type_), block.span_bytes()}};
    return block;
  }
  static Block tile(std::uint64_t pa, DataType type) {
    return {Space::Tcm, type, kTile, kTile, kTile, false, {{pa, kTile * kTile * bytes_of(type)}}};
  }
  void host(std::uint64_t base, bool to_device, const Array& data) {
    done(model::data::HostCopyParams{to_device,
                                     side_,
                                     side_,
                                     type_,
                                     {{0, 0, part(base, 0, 0, side_)}},
                                     [data] { return data; },
                                     0});
  }
  void add_tiles() {
    using model::components::MathOp;
    const Block a = tile(0, type_);
    const Block b = tile(0x10000, type_);
    const Block product = tile(0x20000, DataType::F32);
    const Block sum = tile(0x30000, DataType::F32);
    const Block result = tile(0x40000, type_);
    for (std::uint64_t row = 0; row < side_; row += kTile) {
      for (std::uint64_t column = 0; column < side_; column += kTile) {
        done(model::data::MathParams{MathOp::Fill, {0.0}, {}, sum});
        for (std::uint64_t k = 0; k < side_; k += kTile) {
          done(model::data::CopyParams{part(0, row, k, kTile), a});
          done(model::data::CopyParams{part(kB, k, column, kTile), b});
          done(model::data::GemmParams{a, b, product});
          done(model::data::MathParams{MathOp::Add, {sum, product}, {}, sum});
        }
        done(model::data::MathParams{MathOp::Cast, {sum}, {}, result});
        done(model::data::CopyParams{result, part(kC, row, column, kTile)});
      }
    }
  }

  std::uint64_t side_;
  DataType type_;
  OpLog log_;
};

template <typename T>
void plain_whole(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& c) {
  const Matrix<float> product = a.template cast<float>() * b.template cast<float>();
  c = product.cast<T>();
}

template <typename T>
void plain_tiles(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& c) {
  const auto size = static_cast<Eigen::Index>(kTile);
  for (Eigen::Index row = 0; row < a.rows(); row += size) {
    for (Eigen::Index column = 0; column < b.cols(); column += size) {
      Matrix<float> sum = Matrix<float>::Zero(size, size);
      for (Eigen::Index k = 0; k < a.cols(); k += size) {
        const Matrix<float> left = a.block(row, k, size, size).template cast<float>();
        const Matrix<float> right = b.block(k, column, size, size).template cast<float>();
        const Matrix<float> product = left * right;
        sum += product;
      }
      c.block(row, column, size, size) = sum.cast<T>();
    }
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <typename T>
bool compare(DataType type, std::uint64_t side, bool tiled) {
  const Array a = fractions(type, side, 1);
  const Array b = fractions(type, side, 2);
  const Matrix<T> left = matrix_of<T>(a);
  const Matrix<T> right = matrix_of<T>(b);
  Matrix<T> c(left.rows(), right.cols());
  const GemmLog log(type, side, a, b, tiled);
  std::vector<double> replays;
  std::vector<double> plains;
  double difference = 0.0;
  for (int i = 0; i < kRepetitions; ++i) {
    const double start = cpu_seconds();
    model::data::Replay replay;
    replay.run(log.log());
    const double middle = cpu_seconds();
    tiled ? plain_tiles(left, right, c) : plain_whole(left, right, c);
    plains.push_back(cpu_seconds() - middle);
    replays.push_back(middle - start);
    const Matrix<float> found = replay.result(0).to_floats();
    difference = static_cast<double>((found - c.template cast<float>()).cwiseAbs().maxCoeff());
  }
  const double ratio = median(replays) / median(plains);
  const bool met = ratio <= kBar;
  fmt::print("{:>5} {:>6} {:>10} {:>10.3f} {:>10.3f} {:>8.2f} {:>9} {:>12.2g}\n", side,
             name_of(type), tiled ? "128^3 tiles" : "composite", median(replays), median(plains),
             ratio, met ? "met" : "MISSED", difference);
  std::fflush(stdout);
  return met;
}

bool run() {
  fmt::print("C = A B, square; CPU seconds, medians of {}; bar: {} x plain Eigen\n", kRepetitions,
             kBar);
  fmt::print("{:>5} {:>6} {:>10} {:>10} {:>10} {:>8} {:>9} {:>12}\n", "side", "type", "by",
             "replay", "Eigen", "ratio", "bar", "difference");
  bool met = true;
  for (const std::uint64_t side : {1024U, 2048U}) {
    for (const bool tiled : {false, true}) {
      met &= compare<float>(DataType::F32, side, tiled);
      met &= compare<Eigen::half>(DataType::F16, side, tiled);
    }
  }
  return met;
}

}  // namespace
}  // namespace kernbench::bench

int main() {
  return kernbench::bench::run() ? 0 : 1;
}
