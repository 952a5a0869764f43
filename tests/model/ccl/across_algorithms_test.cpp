// One all-reduce of the same numbers with every algorithm there is: what they agree on.
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

constexpr std::uint64_t kTensorRows = 7;  // over 4 PEs: two each, and one with less
constexpr std::uint64_t kTensorColumns = 53;
// Every algorithm can use 4 SIPs: a power of two, more than one, a grid of 2 x 2.
constexpr std::uint32_t kSips = 4;
constexpr std::uint32_t kCubesOfASip = 4;
constexpr std::uint32_t kCopies = kSips * kCubesOfASip;

/// What a cube adds: all 32 bits of integers, so that sums wrap around, and floating-point numbers
/// whose sums have to be rounded.
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

/// The data of all cubes of a rank, one below the other.
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

/// Each cube has data of its own, and what each cube then has of the sum is copied to the host.
template <DataType kType>
void all_reduce(runtime::Context& kb) {
  ProcessGroup group(kb.session(), "ahbm");
  spawn(kb, group, [](Worker& worker) {
    runtime::Context& device = worker.kb();
    // Cubes have the rows of one tensor apart, and each a copy of the other.
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

/// An algorithm, and how SIPs are joined for it.
struct Variant {
  std::string algorithm;
  std::string topology;
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != Collective::AllReduce) continue;
    for (const SipTopologyName& topology : algorithm.topologies) {
      all.push_back({algorithm.name, std::string(topology.name)});
    }
  }
  return all;
}

/// The sums that every cube of every rank has, by rank and cube.
template <DataType kType>
std::vector<Array> sums(const Variant& variant) {
  static const topology::TopologyGraph kGraph = small_system_of(kSips, 2, 2);
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
  EXPECT_GE(variants().size(), 9U);  // 3 of each intercube algorithm, 1 of each other
}

TEST(AcrossAlgorithmsTest, IntegersAreTheSameBitsInEveryCubeWithEveryAlgorithm) {
  std::vector<std::uint32_t> sum(kTensorRows * kTensorColumns, 0);  // modulo 2^32
  for (std::uint32_t rank = 0; rank < kSips; ++rank) {
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
    for (const Array& one : all) {
      EXPECT_EQ(one, Array::from(DataType::I32, expected))
          << variant.algorithm << " on " << variant.topology;
    }
  }
}

/// n numbers summed up in any order, each of the n - 1 sums rounded to nearest with the relative
/// error u, are at most gamma sum |x_i| away from the exact sum, gamma = (n - 1) u / (1 - (n - 1)
/// u) (N. Higham, "Accuracy and Stability of Numerical Algorithms", 4.2). The sum in double, which
/// it is held against, is exact here: all numbers are multiples of 2^-24 or 2^-34 below 16.
template <DataType kType>
void expect_within_bound(double u) {
  std::vector<double> exact(kTensorRows * kTensorColumns, 0.0);
  std::vector<double> magnitude(kTensorRows * kTensorColumns, 0.0);
  for (std::uint32_t rank = 0; rank < kSips; ++rank) {
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
    double worst = 0.0;  // 1 is the bound
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double error = std::abs(static_cast<double>(first.data()[i]) - exact[i]);
      worst = std::max(worst, error / (gamma * magnitude[i]));
    }
    const std::string name = fmt::format("{} on {}", variant.algorithm, variant.topology);
    EXPECT_LE(worst, 1.0) << name;
    EXPECT_GT(worst, 0.0) << name << ": nothing was rounded";
    for (const Array& one : all) EXPECT_EQ(one, all.front()) << name;
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
