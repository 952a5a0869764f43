// SPDX-License-Identifier: Apache-2.0
// Every algorithm of every collective fulfils its contract, in groups of many shapes and with every
// type. The check of the contract notices what is wrong.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/bench/random_data.hpp"
#include "model/bench/registry.hpp"
#include "model/ccl/contract_check.hpp"
#include "model/ccl/rounds.hpp"
#include "tests/model/ccl/group_fixture.hpp"

namespace kernbench::model::ccl {
namespace {

using data::Array;
using data::DataType;

/// Runs the bench `collective` on small cubes.
bench::RunResult run_collective(const topology::TopologyGraph& graph, const std::string& ccl,
                                const std::map<std::string, std::string>& parameters) {
  bench::RunOptions options;
  options.verify = true;
  options.races = true;
  options.parameters = parameters;
  options.ccl = {"ccl.yaml", "backend: ahbm\n" + ccl};
  return bench::run_bench(bench::find_bench("collective"), graph, options);
}

/// Returns `size` of 16 ranks in an order of their own.
std::string permuted(std::uint32_t size) {
  std::string list;
  for (std::uint32_t i = 0; i < size; ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : ",", (11 * i + 5) % 16);
  }
  return list;
}

struct Shape {
  std::uint32_t size;
  const char* type;
  const char* bytes;  ///< size of a block; not a multiple of the number of PEs
};
constexpr Shape kShapes[] = {{1, "i8", "37"},     {2, "f16", "74"},   {3, "i32", "148"},
                             {5, "bf16", "3334"}, {8, "f32", "1204"}, {16, "i32", "76"},
                             {16, "f32", "20"},   {8, "i8", "5003"}};

class EveryAlgorithm : public ::testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryAlgorithm, FulfilsTheContractInGroupsOfCubes) {
  const Algorithm& algorithm = *GetParam();
  const topology::TopologyGraph graph = small_system_of(2, 4, 2);
  for (const std::string& kind : algorithm.neighbors) {
    for (const Shape& shape : kShapes) {
      const bool refused =
          algorithm.refuse != nullptr && !algorithm.refuse(GroupShape::of(shape.size)).empty();
      if (refused) continue;
      const std::string ccl =
          fmt::format("rank: cube\ndefaults: {{sip_topology: {}}}\nalgorithms: {{{}: {}}}\n", kind,
                      algorithm.collective, algorithm.name);
      const bench::RunResult result = run_collective(graph, ccl,
                                                     {{"collective", algorithm.collective},
                                                      {"ranks", permuted(shape.size)},
                                                      {"type", shape.type},
                                                      {"bytes", shape.bytes},
                                                      {"root", std::to_string(shape.size / 2)}});
      std::uint64_t elements = 0;
      for (const runtime::CheckReport& contract : result.contracts) {
        EXPECT_EQ(contract.wrong, 0U)
            << contract.name << ": " << contract.first_wrong << " " << shape.size << shape.type;
        elements += contract.elements;
      }
      EXPECT_EQ(result.contracts.size(), shape.size);
      EXPECT_GT(elements, 0U);
      EXPECT_EQ(result.races.races.size(), 0U);
    }
  }
}

/// Returns all algorithms but those of tests.
std::vector<const Algorithm*> shipped_algorithms() {
  std::vector<const Algorithm*> list = algorithms();
  std::erase_if(list,
                [](const Algorithm* algorithm) { return algorithm->name.ends_with("of-a-test"); });
  return list;
}

INSTANTIATE_TEST_SUITE_P(Contracts, EveryAlgorithm, ::testing::ValuesIn(shipped_algorithms()),
                         [](const auto& tested) {
                           std::string name = tested.param->name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Contracts, HoldBetweenPesOfOneCubeAndWithBlocksOfDifferentSizes) {
  const topology::TopologyGraph graph = small_system_of(2, 2, 1);
  for (const char* const name : {"all_to_all", "all_reduce", "scatter", "gather"}) {
    const bool uneven = std::string(name) == "all_to_all";
    const bench::RunResult result = run_collective(
        graph, uneven ? "rank: pe\nalgorithms: {all_to_all: pairwise}\n" : "rank: pe\n",
        {{"collective", name},
         {"ranks", "3,0,15,1,2,9"},
         {"bytes", "100"},
         {"uneven", uneven ? "1" : "0"}});
    ASSERT_EQ(result.contracts.size(), 6U);
    for (const runtime::CheckReport& contract : result.contracts) {
      EXPECT_EQ(contract.wrong, 0U) << contract.name << ": " << contract.first_wrong;
    }
  }
}

TEST(ContractCheck, FindsABarrierThatLetsAMemberGoBeforeAllHaveCome) {
  const auto called = [](std::int64_t begin, std::int64_t end) {
    return MemberData{
        {}, {}, {}, {}, common::SimTime::from_ps(begin), common::SimTime::from_ps(end)};
  };
  const auto report = [&](std::int64_t end) {
    const runtime::CheckReport found = check_contract("x", *find_collective("barrier"), {2, 0}, 0,
                                                      {called(10, end), called(30, 50)});
    return fmt::format("{} of {}: {}", found.wrong, found.elements, found.first_wrong);
  };
  EXPECT_EQ(report(30), "0 of 2: ");
  EXPECT_EQ(report(29), "1 of 2: returns at 29 ps, but member 1 calls at 30 ps");
}

Array row(DataType type, std::initializer_list<float> values) {
  data::MatrixF matrix(1, static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), matrix.data());
  return Array::from(type, matrix);
}

