// SPDX-License-Identifier: Apache-2.0
#include "model/serving/step_times.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

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

/// Returns a decode of sequences that have these numbers of tokens in the end.
Step decode_to(std::vector<std::uint64_t> tokens) {
  for (std::uint64_t& one : tokens) --one;
  return {0, std::move(tokens)};
}

/// Returns a decode of sequences that have `pages` pages each. The last page of each has another
/// number of tokens, as in a server.
Step decode_of(std::uint64_t batch, std::uint64_t pages, std::uint64_t page_tokens) {
  constexpr std::uint64_t kStride = 5;
  std::vector<std::uint64_t> tokens;
  for (std::uint64_t sequence = 0; sequence < batch; ++sequence) {
    const std::uint64_t missing = (page_tokens / 2 + kStride * sequence) % page_tokens;
    tokens.push_back(std::max<std::uint64_t>(pages * page_tokens - missing, 2));
  }
  return decode_to(std::move(tokens));
}

/// Decodes of two sequences, or one if a batch has no more, whose differences show costs.
struct CostSteps {
  CostSteps(const ServerRoom& room) {
    const std::uint64_t page = room.page_tokens;
    const std::uint64_t round = page * room.pes;
    const auto decode = [&](std::uint64_t first, std::uint64_t second) {
      return room.max_batch == 1 ? decode_to({first}) : decode_to({first, second});
    };
    const std::uint64_t whole = std::max<std::uint64_t>(round, 2);
    even = decode(whole, whole);
    one_token_more = decode(whole + 1, whole);
    round_more = decode(whole + round, whole);
    many_parts = decode(whole, 2);
    few_parts = decode(std::max<std::uint64_t>(2 * page, 2), 2);
    apart = decode(2, 2);
  }
  Step even;            ///< each PE has a full page of each sequence
  Step one_token_more;  ///< PE 0 has a page with one token, too
  Step round_more;      ///< each PE has one more full page
  Step many_parts;      ///< PE 1 has a full page of a sequence and a token or two of the other
  Step few_parts;       ///< the same, but only PEs 0 and 1 have parts to be merged
  Step apart;           ///< PE 0 has some tokens of a sequence, PE 1 of the other
};

}  // namespace

std::int64_t AttentionCosts::page(std::uint64_t tokens, std::uint64_t page_tokens) const {
  if (tokens == page_tokens) return full_page;
  return first_token + (full_page - first_token) * static_cast<std::int64_t>(tokens - 1) /
                           static_cast<std::int64_t>(page_tokens - 1);
}

