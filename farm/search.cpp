// SPDX-License-Identifier: Apache-2.0
#include "farm/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "farm/summary.hpp"

namespace kernbench::farm {
namespace {

using Json = nlohmann::json;

// Points that run at a time. It does not depend on the number of processors: the same plan has the
// same rows everywhere.
constexpr std::size_t kBatch = 6;
// Points of the first batch that are the best ones of the screening.
constexpr std::size_t kFirstBest = 3;
// Errors of estimates are assumed to be at most this much larger than those seen.
constexpr double kMargin = 1.5;
// Points without which nothing is known of the errors.
constexpr std::size_t kFewest = 3;
// Multiples of the bound that are tried: points beyond the first are left out, and run as controls
// up to the last.
constexpr std::array kReaches = {1.0, 2.0, 4.0, 8.0, 16.0, 32.0};

double infinity() {
  return std::numeric_limits<double>::infinity();
}

/// Returns for each point and parameter the rank of its value among those of the plan, 0 to 1.
std::vector<std::vector<double>> places_of(const Plan& plan) {
  std::vector<std::vector<double>> places(plan.points.size());
  for (std::size_t p = 0; p < plan.parameters.size(); ++p) {
    std::vector<Value> values;
    for (const PlanPoint& point : plan.points) {
      if (std::find(values.begin(), values.end(), point[p]) == values.end()) {
        values.push_back(point[p]);
      }
    }
    const auto last = static_cast<double>(std::max<std::size_t>(values.size(), 2) - 1);
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
      const auto found = std::find(values.begin(), values.end(), plan.points[i][p]);
      places[i].push_back(static_cast<double>(found - values.begin()) / last);
    }
  }
  return places;
}

}  // namespace

PointSearch::PointSearch(const Plan& plan, std::vector<std::vector<Json>> screened,
                         std::vector<bool> is_exact)
    : plan_(plan),
      screened_(std::move(screened)),
      is_exact_(std::move(is_exact)),
      limits_(constraints_of(plan.limits, plan.parameters, plan.targets)),
      places_(places_of(plan)),
      full_(plan.points.size()) {
  while (plan.targets[goal_].direction == Direction::None) ++goal_;
  for (std::size_t t = 0; t < plan.targets.size(); ++t) {
    is_ratio_.push_back(std::all_of(screened_.begin(), screened_.end(), [&](const auto& targets) {
      return targets.empty() || number_of(targets[t]).value_or(1.0) > 0.0;
    }));
  }
}

double PointSearch::cost(const std::vector<Json>& targets) const {
  const double sign = plan_.targets[goal_].direction == Direction::Max ? -1.0 : 1.0;
  const std::optional<double> number = number_of(targets[goal_]);
  return number ? sign * *number : infinity();
}

bool PointSearch::is_allowed(std::size_t point, const std::vector<Json>& targets) const {
  return std::all_of(limits_.begin(), limits_.end(), [&](const Constraint& limit) {
    return limit.holds(plan_.points[point], targets);
  });
}

bool PointSearch::is_usable(std::size_t point) const {
  return !screened_[point].empty() && number_of(screened_[point][goal_]).has_value();
}

void PointSearch::add(std::size_t point, const std::vector<Json>& targets) {
  full_[point] = targets;
  ++started_;
  if (targets.empty()) return;
  if (is_usable(point)) ran_.push_back(point);
  if (!std::isfinite(cost(targets)) || !is_allowed(point, targets)) return;
  if (best_ && cost(targets) >= cost(*full_[*best_])) return;
  best_ = point;
  controls_ = 0;
}

double PointSearch::distance(std::size_t a, std::size_t b) const {
  double sum = 0;
  for (std::size_t p = 0; p < places_[a].size(); ++p) {
    const double step = places_[a][p] - places_[b][p];
    sum += step * step;
  }
  return sum;
}

/// Returns by what a full run of a point is expected to differ from its cheap one: a logarithm of a
/// factor, or a difference. `without` is a point from which nothing is learned.
double PointSearch::correction(std::size_t target, std::size_t point,
                               std::optional<std::size_t> without) const {
  constexpr double kNear = 1e-3;
  double weights = 0;
  double sum = 0;
  for (const std::size_t other : ran_) {
    const std::optional<double> cheap = number_of(screened_[other][target]);
    const std::optional<double> full = number_of((*full_[other])[target]);
    if (other == without || !cheap || !full || (is_ratio_[target] && *full <= 0)) continue;
    const double weight = 1.0 / (distance(point, other) + kNear);
    weights += weight;
    sum += weight * (is_ratio_[target] ? std::log(*full / *cheap) : *full - *cheap);
  }
  return weights == 0 ? 0.0 : sum / weights;
}

/// Returns by how much corrections may be wrong: those of the points that have run would have been.
double PointSearch::error(std::size_t target) const {
  if (is_exact_[target]) return 0;
  if (ran_.size() < kFewest) return infinity();
  double worst = 0;
  for (const std::size_t point : ran_) {
    const std::optional<double> cheap = number_of(screened_[point][target]);
    const std::optional<double> full = number_of((*full_[point])[target]);
    if (!cheap || !full || (is_ratio_[target] && *full <= 0)) continue;
    const double own = is_ratio_[target] ? std::log(*full / *cheap) : *full - *cheap;
    worst = std::max(worst, std::abs(own - correction(target, point, point)));
  }
  constexpr double kLeast = 0.12;  // error assumed of the first point, less with each further one
  return kMargin * worst + kLeast / static_cast<double>(ran_.size());
}

