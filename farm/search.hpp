// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "farm/constraint.hpp"
#include "farm/plan.hpp"

namespace kernbench::farm {

/// Chooses the points of a search that run in full. Each point has been screened by a cheap run
/// before. What a full run differs by from its cheap one is estimated from the points that have
/// run, nearer ones weighing more, and bounded by how wrong these estimates would have been for the
/// points that have run. A point is left out if it cannot be the best one within these bounds; at
/// the end a few that are left out by little run nevertheless, so that too tight bounds show.
class PointSearch {
 public:
  /// `screened` has the targets of each point after its cheap run; none if that failed.
  /// `is_exact` tells for each target whether a cheap run has its exact value.
  PointSearch(const Plan& plan, std::vector<std::vector<nlohmann::json>> screened,
              std::vector<bool> is_exact);

  /// Notes the targets of a point that has run in full; none if it failed.
  void add(std::size_t point, const std::vector<nlohmann::json>& targets);
  /// Returns the next points to run, a few at a time. Returns none when no point that has not run
  /// can be better than the best one, or when as many have run as the plan allows.
  [[nodiscard]] std::vector<std::size_t> next();

  /// Returns the best point that satisfies all constraints; nothing if none does.
  [[nodiscard]] std::optional<std::size_t> best() const { return best_; }
  /// Returns whether the limit of the plan ended the search, so that another point may be better.
  [[nodiscard]] bool is_cut() const;

 private:
  /// Values of a target between which a point is expected to be, and the likeliest one.
  struct Bounds {
    double low = 0;
    double likely = 0;
    double high = 0;
  };
  struct Candidate {
    std::size_t point = 0;
    double likely = 0;  ///< value of the goal, so that less is better
    bool is_likely_allowed = false;
    /// Error, as a multiple of the bound, with which it could be the best one.
    double reach = 0;
  };

  [[nodiscard]] double distance(std::size_t a, std::size_t b) const;
  [[nodiscard]] double correction(std::size_t target, std::size_t point,
                                  std::optional<std::size_t> without) const;
  [[nodiscard]] double error(std::size_t target) const;
  [[nodiscard]] Bounds bounds(std::size_t target, std::size_t point, double error) const;
  [[nodiscard]] bool may_be_best(std::size_t point, const std::vector<Bounds>& all) const;
  /// Returns the points that have not run and could be the best one with an error of `most_reach`
  /// times the bound, the likeliest ones first.
  [[nodiscard]] std::vector<Candidate> candidates(double most_reach) const;
  [[nodiscard]] std::vector<std::size_t> first_points() const;
  /// Returns the goal of a point, so that less is better.
  [[nodiscard]] double cost(const std::vector<nlohmann::json>& targets) const;
  [[nodiscard]] bool is_allowed(std::size_t point,
                                const std::vector<nlohmann::json>& targets) const;
  [[nodiscard]] bool is_usable(std::size_t point) const;

  const Plan& plan_;
  std::vector<std::vector<nlohmann::json>> screened_;
  std::vector<bool> is_exact_;
  std::vector<bool> is_ratio_;  ///< a target differs by a factor, not by a difference
  std::vector<Constraint> limits_;
  std::vector<std::vector<double>> places_;  ///< values of each point, from 0 to 1
  std::vector<std::optional<std::vector<nlohmann::json>>> full_;
  std::vector<std::size_t> ran_;  ///< points with values, in their order
  std::size_t started_ = 0;
  std::size_t controls_ = 0;  ///< points left out that ran since the last better one was found
  std::size_t goal_ = 0;
  std::optional<std::size_t> best_;
};

}  // namespace kernbench::farm
