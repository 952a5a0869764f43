// SPDX-License-Identifier: Apache-2.0
#include "common/grade.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "common/band.hpp"
#include "common/description.hpp"
#include "tests/common/expect_bad_input.hpp"

namespace kernbench::common {
namespace {

TEST(Grade, IsTheWorstOfItsReasons) {
  Grade grade;
  EXPECT_EQ(grade.text(), "exact");
  grade.add(Grade::within(3.6, "messages"));
  EXPECT_EQ(grade.text(), "within 3.6 %: messages");
  grade.add(Grade::within(6.0, "reuse"));
  EXPECT_EQ(grade.text(), "within 9.6 %: messages; reuse");
  Grade large = grade;
  large.add(Grade::within(0.5, "more"));
  EXPECT_EQ(large.text(), "estimate: messages; reuse; more") << "the bounds add up to 10.1 %";
  grade.add(Grade::estimate("experts"));
  EXPECT_EQ(grade.text(), "estimate: messages; reuse; experts");
  grade.add({});
  EXPECT_EQ(grade.name(), "estimate");
}

TEST(Grade, OfABoundAboveTenPercentIsAnEstimate) {
  EXPECT_EQ(Grade::within(10.0, "messages").name(), "within 10.0 %");
  EXPECT_EQ(Grade::within(20.2, "messages").text(), "estimate: messages, 20.2 % off");
}

TEST(Grade, IsReadAsItIsWritten) {
  for (const Grade& grade : {Grade{}, Grade::within(3.6, "messages"), Grade::estimate("experts")}) {
    EXPECT_EQ(value_of<Grade>(to_json(grade), "f"), grade);
  }
  EXPECT_EQ(to_json(Grade{}).dump(), R"({"kind":"exact"})");
  EXPECT_EQ(bad_input_of([] {
              (void)value_of<Grade>({{"kind", "good"}}, "f", "grade");
            }),
            "f: error: 'grade.kind' must be one of exact, within, estimate, not 'good'");
  EXPECT_EQ(bad_input_of([] {
              (void)value_of<Grade>({{"kind", "within"}, {"percent", 11}}, "f", "grade");
            }),
            "f: error: 'grade.percent' must be a number above 0 and at most 10, not '11'");
}

TEST(Band, MediansDifferBeyondTheWiderBandOnly) {
  const Band before{95.0, 100.0, 105.0};
  EXPECT_EQ(difference_text(before, {109.0, 110.0, 111.0}),
            "no difference (+10.00 %, the band is 10.00 %)");
  EXPECT_EQ(difference_text(before, {110.0, 111.0, 112.0}), "+11.00 %, the band is 10.00 %");
  EXPECT_EQ(difference_text(before, {70.0, 89.0, 90.0}),
            "no difference (-11.00 %, the band is 20.00 %)");
  EXPECT_EQ(difference_text({}, {}), "no difference");
  EXPECT_EQ(difference_text({}, {1.0, 1.0, 1.0}), "from 0");
}

}  // namespace
}  // namespace kernbench::common
