// SPDX-License-Identifier: Apache-2.0
#include "farm/summary.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace kernbench::farm {
namespace {

/// A row that may be on the front: its place, and its targets so that less is better.
struct Candidate {
  std::size_t place = 0;
  std::vector<double> costs{};
};

std::vector<Candidate> candidates_of(const Table& table) {
  std::vector<Candidate> candidates;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Row& row = table.rows[r];
    if (row.outcome != common::Outcome::Pass) continue;
    Candidate candidate{r};
    bool whole = true;
    for (std::size_t t = 0; t < table.targets.size(); ++t) {
      if (table.targets[t].direction == Direction::None) continue;
      const auto number = number_of(row.targets[t]);
      whole = whole && number.has_value();
      const double sign = table.targets[t].direction == Direction::Max ? -1.0 : 1.0;
      candidate.costs.push_back(sign * number.value_or(0.0));
    }
    if (whole && !candidate.costs.empty()) candidates.push_back(std::move(candidate));
  }
  return candidates;
}

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

}  // namespace

std::optional<double> number_of(const nlohmann::json& value) {
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

std::vector<std::size_t> pareto_front(const Table& table) {
  std::vector<Candidate> candidates = candidates_of(table);
  // In this order a row can be dominated only by one before it, and then by one of the front.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.costs < b.costs; });
  std::vector<const Candidate*> front;
  for (const Candidate& one : candidates) {
    const bool dominated = std::any_of(front.begin(), front.end(), [&one](const Candidate* other) {
      return dominates(other->costs, one.costs);
    });
    if (!dominated) front.push_back(&one);
  }
  std::vector<std::size_t> places;
  for (const Candidate* one : front) places.push_back(one->place);
  std::sort(places.begin(), places.end());
  return places;
}

std::vector<Effect> main_effects(const Table& table) {
  std::vector<Effect> effects;
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    const auto first = static_cast<std::ptrdiff_t>(effects.size());
    for (std::size_t p = 0; p < table.parameters.size(); ++p) {
      Effect effect{p, t};
      std::map<std::string, std::size_t> places;
      std::vector<std::pair<double, std::size_t>> sums;  // sum of the target, and number of rows
      for (const Row& row : table.rows) {
        const auto number = number_of(row.targets[t]);
        if (row.outcome != common::Outcome::Pass || !number) continue;
        const auto [known, is_new] = places.try_emplace(row.parameters[p], sums.size());
        const std::size_t place = known->second;
        if (is_new) {
          effect.values.push_back(row.parameters[p]);
          sums.emplace_back(0.0, 0);
        }
        sums[place].first += *number;
        ++sums[place].second;
      }
      if (effect.values.size() < 2) continue;
      for (const auto& sum : sums) {
        effect.means.push_back(sum.first / static_cast<double>(sum.second));
      }
      const auto ends = std::minmax_element(effect.means.begin(), effect.means.end());
      effect.range = *ends.second - *ends.first;
      effects.push_back(std::move(effect));
    }
    std::stable_sort(effects.begin() + first, effects.end(),
                     [](const Effect& a, const Effect& b) { return a.range > b.range; });
  }
  return effects;
}

}  // namespace kernbench::farm
