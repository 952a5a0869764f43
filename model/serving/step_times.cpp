// SPDX-License-Identifier: Apache-2.0
#include "model/serving/step_times.hpp"

#include <algorithm>
#include <cstddef>

#include "common/parallel.hpp"

namespace kernbench::model::serving {

using common::SimTime;

namespace {

__extension__ using WideSigned = __int128;

/// Returns `first`, its doubles and 1.5 of each below `last`, and `last`.
std::vector<std::uint64_t> spread_up_to(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t at = first; at < last; at *= 2) {
    numbers.push_back(at);
    if (at % 2 == 0 && at + at / 2 < last) numbers.push_back(at + at / 2);
  }
  numbers.push_back(last);
  return numbers;
}

Step prefill_of(std::uint64_t prompt) {
  return {prompt, {}};
}

Step decode_of(std::uint64_t batch, std::uint64_t context) {
  return {0, std::vector<std::uint64_t>(batch, context)};
}

}  // namespace

StepTimes::StepTimes(const StepTime& simulate, const Request& longest, const ServerRoom& room,
                     unsigned jobs)
    : room_(room), of_batch_(room.max_batch) {
  // The contexts of decodes fill the same number of pages on each PE.
  const std::uint64_t round = room.page_tokens * room.pes;
  const std::uint64_t first_round = round == 1 ? 2 : 1;  // a decode has a context
  const std::vector<std::uint64_t> prompts = spread_up_to(1, longest.prompt);
  const std::vector<std::uint64_t> batches = spread_up_to(1, room.max_batch);
  const std::vector<std::uint64_t> rounds = spread_up_to(
      first_round, std::max((longest.cached_tokens() - 1) / round + 1, first_round + 1));
  const auto fits = [&](std::uint64_t batch, std::uint64_t count) {
    return count == first_round || batch * count * room.pes <= room.pages;
  };
  std::vector<Step> steps;
  for (const std::uint64_t prompt : prompts) steps.push_back(prefill_of(prompt));
  for (const std::uint64_t count : rounds) {
    for (const std::uint64_t batch : batches) {
      if (fits(batch, count)) steps.push_back(decode_of(batch, count * round - 1));
    }
  }
  std::vector<SimTime> times(steps.size());
  common::in_parallel(steps.size(), jobs, [&](std::size_t i) { times[i] = simulate(steps[i]); });
  for (std::size_t i = 0; i < steps.size(); ++i) points_[steps[i]] = times[i];

  for (const std::uint64_t prompt : prompts) {
    prefill_.add(prompt, points_.at(prefill_of(prompt)).ps());
  }
  for (const std::uint64_t count : rounds) {
    Line by_batch;
    for (const std::uint64_t batch : batches) {
      if (!fits(batch, count)) break;
      by_batch.add(batch, points_.at(decode_of(batch, count * round - 1)).ps());
    }
    for (std::uint64_t batch = 1; batch <= room.max_batch && fits(batch, count); ++batch) {
      of_batch_[batch - 1].add(count, by_batch.at(batch, 1));
    }
  }
}

void StepTimes::Line::add(std::uint64_t next_x, std::int64_t next_y) {
  x.push_back(static_cast<std::int64_t>(next_x));
  y.push_back(next_y);
}

std::int64_t StepTimes::Line::at(std::uint64_t numerator, std::uint64_t denominator) const {
  if (x.size() == 1) return y.front();
  const auto over = static_cast<std::int64_t>(numerator);
  const auto under = static_cast<std::int64_t>(denominator);
  std::size_t end = 1;
  while (end + 1 < x.size() && x[end] * under < over) ++end;
  const std::int64_t from = x[end - 1];
  const WideSigned rise = WideSigned{y[end] - y[end - 1]} * (over - from * under);
  return y[end - 1] + static_cast<std::int64_t>(rise / ((x[end] - from) * under));
}

SimTime StepTimes::operator()(const Step& step) const {
  if (step.prompt != 0) return SimTime::from_ps(prefill_.at(step.prompt, 1));
  // Pages that all PEs have, and those that some have more.
  std::uint64_t of_all = 0;
  std::vector<std::uint64_t> more(room_.pes);
  const std::size_t batch = step.contexts.size();
  for (std::size_t sequence = 0; sequence < batch; ++sequence) {
    const std::uint64_t pages = step.contexts[sequence] / room_.page_tokens + 1;
    of_all += pages / room_.pes;
    for (std::uint64_t page = 0; page < pages % room_.pes; ++page) {
      ++more[(sequence + page) % room_.pes];
    }
  }
  const std::uint64_t most = of_all + *std::max_element(more.begin(), more.end());
  return SimTime::from_ps(of_batch_[batch - 1].at(most, batch));
}

}  // namespace kernbench::model::serving
