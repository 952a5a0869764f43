// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "common/units.hpp"
#include "model/serving/requests.hpp"

namespace kernbench::model::serving {

/// A step of a server: the prefill of a prompt, or a step of decode of some sequences.
struct Step {
  std::uint64_t prompt = 0;               ///< tokens; 0 for a step of decode
  std::vector<std::uint64_t> contexts{};  ///< cached tokens of each sequence that is decoded

  friend auto operator<=>(const Step&, const Step&) = default;
};

/// Returns the time of a step.
using StepTime = std::function<common::SimTime(const Step&)>;

/// Times of steps, composed from those of a few simulated ones by linear interpolation, in whole
/// picoseconds. A PE computes the keys of its own pages of all sequences, so the time of a decode
/// depends on the number of sequences and on the pages of the PE that has most of them.
class StepTimes {
 public:
  /// Simulates steps of requests up to `longest` that fit into `room`, on up to `jobs` threads.
  StepTimes(const StepTime& simulate, const Request& longest, const ServerRoom& room,
            unsigned jobs);

  [[nodiscard]] common::SimTime operator()(const Step& step) const;
  /// Returns the steps that were simulated.
  [[nodiscard]] const std::map<Step, common::SimTime>& points() const { return points_; }

 private:
  /// A polyline.
  struct Line {
    std::vector<std::int64_t> x;  ///< ascending
    std::vector<std::int64_t> y;  ///< ps
    /// Adds a point, unless there is one with this x.
    void add(std::uint64_t next_x, common::SimTime time);
    /// Returns y at `at_x`. Goes on straight beyond the ends.
    [[nodiscard]] common::SimTime at(std::uint64_t at_x) const;
  };

  /// Returns the pages of the PE that has most of those of a decode.
  [[nodiscard]] std::uint64_t most_pages(const Step& step) const;

  ServerRoom room_;
  std::map<Step, common::SimTime> points_;
  Line prefill_;                ///< by tokens
  std::vector<Line> of_batch_;  ///< by most_pages(), for 1, 2, ... sequences
};

}  // namespace kernbench::model::serving
