// SPDX-License-Identifier: Apache-2.0
#include "farm/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "common/numbers.hpp"
#include "farm/csv.hpp"
#include "farm/quantity.hpp"

namespace kernbench::farm {
namespace {

constexpr std::size_t kMostLevels = 20;
constexpr std::size_t kGroups = 10;

bool has_passed(const Row& row) {
  return row.outcome == common::Outcome::Pass;
}

/// A row that may be on the front: its place, and its targets so that less is better.
struct Candidate {
  std::size_t place = 0;
  std::vector<double> costs{};
};

std::vector<Candidate> candidates_of(const Table& table) {
  std::vector<Candidate> candidates;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Row& row = table.rows[r];
    if (row.outcome != common::Outcome::Pass || !row.is_allowed) continue;
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

/// Returns the names of the targets with a direction that are a number in no passed row.
std::vector<std::string> targets_without_numbers(const Table& table) {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    const bool is_wanted = table.targets[t].direction != Direction::None &&
                           std::any_of(table.rows.begin(), table.rows.end(), has_passed);
    const bool has_number = std::any_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
      return has_passed(row) && number_of(row.targets[t]);
    });
    if (is_wanted && !has_number) names.push_back(table.targets[t].name);
  }
  return names;
}

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

/// Rows that share a value of a parameter, or a range of its values.
struct Level {
  std::string text{};
  bool is_number = false;
  std::size_t rows = 0;
  double numbers = 0;  ///< sum of the parameter over the rows, if it is a number
  double sum = 0;      ///< sum of the target
};

bool all_numbers(const std::vector<Level>& levels) {
  return std::all_of(levels.begin(), levels.end(),
                     [](const Level& level) { return level.is_number; });
}

/// Joins neighbours of many levels of numbers to kGroups levels.
std::vector<Level> grouped_levels(std::vector<Level> levels) {
  if (levels.size() <= kMostLevels || !all_numbers(levels)) return levels;
  const auto place = [](const Level& level) {
    return level.numbers / static_cast<double>(level.rows);
  };
  std::stable_sort(levels.begin(), levels.end(),
                   [&place](const Level& a, const Level& b) { return place(a) < place(b); });
  std::vector<Level> groups;
  for (std::size_t g = 0; g < kGroups; ++g) {
    const std::size_t first = g * levels.size() / kGroups;
    const std::size_t end = (g + 1) * levels.size() / kGroups;
    Level& group = groups.emplace_back();
    group.text = levels[first].text + " to " + levels[end - 1].text;
    group.is_number = true;
    for (std::size_t i = first; i < end; ++i) {
      group.rows += levels[i].rows;
      group.numbers += levels[i].numbers;
      group.sum += levels[i].sum;
    }
  }
  return groups;
}

std::vector<Level> levels_of(const Table& table, std::size_t parameter, std::size_t target) {
  std::vector<Level> levels;
  std::map<std::string, std::size_t> places;
  for (const Row& row : table.rows) {
    const auto number = number_of(row.targets[target]);
    if (row.outcome != common::Outcome::Pass || !number) continue;
    const std::string& text = row.parameters[parameter];
    const auto [known, is_new] = places.try_emplace(text, levels.size());
    const auto value = common::parse_double(text);
    if (is_new) levels.push_back({text, value.has_value()});
    Level& level = levels[known->second];
    ++level.rows;
    level.numbers += value.value_or(0.0);
    level.sum += *number;
  }
  return grouped_levels(std::move(levels));
}

}  // namespace

std::optional<double> number_of(const nlohmann::json& value) {
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

common::Outcome outcome_of(const Table& table) {
  if (table.rows.empty()) return common::Outcome::Vacuous;
  const bool is_whole = table.is_search || table.rows.size() >= table.planned;
  const bool passed = is_whole && std::all_of(table.rows.begin(), table.rows.end(), has_passed);
  if (!passed) return common::Outcome::Mismatch;
  const bool is_any_allowed = std::any_of(table.rows.begin(), table.rows.end(),
                                          [](const Row& row) { return row.is_allowed; });
  return is_any_allowed && targets_without_numbers(table).empty() ? common::Outcome::Pass
                                                                  : common::Outcome::Vacuous;
}

std::optional<std::size_t> best_row(const Table& table, std::size_t target) {
  const auto is_better = [&](const Row& a, const Row& b) {
    const auto decided = [&](std::size_t t) -> std::optional<bool> {
      const auto left = number_of(a.targets[t]);
      const auto right = number_of(b.targets[t]);
      if (!left || !right || *left == *right) return std::nullopt;
      return (*left < *right) == (table.targets[t].direction == Direction::Min);
    };
    if (const auto first = decided(target)) return *first;
    for (std::size_t t = 0; t < table.targets.size(); ++t) {
      if (table.targets[t].direction == Direction::None) continue;
      if (const auto next = decided(t)) return *next;
    }
    return false;
  };
  std::optional<std::size_t> best;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Row& row = table.rows[r];
    if (!has_passed(row) || !row.is_allowed || !number_of(row.targets[target])) continue;
    if (!best || is_better(row, table.rows[*best])) best = r;
  }
  return best;
}