StepTimes::StepTimes(const StepTime& simulate, const Request& longest, const ServerRoom& room,
                     unsigned jobs)
    : room_(room), of_batch_(room.max_batch) {
  // In a round of its pages, a sequence has one on each PE.
  const std::uint64_t rounds = most_tokens(longest, room) / (room.page_tokens * room.pes);
  std::vector<Step> steps;
  for (const std::uint64_t prompt :
       prompts_up_to(longest.prompt, bench::transformer::kRowsOfAPe * room.pes)) {
    steps.push_back({prompt, {}});
  }
  const CostSteps cost(room);
  for (const Step& step : {cost.even, cost.one_token_more, cost.round_more, cost.many_parts,
                           cost.few_parts, cost.apart}) {
    steps.push_back(step);
  }
  for (std::uint64_t batch = 1; batch <= room.max_batch; ++batch) {
    const std::uint64_t most = std::max<std::uint64_t>(room.pages / (batch * room.pes), 1);
    steps.push_back(decode_of(batch, 1, room.page_tokens));
    steps.push_back(decode_of(batch, std::min(rounds, most) * room.pes, room.page_tokens));
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  std::vector<SimTime> times(steps.size());
  common::in_parallel(steps.size(), jobs, [&](std::size_t i) { times[i] = simulate(steps[i]); });
  for (std::size_t i = 0; i < steps.size(); ++i) points_[steps[i]] = times[i];
  set_costs();

  std::vector<std::multimap<std::int64_t, SimTime>> by_cost(room.max_batch);
  for (const auto& [step, time] : points_) {
    if (step.prompt != 0) {
      prefill_.add(static_cast<std::int64_t>(step.prompt), time);
    } else {
      by_cost[step.contexts.size() - 1].emplace(attention(step), time);
    }
  }
  for (std::size_t i = 0; i < by_cost.size(); ++i) {
    for (const auto& [cost_of_step, time] : by_cost[i]) of_batch_[i].add(cost_of_step, time);
  }
}

std::uint64_t StepTimes::most_tokens(const Request& longest, const ServerRoom& room) {
  const std::uint64_t round = room.page_tokens * room.pes;
  return std::max<std::uint64_t>((longest.cached_tokens() - 1) / round + 1, 2) * round;
}

void StepTimes::set_costs() {
  const CostSteps steps(room_);
  const auto more = [&](const Step& step, const Step& than) {
    return (points_.at(step) - points_.at(than)).ps();
  };
  costs_.full_page = more(steps.round_more, steps.even);
  costs_.first_token = more(steps.one_token_more, steps.even);
  if (const std::int64_t parts = most_parts(steps.many_parts) - most_parts(steps.few_parts)) {
    costs_.part = more(steps.many_parts, steps.few_parts) / parts;
  }
  if (room_.max_batch == 1 || room_.pes == 1 || room_.page_tokens == 1) return;
  costs_.sequence =
      more(steps.few_parts, steps.apart) - (attention(steps.few_parts) - attention(steps.apart));
}

void StepTimes::Line::add(std::int64_t next_x, SimTime time) {
  if (!x.empty() && next_x <= x.back()) return;
  x.push_back(next_x);
  y.push_back(time.ps());
}

SimTime StepTimes::Line::at(std::int64_t at_x) const {
  if (x.size() == 1) return SimTime::from_ps(y.front());
  std::size_t end = 1;
  while (end + 1 < x.size() && x[end] < at_x) ++end;
  const std::int64_t from = x[end - 1];
  const WideSigned rise = WideSigned{y[end] - y[end - 1]} * (at_x - from);
  return SimTime::from_ps(y[end - 1] + static_cast<std::int64_t>(rise / (x[end] - from)));
}

std::int64_t StepTimes::most_parts(const Step& step) const {
  std::int64_t of_all = 0;
  std::vector<std::int64_t> more(room_.pes);
  for (std::size_t sequence = 0; sequence < step.contexts.size(); ++sequence) {
    const std::uint64_t pages = step.contexts[sequence] / room_.page_tokens + 1;
    const auto parts = static_cast<std::int64_t>(std::min(pages, room_.pes));
    of_all += parts * static_cast<std::int64_t>(room_.kv_heads / room_.pes);
    for (std::uint64_t head = room_.kv_heads / room_.pes * room_.pes; head < room_.kv_heads;
         ++head) {
      more[(sequence * room_.kv_heads + head) % room_.pes] += parts;
    }
  }
  return of_all + *std::max_element(more.begin(), more.end());
}

std::int64_t StepTimes::attention(const Step& step) const {
  std::int64_t of_all = 0;
  std::vector<std::int64_t> more(room_.pes);
  for (std::size_t sequence = 0; sequence < step.contexts.size(); ++sequence) {
    const std::uint64_t context = step.contexts[sequence];
    const std::uint64_t full = context / room_.page_tokens;  // pages before the last one
    of_all += costs_.full_page * static_cast<std::int64_t>(full / room_.pes);
    for (std::uint64_t page = 0; page < full % room_.pes; ++page) {
      more[(sequence + page) % room_.pes] += costs_.full_page;
    }
    more[(sequence + full) % room_.pes] +=
        costs_.page(context % room_.page_tokens + 1, room_.page_tokens);
    for (std::uint64_t page = 0; page < std::min(full + 1, room_.pes); ++page) {
      more[(sequence + page) % room_.pes] += costs_.sequence;
    }
  }
  return of_all + *std::max_element(more.begin(), more.end()) + costs_.part * most_parts(step);
}

SimTime StepTimes::operator()(const Step& step) const {
  if (step.prompt != 0) return prefill_.at(static_cast<std::int64_t>(step.prompt));
  return of_batch_[step.contexts.size() - 1].at(attention(step));
}

}  // namespace kernbench::model::serving