PointSearch::Bounds PointSearch::bounds(std::size_t target, std::size_t point, double error) const {
  const double cheap = number_of(screened_[point][target]).value_or(0.0);
  if (is_exact_[target]) return {cheap, cheap, cheap};
  const double step = correction(target, point, {});
  if (!is_ratio_[target]) return {cheap + step - error, cheap + step, cheap + step + error};
  const double likely = cheap * std::exp(step);
  return {likely * std::exp(-error), likely, likely * std::exp(error)};
}

/// Returns whether targets within the bounds satisfy all constraints and are better than the best.
bool PointSearch::may_be_best(std::size_t point, const std::vector<Bounds>& all) const {
  const bool wants_most = plan_.targets[goal_].direction == Direction::Max;
  const double best_possible = wants_most ? -all[goal_].high : all[goal_].low;
  if (best_ && best_possible >= cost(*full_[*best_])) return false;
  if (limits_.empty()) return true;
  std::vector<std::size_t> open;  // targets that are not known exactly
  std::size_t trials = 1;
  for (std::size_t t = 0; t < all.size(); ++t) {
    if (!number_of(screened_[point][t]) || all[t].low == all[t].high) continue;
    open.push_back(t);
    trials *= 3;
  }
  // Constraints are tried with each target at its ends and in between.
  std::vector<Json> targets = screened_[point];
  for (std::size_t trial = 0; trial < trials; ++trial) {
    std::size_t rest = trial;
    for (const std::size_t t : open) {
      const double most = std::numeric_limits<double>::max();
      const Bounds& one = all[t];
      const double value = rest % 3 == 0 ? one.low : rest % 3 == 1 ? one.likely : one.high;
      targets[t] = std::clamp(value, -most, most);
      rest /= 3;
    }
    if (is_allowed(point, targets)) return true;
  }
  return false;
}

std::vector<PointSearch::Candidate> PointSearch::candidates(double most_reach) const {
  std::vector<double> errors;
  for (std::size_t t = 0; t < plan_.targets.size(); ++t) errors.push_back(error(t));
  const double sign = plan_.targets[goal_].direction == Direction::Max ? -1.0 : 1.0;
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < plan_.points.size(); ++i) {
    if (full_[i] || !is_usable(i)) continue;
    for (const double reach : kReaches) {
      if (reach > most_reach) break;
      std::vector<Bounds> all;
      std::vector<Json> likely;
      for (std::size_t t = 0; t < plan_.targets.size(); ++t) {
        all.push_back(bounds(t, i, reach * errors[t]));
        const bool is_number = number_of(screened_[i][t]).has_value();
        likely.push_back(is_number ? Json(all.back().likely) : screened_[i][t]);
      }
      if (!may_be_best(i, all)) continue;
      found.push_back({i, sign * all[goal_].likely, is_allowed(i, likely), reach});
      break;
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(!a.is_likely_allowed, a.likely) < std::tuple(!b.is_likely_allowed, b.likely);
  });
  return found;
}

/// Returns points to learn from: the best ones of the screening, and others far from all of them.
std::vector<std::size_t> PointSearch::first_points() const {
  const std::vector<Candidate> all = candidates(kReaches.front());
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min(kFirstBest, all.size()); ++i) {
    chosen.push_back(all[i].point);
  }
  while (chosen.size() < std::min(kBatch, all.size())) {
    std::size_t farthest = 0;
    double most = -1;
    for (const Candidate& one : all) {
      double nearest = infinity();
      for (const std::size_t other : chosen)
        nearest = std::min(nearest, distance(one.point, other));
      const bool is_new = std::find(chosen.begin(), chosen.end(), one.point) == chosen.end();
      if (is_new && nearest > most) {
        most = nearest;
        farthest = one.point;
      }
    }
    chosen.push_back(farthest);
  }
  return chosen;
}

std::vector<std::size_t> PointSearch::next() {
  const std::size_t limit = plan_.search->most_points;
  const std::size_t most = std::min(kBatch, limit - std::min(limit, started_));
  std::vector<std::size_t> chosen;
  if (started_ == 0) {
    chosen = first_points();
    chosen.resize(std::min(chosen.size(), most));
    return chosen;
  }
  for (const Candidate& one : candidates(kReaches.front())) {
    if (chosen.size() < most) chosen.push_back(one.point);
  }
  if (!chosen.empty() || controls_ >= kBatch) return chosen;
  std::vector<Candidate> left_out = candidates(kReaches.back());
  std::stable_sort(left_out.begin(), left_out.end(),
                   [](const Candidate& a, const Candidate& b) { return a.reach < b.reach; });
  for (const Candidate& one : left_out) {
    if (chosen.size() < most) chosen.push_back(one.point);
  }
  controls_ += chosen.size();
  return chosen;
}

bool PointSearch::is_cut() const {
  return started_ >= plan_.search->most_points && !candidates(kReaches.front()).empty();
}

}  // namespace kernbench::farm
