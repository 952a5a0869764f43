// SPDX-License-Identifier: Apache-2.0
// Queues whose step times are sums that a reader can add up.
#include "model/serving/queue.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace kernbench::model::serving {
namespace {

using common::SimTime;

/// 10 ps for each token of a prompt; 100 ps and 1 ps for each cached token of a decode.
SimTime simple_time(const Step& step) {
  if (step.prompt != 0) return SimTime::from_ps(static_cast<std::int64_t>(10 * step.prompt));
  return SimTime::from_ps(static_cast<std::int64_t>(
      std::accumulate(step.contexts.begin(), step.contexts.end(), std::uint64_t{100})));
}

Request request(std::int64_t arrival_ps, std::uint64_t prompt, std::uint64_t output) {
  return {SimTime::from_ps(arrival_ps), prompt, output};
}

/// Returns the time of admission, of the first token and of the end of each request.
std::vector<std::vector<std::int64_t>> times_of(const ServedQueue& queue) {
  std::vector<std::vector<std::int64_t>> times;
  for (const ServedRequest& request : queue.requests) {
    times.push_back({request.admitted.ps(), request.first_token.ps(), request.end.ps()});
  }
  return times;
}

using Times = std::vector<std::vector<std::int64_t>>;
const std::vector<Request> kThree = {request(0, 4, 3), request(5, 2, 2), request(50, 3, 1)};

TEST(ServingQueue, PrefillsInTheOrderOfArrivalAndDecodesTogether) {
  const ServedQueue queue = serve(kThree, {2, 100, 1}, simple_time, nullptr);
  // 40 + 20 of prefills, 106 of a decode of 4 and 2 tokens, 30 of a prefill, 105 of a decode of 5.
  EXPECT_EQ(times_of(queue), (Times{{0, 40, 301}, {40, 60, 166}, {166, 196, 196}}));
  EXPECT_EQ(queue.prefills, 3U);
  EXPECT_EQ(queue.decodes, 2U);
  EXPECT_EQ(queue.decoded, 3U);
  EXPECT_EQ(queue.output_tokens, 6U);
  EXPECT_EQ(queue.busy.ps(), 301);
  EXPECT_EQ(queue.end.ps(), 301);
}

TEST(ServingQueue, AdmitsWhatTheCacheHasRoomFor) {
  // Pages of 2 tokens: the requests keep 6, 3 and 3 tokens, so 3, 2 and 2 pages.
  const ServedQueue queue = serve(kThree, {3, 4, 2}, simple_time, nullptr);
  EXPECT_EQ(times_of(queue), (Times{{0, 40, 249}, {249, 269, 401}, {269, 299, 299}}));
  EXPECT_EQ(queue.most_pages, 4U);
  EXPECT_EQ(times_of(serve(kThree, {3, 5, 2}, simple_time, nullptr))[1],
            (std::vector<std::int64_t>{40, 60, 166}))
      << "a page more is enough for the second request";
}

TEST(ServingQueue, LetsNoRequestPassAnother) {
  // The second one waits for memory, and the third behind it, although it would fit.
  const std::vector<Request> requests = {request(0, 4, 2), request(0, 6, 2), request(0, 1, 1)};
  const ServedQueue queue = serve(requests, {3, 8, 1}, simple_time, nullptr);
  EXPECT_EQ(times_of(queue), (Times{{0, 40, 144}, {144, 204, 320}, {204, 214, 214}}));
}

TEST(ServingQueue, IsIdleBetweenRequests) {
  const ServedQueue queue =
      serve({request(7, 1, 1), request(1000, 2, 1)}, {1, 9, 1}, simple_time, nullptr);
  EXPECT_EQ(times_of(queue), (Times{{7, 17, 17}, {1000, 1020, 1020}}));
  EXPECT_EQ(queue.busy.ps(), 30);
}

TEST(ServingQueue, HasARateOfSaturation) {
  const ServedQueue queue = serve(draw_backlog({1, 1, 1}, 5), {1, 9, 1}, simple_time, nullptr);
  // A prefill of one token takes 10 ps.
  EXPECT_DOUBLE_EQ(saturation_rate(queue, {1, 9, 1}).value(), 1e11);
  EXPECT_FALSE(saturation_rate(queue, {3, 9, 1}));
}

TEST(ServingQueue, OffersItsStepsToASample) {
  const auto drawn = [](std::size_t count, std::uint64_t seed) {
    StepSample sample(count, seed);
    (void)serve(kThree, {2, 100, 1}, simple_time, &sample);
    std::vector<std::int64_t> times;
    for (const StepSample::Drawn& one : sample.drawn()) {
      EXPECT_EQ(one.time, simple_time(one.step));
      times.push_back(one.time.ps());
    }
    return times;
  };
  EXPECT_EQ(drawn(9, 1), (std::vector<std::int64_t>{40, 20, 106, 30, 105})) << "all there are";
  EXPECT_EQ(drawn(0, 1), std::vector<std::int64_t>());
  EXPECT_EQ(drawn(2, 1).size(), 2U);
  EXPECT_EQ(drawn(2, 1), drawn(2, 1));
  EXPECT_NE(drawn(2, 1), drawn(2, 2));
}

}  // namespace
}  // namespace kernbench::model::serving