/// Returns a member of one cube with one block.
MemberData member(const Array& before, const Array& after) {
  return {{before}, {after}, {1}, {1}, {}, {}};
}

std::string report_of(const char* collective, const CallShape& call, std::uint32_t which,
                      const std::vector<MemberData>& members) {
  const runtime::CheckReport report =
      check_contract("x", *find_collective(collective), call, which, members);
  return fmt::format("{} of {}: {}", report.wrong, report.elements, report.first_wrong);
}

TEST(ContractCheck, FindsAWrongSumAWrongCubeAndAWrongBlock) {
  const Array one = row(DataType::I32, {1, 2});
  const Array two = row(DataType::I32, {10, 20});
  const Array sum = row(DataType::I32, {11, 22});
  const Array wrong = row(DataType::I32, {11, 23});
  EXPECT_EQ(report_of("all_reduce", {2, 0}, 0, {member(one, sum), member(two, sum)}), "0 of 2: ");
  EXPECT_EQ(report_of("all_reduce", {2, 0}, 1, {member(one, sum), member(two, wrong)}),
            "1 of 2: block 0 [0, 1]: 23, expected 22");
  // The copies of a second cube are summands too, and it must get the same.
  const MemberData with_cubes{{one, one}, {row(DataType::I32, {12, 24}), sum}, {1}, {1}, {}, {}};
  EXPECT_EQ(report_of("all_reduce", {2, 0}, 0, {with_cubes, member(two, sum)}),
            "2 of 4: block 0 of cube 1 against cube 0, [0, 0]: 11, expected 12");
  EXPECT_EQ(report_of("broadcast", {2, 1}, 0, {member(one, one), member(two, two)}),
            "2 of 2: block 0 [0, 0]: 1, expected 10");
  // All cubes of the source of moved data must have the same.
  EXPECT_EQ(
      report_of("broadcast", {2, 0}, 0, {{{one, two}, {one}, {1}, {1}, {}, {}}, member(two, one)}),
      "2 of 4: input of cube 1 against cube 0 [0, 0]: 10, expected 1");
}

TEST(ContractCheck, IntegersWrapAndMovedZerosKeepTheirSign) {
  const Array large = row(DataType::I8, {100});
  EXPECT_EQ(report_of("all_reduce", {2, 0}, 0,
                      {member(large, row(DataType::I8, {-56})), member(large, large)}),
            "0 of 1: ");
  EXPECT_EQ(report_of("broadcast", {1, 0}, 0,
                      {member(row(DataType::F32, {-0.0F}), row(DataType::F32, {0.0F}))}),
            "1 of 1: block 0 [0, 0]: 0, expected -0");
}

TEST(ContractCheck, FloatingPointSumsMayRoundAsMuchAsSumsInAnyOrderDo) {
  const Array one = row(DataType::F16, {1, 1});
  const Array small = row(DataType::F16, {0x1p-11F, 0x1p-11F});
  // gamma is 2^-11 / (1 - 2^-11) for two summands: 1 + 2^-11 may become 1 or 1 + 2^-10.
  const auto with = [&](float first, float second) {
    return report_of("all_reduce", {2, 0}, 0,
                     {member(one, row(DataType::F16, {first, second})), member(small, one)});
  };
  EXPECT_EQ(with(1.0F, 1.0F + 0x1p-10F), "0 of 2: ");
  EXPECT_EQ(with(1.0F, 1.0F + 0x1p-9F),
            "1 of 2: block 0 [0, 1]: 1.001953125, expected 1.00048828125");
}

/// Returns the member's own block in place of all.
Tiles own_only(kernel::Tl& /*tl*/, const Round& round, const Tiles& input) {
  return Tiles(round.output.size(), input[0]);
}

const AlgorithmRegistration kBroken{
    {"broken-gather-of-a-test",
     "leaves out what others have",
     "all_gather",
     {"ring"},
     nullptr,
     [](kernel::Tl& tl, const CollectiveArgs& args) { exchange_in_rounds(tl, args, own_only); }}};

TEST(ContractCheck, FindsAnAlgorithmThatLeavesMembersOut) {
  const bench::RunResult result = run_collective(
      small_system_of(2, 1, 1), "algorithms: {all_gather: broken-gather-of-a-test}\n",
      {{"collective", "all_gather"}, {"bytes", "256"}});
  ASSERT_EQ(result.contracts.size(), 2U);
  EXPECT_EQ(result.contracts[0].name, "all_gather 1 of group 'tested' at member 0");
  EXPECT_EQ(result.contracts[0].elements, 128U);
  EXPECT_EQ(result.contracts[0].wrong, 63U) << "all but one that is the same at both";
  EXPECT_THAT(result.contracts[0].first_wrong, ::testing::StartsWith("block 1 [0, 0]: "));
}

}  // namespace
}  // namespace kernbench::model::ccl
