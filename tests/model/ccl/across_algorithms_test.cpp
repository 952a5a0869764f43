// SPDX-License-Identifier: Apache-2.0
// All algorithms agree on an all-reduce of the same numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "model/bench/random_data.hpp"
#include "model/ccl/process_group.hpp"
#include "tests/model/ccl/group_fixture.hpp"

namespace kernbench::model::ccl {
namespace {

using data::Array;
using data::DataType;
using runtime::Placement;

constexpr std::uint64_t kTensorRows = 7;  // over 4 PEs: three have two rows, one has one
constexpr std::uint64_t kTensorColumns = 53;
// Every algorithm supports 4 SIPs: more than one, a power of two, a grid of 2 x 2.
constexpr std::uint32_t kSipCount = 4;
constexpr std::uint32_t kCubesOfASip = 4;
constexpr std::uint32_t kCopies = kSipCount * kCubesOfASip;

/// Returns the data of a cube: integers of all 32 bits, so that sums wrap around, or floating-point
/// numbers whose sums are rounded.
Array cube_data(DataType type, std::uint32_t rank, std::uint32_t cube) {
  const std::uint32_t seed = rank * kCubesOfASip + cube + 1;
  if (is_floating(type)) return bench::uniform(type, kTensorRows, kTensorColumns, seed)();
  common::Rng random = common::Rng::stream(seed, "all bits");
  data::MatrixI values(kTensorRows, kTensorColumns);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    values.data()[i] = static_cast<std::int32_t>(random.bits64() >> 32U);
  }
  return Array::from(type, values);
}

/// Returns the data of all cubes of a rank, stacked by rows.
runtime::HostData rank_data(DataType type, std::uint32_t rank) {
  return [=] {
    Array all(type, kCubesOfASip * kTensorRows, kTensorColumns);
    data::Bytes& bytes = all.own_bytes();
    auto to = bytes.begin();
    for (std::uint32_t cube = 0; cube < kCubesOfASip; ++cube) {
      const Array one = cube_data(type, rank, cube);
      to = std::copy(one.bytes().begin(), one.bytes().end(), to);
    }
    return all;
  };
}

/// Gives each cube its own data, and copies the sum of each cube to the host.
template <DataType kType>
void all_reduce(runtime::Context& kb) {
  ProcessGroup group(kb.session(), "ahbm");
  spawn(kb, group, [](Worker& worker) {
    runtime::Context& device = worker.kb();
    // One tensor is spread over cubes by rows, the other is replicated.
    const runtime::Tensor apart =
        device.tensor(kCubesOfASip * kTensorRows, kTensorColumns, kType,
                      {Placement::RowWise, Placement::RowWise}, rank_data(kType, worker.rank()));
    const runtime::Tensor x = device.tensor(kTensorRows, kTensorColumns, kType,
                                            {Placement::Replicate, Placement::RowWise});
    const auto copy = [](const runtime::Tensor& from, const runtime::Tensor& to) {
      return [from = from->view(), to = to->view()](kernel::Tl& tl) {
        if (!to.local(tl).empty()) tl.store(to.local(tl), tl.load(from.local(tl)));
      };
    };
    device.launch("in", copy(apart, x));
    worker.all_reduce(x);
    device.launch("out", copy(x, apart));
    (void)device.read(apart);
  });
}

/// An algorithm and a topology of SIPs.
struct Variant {
  std::string algorithm;
  std::string topology;
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const Algorithm* const algorithm : algorithms_of("all_reduce")) {
    if (algorithm->name == "in-cube") continue;  // for ranks that are PEs: pe_grid_test.cpp
    for (const std::string& kind : algorithm->neighbors) all.push_back({algorithm->name, kind});
  }
  return all;
}

