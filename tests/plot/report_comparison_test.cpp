// SPDX-License-Identifier: Apache-2.0
#include "plot/report_comparison.hpp"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/description.hpp"

namespace kernbench::plot {
namespace {

using common::SimTime;
using nlohmann::json;

struct Part {
  std::string name;
  SimTime time;
};
struct Path {
  std::string of;
  std::vector<Part> by_limit;
};
struct Timing {
  std::string machine;
  SimTime time;
  std::uint64_t bytes = 0;
  std::vector<Path> paths;
};

}  // namespace
}  // namespace kernbench::plot

namespace kernbench::common {

template <>
const Description<plot::Part>& description_of() {
  static const auto kAll =
      Description<plot::Part>().add("name", &plot::Part::name).add("time_ps", &plot::Part::time);
  return kAll;
}
template <>
const Description<plot::Path>& description_of() {
  static const auto kAll =
      Description<plot::Path>().add("of", &plot::Path::of).add("by_limit", &plot::Path::by_limit);
  return kAll;
}
template <>
const Description<plot::Timing>& description_of() {
  static const auto kAll = Description<plot::Timing>()
                               .add("machine", &plot::Timing::machine)
                               .add("time_ps", &plot::Timing::time)
                               .add("bytes", &plot::Timing::bytes)
                               .add("paths", &plot::Timing::paths);
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::plot {
namespace {

constexpr std::array<std::string_view, 1> kInputs = {"machine"};
const ReportKind kTiming = {.name = "timing",
                            .command = "timing",
                            .about = "Times",
                            .envelope = {.grade = false},
                            .form = common::form_of<Timing>,
                            .inputs = kInputs,
                            .reasons = "paths"};

common::ReportEnvelope report(const Timing& timing) {
  common::ReportEnvelope envelope;
  envelope.kind = "timing";
  envelope.revision = "r";
  envelope.data = common::to_json(timing);
  return envelope;
}
Timing timing(const std::string& machine, std::int64_t ps, std::uint64_t bytes,
              std::vector<Part> parts) {
  return {machine, SimTime::from_ps(ps), bytes, {{"all", std::move(parts)}}};
}
std::vector<std::string> texts(const std::vector<DifferingValue>& values) {
  std::vector<std::string> all;
  for (const DifferingValue& value : values) {
    all.push_back(value.place + " | " + value.a + " | " + value.b + " | " + value.change);
  }
  return all;
}
using Texts = std::vector<std::string>;

TEST(ReportComparison, TellsInputsResultsAndReasonsApart) {
  const ReportComparison found = compare_reports(
      kTiming,
      report(timing("small", 2'951'000, 4096,
                    {{"wires", SimTime::from_ps(1'000'000)}, {"memory", SimTime::from_ps(400)}})),
      report(
          timing("large", 2'823'000, 1'048'576,
                 {{"wires", SimTime::from_ps(1'000'900)}, {"memory", SimTime::from_ps(900'000)}})));
  EXPECT_EQ(texts(found.inputs), Texts{"machine | small | large | "});
  EXPECT_EQ(texts(found.results), (Texts{"time_ps | 2.951 us | 2.823 us | -0.128 (-4.34 %)",
                                         "bytes | 4,096 | 1,048,576 | +1,044,480 (+2.55e+04 %)"}));
  ASSERT_EQ(found.reasons.size(), 1U);
  EXPECT_EQ(found.reasons[0].of, "all");
  EXPECT_EQ(found.reasons[0].by, "by limit");
  // The largest change first; times of less than 1 us are in ns.
  EXPECT_EQ(texts(found.reasons[0].parts),
            (Texts{"memory | 0.400 ns | 900.000 ns | +899.600 (+2.25e+05 %)",
                   "wires | 1.000 us | 1.001 us | +0.001 (+0.09 %)"}));
  EXPECT_EQ(found.counts().substr(0, 5), "5 of ");
}

TEST(ReportComparison, SaysWhichReportHasNoReasons) {
  common::ReportEnvelope without = report(timing("small", 1, 1, {}));
  without.data.erase("paths");
  const auto missing = [](const common::ReportEnvelope& a, const common::ReportEnvelope& b) {
    return compare_reports(kTiming, a, b).missing_reasons;
  };
  const common::ReportEnvelope with = report(timing("large", 1, 1, {}));
  EXPECT_EQ(missing(with, without), "B has no critical path; run with --explain");
  EXPECT_EQ(missing(without, with), "A has no critical path; run with --explain");
  EXPECT_EQ(missing(with, with), "");
}

TEST(ReportComparison, CountsEqualValues) {
  const common::ReportEnvelope one = report(timing("small", 1, 1, {}));
  const ReportComparison found = compare_reports(kTiming, one, one);
  EXPECT_EQ(found.differing, 0U);
  EXPECT_EQ(found.counts(), "all " + std::to_string(found.compared) + " values are equal");
  EXPECT_TRUE(found.results.empty());
}

}  // namespace
}  // namespace kernbench::plot
