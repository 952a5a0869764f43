// SPDX-License-Identifier: Apache-2.0
#include "model/serving/step_times.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "common/parallel.hpp"

namespace kernbench::model::serving {

using common::SimTime;

namespace {

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
  for (const std::uint64_t prompt : PrefillTimes::lengths(longest.prompt, room.pes)) {
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

  std::map<std::uint64_t, SimTime> prefills;
  std::vector<std::multimap<std::int64_t, SimTime>> by_cost(room.max_batch);
  for (const auto& [step, time] : points_) {
    if (step.prompt != 0) {
      prefills[step.prompt] = time;
    } else {
      by_cost[step.contexts.size() - 1].emplace(attention(step), time);
    }
  }
  prefill_ = PrefillTimes(prefills, longest.prompt, room.pes);
  for (std::size_t i = 0; i < by_cost.size(); ++i) {
    for (const auto& [cost_of_step, time] : by_cost[i]) of_batch_[i].add(cost_of_step, time);
  }
}

std::uint64_t StepTimes::most_tokens(const Request& longest, const ServerRoom& room) {
  const std::uint64_t round = room.page_tokens * room.pes;
  const std::uint64_t most =
      std::max(longest.cached_tokens(), PrefillTimes::lengths(longest.prompt, room.pes).back());
  return std::max<std::uint64_t>((most - 1) / round + 1, 2) * round;
}

void StepTimes::set_costs() {
  const CostSteps steps(room_);
  const auto more = [&](const Step& step, const Step& than) {
    return (points_.at(step) - points_.at(than)).ps();
  };
  costs_.full_page = more(steps.round_more, steps.even);
  costs_.first_token = more(steps.one_token_more, steps.even);
  if (const std::int64_t parts = most_of(steps.many_parts).parts - most_of(steps.few_parts).parts) {
    costs_.part = more(steps.many_parts, steps.few_parts) / parts;
  }
  if (room_.max_batch == 1 || room_.pes == 1 || room_.page_tokens == 1) return;
  costs_.sequence =
      more(steps.few_parts, steps.apart) - (attention(steps.few_parts) - attention(steps.apart));
}

StepTimes::PeLoad StepTimes::most_of(const Step& step) const {
  const std::uint64_t pes = room_.pes;
  PeLoad of_all;
  std::vector<PeLoad> more(pes);
  for (std::size_t sequence = 0; sequence < step.contexts.size(); ++sequence) {
    const std::uint64_t context = step.contexts[sequence];
    const std::uint64_t full = context / room_.page_tokens;  // pages before the last one
    const std::uint64_t spread = std::min(full + 1, pes);    // PEs that have pages
    of_all.attention_ps += costs_.full_page * static_cast<std::int64_t>(full / pes);
    std::uint64_t pe = sequence % pes;
    const auto next = [&] { pe = pe + 1 == pes ? 0 : pe + 1; };
    for (std::uint64_t page = 0; page < full % pes; ++page, next()) {
      more[pe].attention_ps += costs_.full_page;
    }
    more[pe].attention_ps += costs_.page(context % room_.page_tokens + 1, room_.page_tokens);
    pe = sequence % pes;
    for (std::uint64_t page = 0; page < spread; ++page, next()) {
      more[pe].attention_ps += costs_.sequence;
    }
    pe = sequence * room_.kv_heads % pes;
    of_all.parts += static_cast<std::int64_t>(spread * (room_.kv_heads / pes));
    for (std::uint64_t head = 0; head < room_.kv_heads % pes; ++head, next()) {
      more[pe].parts += static_cast<std::int64_t>(spread);
    }
  }
  PeLoad most;
  for (const PeLoad& load : more) {
    most.attention_ps = std::max(most.attention_ps, load.attention_ps);
    most.parts = std::max(most.parts, load.parts);
  }
  return {of_all.attention_ps + most.attention_ps, of_all.parts + most.parts};
}

std::int64_t StepTimes::attention(const Step& step) const {
  const PeLoad most = most_of(step);
  return most.attention_ps + costs_.part * most.parts;
}

SimTime StepTimes::operator()(const Step& step) const {
  if (step.prompt != 0) return prefill_(step.prompt);
  return of_batch_[step.contexts.size() - 1].at(attention(step));
}

}  // namespace kernbench::model::serving