/// Returns the sums of every cube of every rank, by rank and cube.
template <DataType kType>
std::vector<Array> sums(const Variant& variant) {
  static const topology::TopologyGraph kGraph = small_system_of(kSipCount, 2, 2);
  const bench::RunResult result =
      run(kGraph, all_reduce<kType>,
          fmt::format("backend: ahbm\ndefaults: {{sip_topology: {}}}\nalgorithms: {{all_reduce: "
                      "{}}}\n",
                      variant.topology, variant.algorithm));
  std::vector<Array> all;
  for (const auto& [number, ranks] : result.results) {
    for (std::uint32_t cube = 0; cube < kCubesOfASip; ++cube) {
      all.push_back(ranks.block(cube * kTensorRows, 0, kTensorRows, kTensorColumns));
    }
  }
  return all;
}

TEST(AcrossAlgorithmsTest, EveryOneIsTried) {
  EXPECT_GE(variants().size(), 12U);  // 3 for each intercube algorithm, 1 for each other
}

TEST(AcrossAlgorithmsTest, IntegersAreTheSameBitsInEveryCubeWithEveryAlgorithm) {
  std::vector<std::uint32_t> sum(kTensorRows * kTensorColumns, 0);  // modulo 2^32
  for (std::uint32_t rank = 0; rank < kSipCount; ++rank) {
    for (std::uint32_t cube = 0; cube < kCubesOfASip; ++cube) {
      const data::MatrixI values = cube_data(DataType::I32, rank, cube).to_integers();
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += static_cast<std::uint32_t>(values.data()[i]);
      }
    }
  }
  data::MatrixI expected(kTensorRows, kTensorColumns);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    expected.data()[i] = static_cast<std::int32_t>(sum[i]);
  }

  for (const Variant& variant : variants()) {
    const std::vector<Array> all = sums<DataType::I32>(variant);
    ASSERT_EQ(all.size(), kCopies);
    for (const Array& array : all) {
      EXPECT_EQ(array, Array::from(DataType::I32, expected))
          << variant.algorithm << " on " << variant.topology;
    }
  }
}

/// Checks all sums against a bound. Let gamma = (n - 1) u / (1 - (n - 1) u). A sum of n numbers in
/// any order, with n - 1 roundings to nearest of relative error u, differs from the exact sum by at
/// most gamma sum |x_i| (N. Higham, "Accuracy and Stability of Numerical Algorithms", 4.2). The
/// reference sum in double is exact: all numbers are multiples of 2^-24 or 2^-34 below 16.
template <DataType kType>
void expect_within_bound(double u) {
  std::vector<double> exact(kTensorRows * kTensorColumns, 0.0);
  std::vector<double> magnitude(kTensorRows * kTensorColumns, 0.0);
  for (std::uint32_t rank = 0; rank < kSipCount; ++rank) {
    for (std::uint32_t cube = 0; cube < kCubesOfASip; ++cube) {
      const data::MatrixF values = cube_data(kType, rank, cube).to_floats();
      for (std::size_t i = 0; i < exact.size(); ++i) {
        exact[i] += static_cast<double>(values.data()[i]);
        magnitude[i] += std::abs(static_cast<double>(values.data()[i]));
      }
    }
  }
  const double gamma = (kCopies - 1) * u / (1.0 - (kCopies - 1) * u);

  for (const Variant& variant : variants()) {
    const std::vector<Array> all = sums<kType>(variant);
    ASSERT_EQ(all.size(), kCopies);
    const data::MatrixF first = all.front().to_floats();
    double worst = 0.0;  // in units of the bound
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double error = std::abs(static_cast<double>(first.data()[i]) - exact[i]);
      worst = std::max(worst, error / (gamma * magnitude[i]));
    }
    const std::string name = fmt::format("{} on {}", variant.algorithm, variant.topology);
    EXPECT_LE(worst, 1.0) << name;
    EXPECT_GT(worst, 0.0) << name << ": no sum was rounded";
    for (const Array& array : all) EXPECT_EQ(array, all.front()) << name;
  }
}

TEST(AcrossAlgorithmsTest, SumsOfF32AreWithinTheRoundingBoundAndTheSameInAllCubes) {
  expect_within_bound<DataType::F32>(0x1p-24);
}

TEST(AcrossAlgorithmsTest, SumsOfF16AreWithinTheRoundingBoundAndTheSameInAllCubes) {
  expect_within_bound<DataType::F16>(0x1p-11);
}

}  // namespace
}  // namespace kernbench::model::ccl
