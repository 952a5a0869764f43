// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/random.hpp"
#include "common/units.hpp"
#include "model/serving/queue_timeline.hpp"
#include "model/serving/requests.hpp"
#include "model/serving/step_times.hpp"

namespace kernbench::model::serving {

/// Draws some of the steps that it is offered, each with the same probability (J. Vitter,
/// *Random sampling with a reservoir*, 1985, algorithm R).
class StepSample {
 public:
  struct Drawn {
    Step step;
    common::SimTime time;
  };

  StepSample(std::size_t count, std::uint64_t seed);
  void offer(const Step& step, common::SimTime time);
  [[nodiscard]] const std::vector<Drawn>& drawn() const { return drawn_; }

 private:
  std::size_t count_;
  std::uint64_t offered_ = 0;
  common::Rng random_;
  std::vector<Drawn> drawn_;
};

/// The times of a request.
struct ServedRequest {
  common::SimTime admitted;
  common::SimTime first_token;
  common::SimTime end;
};

/// The outcome of a simulated queue.
struct ServedQueue {
  std::vector<ServedRequest> requests;  ///< in the order of arrival
  std::uint64_t prefills = 0;
  std::uint64_t decodes = 0;
  std::uint64_t decoded = 0;  ///< sum of the sequences of all decodes
  std::uint64_t output_tokens = 0;
  std::uint64_t most_pages = 0;  ///< pages of the cache taken at the same time
  common::SimTime busy;          ///< time of all steps
  common::SimTime prefill;       ///< time of prefills
  common::SimTime attention;     ///< time that cached tokens beyond the first add to decodes
  common::SimTime end;           ///< end of the last step
  std::vector<QueueTimeline::Stretch> timeline;
};

/// Simulates continuous batching (G. Yu et al., *Orca*, 2022), step by step. At the end of a step
/// the first of the waiting requests is admitted if there is a place in the batch and room for all
/// of its tokens in the cache. Its prefill is the next step. Otherwise the next step decodes all
/// sequences. `requests` are in the order of arrival, and each fits into the cache. Offers all
/// steps to `sample` unless it is null.
[[nodiscard]] ServedQueue serve(const std::vector<Request>& requests, const ServerRoom& room,
                                const StepTime& time_of, StepSample* sample);

/// Returns the requests per second that a server ends while there are always more of them: those
/// admitted in the second half of a queue of requests that are there from the start, over the time
/// of that half. Returns nothing unless there are 2 requests or more for each place in the batch.
[[nodiscard]] std::optional<double> saturation_rate(const ServedQueue& queue,
                                                    const ServerRoom& room);

}  // namespace kernbench::model::serving