std::vector<std::string> answers_of(const Table& table) {
  std::vector<std::string> answers;
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    const Target& target = table.targets[t];
    if (target.direction == Direction::None || is_constant(table, t)) continue;
    const std::optional<std::size_t> best = best_row(table, t);
    if (!best) continue;
    const Row& row = table.rows[*best];
    std::string answer = fmt::format(
        "{} {}: {} with {}", target.direction == Direction::Min ? "least" : "most", target.name,
        quantity_text(target, row.targets[t]), text_of_point(table.parameters, row.parameters));
    for (std::size_t other = 0; other < table.targets.size(); ++other) {
      if (other == t || row.targets[other].is_null()) continue;
      answer += fmt::format("; {} {}", table.targets[other].name,
                            quantity_text(table.targets[other], row.targets[other]));
    }
    answers.push_back(std::move(answer));
    if (table.is_search) break;
  }
  const bool none = !table.limits.empty() && !table.rows.empty() &&
                    std::none_of(table.rows.begin(), table.rows.end(),
                                 [](const Row& row) { return has_passed(row) && row.is_allowed; });
  if (none) answers = {fmt::format("no point satisfies {}", fmt::join(table.limits, " and "))};
  for (const std::string& name : targets_without_numbers(table)) {
    answers.push_back(fmt::format("no point has a number for {}", name));
  }
  return answers;
}

bool is_constant(const Table& table, std::size_t target) {
  std::vector<const Row*> passed;
  for (const Row& row : table.rows) {
    if (has_passed(row)) passed.push_back(&row);
  }
  return passed.size() > 1 && std::all_of(passed.begin(), passed.end(), [&](const Row* row) {
           return row->targets[target] == passed.front()->targets[target];
         });
}

std::string grades_text(const Table& table) {
  std::map<std::string, std::size_t> counts;
  for (const Row& row : table.rows) {
    if (row.outcome == common::Outcome::Pass && !row.grade.empty()) ++counts[row.grade];
  }
  std::string text;
  for (const auto& [grade, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, grade);
  }
  return text;
}

std::vector<std::size_t> pareto_front(const Table& table) {
  std::vector<Candidate> candidates = candidates_of(table);
  // In this order a row can be dominated only by one before it, and then by one of the front. Of
  // two targets, the second one is the best in the last row of the front.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.costs < b.costs; });
  std::vector<const Candidate*> front;
  for (const Candidate& candidate : candidates) {
    const bool has_two = candidate.costs.size() <= 2 && !front.empty();
    const bool dominated = std::any_of(
        has_two ? front.end() - 1 : front.begin(), front.end(),
        [&candidate](const Candidate* other) { return dominates(other->costs, candidate.costs); });
    if (!dominated) front.push_back(&candidate);
  }
  std::vector<std::size_t> places;
  places.reserve(front.size());
  for (const Candidate* one : front) places.push_back(one->place);
  std::sort(places.begin(), places.end());
  return places;
}

std::vector<Effect> main_effects(const Table& table) {
  std::vector<Effect> effects;
  for (std::size_t t = 0; t < table.targets.size(); ++t) {
    const auto first = static_cast<std::ptrdiff_t>(effects.size());
    for (std::size_t p = 0; p < table.parameters.size(); ++p) {
      const std::vector<Level> levels = levels_of(table, p, t);
      if (levels.size() < 2) continue;
      Effect effect{p, t};
      for (const Level& level : levels) {
        const auto rows = static_cast<double>(level.rows);
        effect.values.push_back(level.text);
        effect.places.push_back(level.numbers / rows);
        effect.means.push_back(level.sum / rows);
      }
      if (!all_numbers(levels)) effect.places.clear();
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
