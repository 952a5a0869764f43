// SPDX-License-Identifier: Apache-2.0
#include "plot/report_differences.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/description.hpp"

namespace kernbench {
namespace {

struct Row {
  std::string name;
  std::uint64_t time_ps = 0;
};
struct Host {
  double seconds = 0;
};
struct Data {
  std::string bench;
  std::map<std::string, std::uint64_t> parameters;
  std::vector<Row> regions;
  std::vector<std::uint64_t> loads;
  std::optional<std::uint64_t> spread;
  Host host;
};

}  // namespace
}  // namespace kernbench

template <>
const kernbench::common::Description<kernbench::Row>& kernbench::common::description_of() {
  static const auto kAll = Description<Row>().add("name", &Row::name).add("time_ps", &Row::time_ps);
  return kAll;
}
template <>
const kernbench::common::Description<kernbench::Host>& kernbench::common::description_of() {
  static const auto kAll = Description<Host>().add("seconds", &Host::seconds);
  return kAll;
}
template <>
const kernbench::common::Description<kernbench::Data>& kernbench::common::description_of() {
  static const auto kAll = Description<Data>()
                               .add("bench", &Data::bench)
                               .add("parameters", &Data::parameters)
                               .add("regions", &Data::regions)
                               .add("loads", &Data::loads)
                               .add("spread", &Data::spread)
                               .absent_unless("it was asked for")
                               .add("host", &Data::host);
  return kAll;
}

namespace kernbench::plot {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

json one() {
  return {{"bench", "gemm"},
          {"parameters", {{"m", 512}, {"n", 512}}},
          {"regions", {{{"name", "load"}, {"time_ps", 10}}, {{"name", "gemm"}, {"time_ps", 20}}}},
          {"loads", {1, 2}},
          {"host", {{"seconds", 1.5}}}};
}

/// Returns the values that differ, as "place: a, b".
std::vector<std::string> differing(const json& a, const json& b) {
  std::vector<std::string> found;
  for_each_pair(common::form_of<Data>(), a, b, [&](const ValuePair& pair) {
    if (pair.is_equal()) return;
    found.push_back(fmt::format("{}: {}, {}", pair.path, pair.a == nullptr ? "-" : pair.a->dump(),
                                pair.b == nullptr ? "-" : pair.b->dump()));
  });
  return found;
}

TEST(ReportDifferences, OfEqualReportsAreNone) {
  std::size_t pairs = 0;
  for_each_pair(common::form_of<Data>(), one(), one(), [&](const ValuePair&) { ++pairs; });
  EXPECT_EQ(pairs, 9U);
  EXPECT_THAT(differing(one(), one()), IsEmpty());
}

TEST(ReportDifferences, LeaveOutHostTimes) {
  json other = one();
  other["host"]["seconds"] = 9;
  EXPECT_THAT(differing(one(), other), IsEmpty());
}

TEST(ReportDifferences, NameEachValueByItsPlace) {
  json other = one();
  other["parameters"]["m"] = 256;
  other["regions"][1]["time_ps"] = 25;
  other["loads"][1] = 3;
  EXPECT_THAT(
      differing(one(), other),
      ElementsAre("parameters.m: 512, 256", "regions.gemm.time_ps: 20, 25", "loads[1]: 2, 3"));
}

TEST(ReportDifferences, OfAMemberThatOneLacksAreOne) {
  json other = one();
  other["spread"] = 7;
  other["parameters"].erase("n");
  EXPECT_THAT(differing(one(), other), ElementsAre("parameters.n: 512, -", "spread: -, 7"));
  EXPECT_THAT(differing(other, one()), ElementsAre("parameters.n: -, 512", "spread: 7, -"));
}

TEST(ReportDifferences, PairRowsByNameInAnyOrder) {
  json other = one();
  std::swap(other["regions"][0], other["regions"][1]);
  EXPECT_THAT(differing(one(), other), IsEmpty());
  other["regions"].erase(0);
  EXPECT_THAT(differing(one(), other),
              ElementsAre("regions.gemm: {\"name\":\"gemm\",\"time_ps\":20}, -"));
}

TEST(ReportDifferences, OfARenamedRowAreItsName) {
  json other = one();
  other["regions"][1]["name"] = "gemm2";
  EXPECT_THAT(differing(one(), other), ElementsAre("regions.gemm.name: \"gemm\", \"gemm2\""));
}

TEST(ReportDifferences, OfListsOfOtherLengthsAreTheWholeList) {
  json other = one();
  other["loads"] = {1};
  EXPECT_THAT(differing(one(), other), ElementsAre("loads: [1,2], [1]"));
}

}  // namespace
}  // namespace kernbench::plot
