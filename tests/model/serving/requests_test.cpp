// SPDX-License-Identifier: Apache-2.0
#include "model/serving/requests.hpp"

#include <gtest/gtest.h>

#include "common/diagnostics.hpp"

namespace kernbench::model::serving {
namespace {

using common::SimTime;

std::string refusal(std::string_view text) {
  try {
    (void)parse_requests(text, "requests.csv");
  } catch (const common::BadInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ServingRequests, AreReadFromCsv) {
  const std::vector<Request> expected = {{SimTime(), 7, 1},
                                         {SimTime::from_ps(250'000'000), 1, 1'000'000},
                                         {SimTime::from_ps(1'500'000'000'000), 2, 3}};
  EXPECT_EQ(parse_requests("arrival_s,prompt,output\n0,7,1\n2.5e-4,1,1000000\r\n1.5,2,3", "a"),
            expected);
}

TEST(ServingRequests, WithErrorsAreRefusedAllAtOnce) {
  EXPECT_EQ(
      refusal("arrival_s,prompt,output\n"
              "-1,0,two\n"
              "\n"
              "3,1\n"
              "4,1,1\n"
              "2,1,1000001\n"),
      "requests.csv:2:1: error: 'arrival_s' must be a number from 0 to 1000000, not '-1'\n"
      "    2 | -1,0,two\n"
      "      | ^\n"
      "requests.csv:2:4: error: 'prompt' must be an integer from 1 to 500000, not '0'\n"
      "    2 | -1,0,two\n"
      "      |    ^\n"
      "requests.csv:2:6: error: 'output' must be an integer from 1 to 1000000, not 'two'\n"
      "    2 | -1,0,two\n"
      "      |      ^\n"
      "requests.csv:3:1: error: an empty line; every line must be 'arrival_s,prompt,output'\n"
      "    3 | \n"
      "      | ^\n"
      "requests.csv:4:1: error: a line must have 3 values, 'arrival_s,prompt,output', not 2\n"
      "    4 | 3,1\n"
      "      | ^\n"
      "requests.csv:6:1: error: a request arrives before the one above: sort the lines by "
      "'arrival_s'\n"
      "    6 | 2,1,1000001\n"
      "      | ^\n"
      "requests.csv:6:5: error: 'output' must be an integer from 1 to 1000000, not '1000001'\n"
      "    6 | 2,1,1000001\n"
      "      |     ^");
}

TEST(ServingRequests, NeedAHeaderAndARequest) {
  EXPECT_EQ(
      refusal(""),
      "requests.csv: error: the file is empty: expected the header 'arrival_s,prompt,output'");
  EXPECT_EQ(refusal("arrival_s,prompt,output\n"), "requests.csv: error: the file has no requests");
  EXPECT_EQ(refusal("arrival,prompt,output\n1,2,3\n"),
            "requests.csv:1:1: error: the header must be 'arrival_s,prompt,output', not "
            "'arrival,prompt,output'\n"
            "    1 | arrival,prompt,output\n"
            "      | ^");
}

TEST(ServingRequests, AreDrawnBySeed) {
  const auto drawn = [](std::uint64_t seed) {
    return draw_requests({4, 3, seed}, SimTime::from_ps(1000), SimTime::from_ps(100'000));
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

TEST(ServingRequests, HaveTheMeansOfTheirDistributions) {
  const std::vector<Request> requests =
      draw_requests({16, 9, 1}, SimTime::from_ps(1000), SimTime::from_ps(100'000'000));
  // 100,000 expected, with a standard deviation of 316.
  EXPECT_NEAR(static_cast<double>(requests.size()), 100'000.0, 1000.0);
  double prompts = 0.0;
  double outputs = 0.0;
  double long_gaps = 0.0;
  SimTime last;
  for (const Request& request : requests) {
    EXPECT_LE(request.prompt, 31U);
    EXPECT_LE(request.output, 17U);
    prompts += static_cast<double>(request.prompt);
    outputs += static_cast<double>(request.output);
    long_gaps += request.arrival - last > SimTime::from_ps(2000) ? 1.0 : 0.0;
    last = request.arrival;
  }
  const auto count = static_cast<double>(requests.size());
  EXPECT_NEAR(prompts / count, 16.0, 0.2);
  EXPECT_NEAR(outputs / count, 9.0, 0.1);
  EXPECT_NEAR(long_gaps / count, 0.1353, 0.005) << "exp(-2)";
}

}  // namespace
}  // namespace kernbench::model::serving
