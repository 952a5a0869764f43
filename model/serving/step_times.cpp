// SPDX-License-Identifier: Apache-2.0
#include "model/serving/step_times.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

#include "common/parallel.hpp"
#include "model/bench/transformer/kernels.hpp"

namespace kernbench::model::serving {

using common::SimTime;

namespace {

__extension__ using WideSigned = __int128;

/// Returns lengths of prompts up to `last`: multiples of 8, from 64 on a quarter of the power of
/// two below apart. A tile of a product has some rows, so the time jumps after a power of two, and
/// it jumps where PEs begin to share the rows, at `shared` tokens.
std::vector<std::uint64_t> prompts_up_to(std::uint64_t last, std::uint64_t shared) {
  std::set<std::uint64_t> prompts = {1, last};
  const auto add = [&](std::uint64_t prompt) {
    if (prompt >= 1 && prompt < last) prompts.insert(prompt);
  };
  add(4);
  add(shared - 1);
  for (std::uint64_t power = 8; power < last; power *= 2) {
    const std::uint64_t step = std::max<std::uint64_t>(power / 4, 8);
    for (std::uint64_t prompt = power; prompt < 2 * power; prompt += step) add(prompt);
    if (power < shared) add(power + 1);
  }
  return {prompts.begin(), prompts.end()};
}

/// Returns `first`, its multiples by powers of four below `last`, and `last`.
std::vector<std::uint64_t> rounds_up_to(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> rounds;
  for (std::uint64_t at = first; at < last; at *= 4) rounds.push_back(at);
  rounds.push_back(last);
  return rounds;
}

/// Returns a decode of sequences that have `pages` pages each. The last page of each has another
/// number of tokens, as in a server: a page that is not full takes longer.
Step decode_of(std::uint64_t batch, std::uint64_t pages, std::uint64_t page_tokens) {
  constexpr std::uint64_t kStride = 5;
  Step step;
  for (std::uint64_t sequence = 0; sequence < batch; ++sequence) {
    const std::uint64_t missing = (page_tokens / 2 + kStride * sequence) % page_tokens;
    step.contexts.push_back(std::max<std::uint64_t>(pages * page_tokens - missing - 1, 1));
  }
  return step;
}

}  // namespace

StepTimes::StepTimes(const StepTime& simulate, const Request& longest, const ServerRoom& room,
                     unsigned jobs)
    : room_(room), of_batch_(room.max_batch) {
  // In a round of its pages, a sequence has one on each PE.
  const std::uint64_t round = room.page_tokens * room.pes;
  const std::uint64_t first_round = round == 1 ? 2 : 1;  // a decode has a context
  const std::vector<std::uint64_t> prompts =
      prompts_up_to(longest.prompt, bench::transformer::kRowsOfAPe * room.pes);
  const std::vector<std::uint64_t> rounds = rounds_up_to(
      first_round, std::max((longest.cached_tokens() - 1) / round + 1, first_round + 1));
  const auto fits = [&](std::uint64_t batch, std::uint64_t count) {
    return count == first_round || batch * count * room.pes <= room.pages;
  };
  std::vector<Step> steps;
  for (const std::uint64_t prompt : prompts) steps.push_back({prompt, {}});
  for (std::uint64_t batch = 1; batch <= room.max_batch; ++batch) {
    steps.push_back(decode_of(batch, 1, room.page_tokens));  // on some PEs only
  }
  for (const std::uint64_t count : rounds) {
    for (std::uint64_t batch = 1; batch <= room.max_batch && fits(batch, count); ++batch) {
      steps.push_back(decode_of(batch, count * room.pes, room.page_tokens));
    }
  }
  std::vector<SimTime> times(steps.size());
  common::in_parallel(steps.size(), jobs, [&](std::size_t i) { times[i] = simulate(steps[i]); });
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    points_[step] = times[i];
    if (step.prompt != 0) {
      prefill_.add(step.prompt, times[i]);
    } else {
      of_batch_[step.contexts.size() - 1].add(most_pages(step), times[i]);
    }
  }
}

void StepTimes::Line::add(std::uint64_t next_x, SimTime time) {
  const auto next = static_cast<std::int64_t>(next_x);
  if (!x.empty() && next <= x.back()) return;
  x.push_back(next);
  y.push_back(time.ps());
}

SimTime StepTimes::Line::at(std::uint64_t at_x) const {
  const auto to = static_cast<std::int64_t>(at_x);
  if (x.size() == 1) return SimTime::from_ps(y.front());
  std::size_t end = 1;
  while (end + 1 < x.size() && x[end] < to) ++end;
  const std::int64_t from = x[end - 1];
  const WideSigned rise = WideSigned{y[end] - y[end - 1]} * (to - from);
  return SimTime::from_ps(y[end - 1] + static_cast<std::int64_t>(rise / (x[end] - from)));
}

std::uint64_t StepTimes::most_pages(const Step& step) const {
  std::uint64_t of_all = 0;
  std::vector<std::uint64_t> more(room_.pes);
  for (std::size_t sequence = 0; sequence < step.contexts.size(); ++sequence) {
    const std::uint64_t pages = step.contexts[sequence] / room_.page_tokens + 1;
    of_all += pages / room_.pes;
    for (std::uint64_t page = 0; page < pages % room_.pes; ++page) {
      ++more[(sequence + page) % room_.pes];
    }
  }
  return of_all + *std::max_element(more.begin(), more.end());
}

SimTime StepTimes::operator()(const Step& step) const {
  if (step.prompt != 0) return prefill_.at(step.prompt);
  return of_batch_[step.contexts.size() - 1].at(most_pages(step));
}

}  // namespace kernbench::model::serving
