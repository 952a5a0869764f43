// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "common/units.hpp"
#include "model/serving/polyline.hpp"
#include "model/serving/prefill_times.hpp"
#include "model/serving/requests.hpp"

namespace kernbench::model::serving {

/// A step of a server: the prefill of a prompt, or a step of decode of some sequences.
struct Step {
  std::uint64_t prompt = 0;               ///< tokens; 0 for a step of decode
  std::vector<std::uint64_t> contexts{};  ///< cached tokens of each sequence that is decoded

  friend auto operator<=>(const Step&,
                          const Step&) = default;  // NOLINT(modernize-use-nullptr): no pointer
};

/// Returns the time of a step.
using StepTime = std::function<common::SimTime(const Step&)>;

/// Times that parts of the attention of a decode add to it, in ps. The slowest PE of a cube
/// decides.
struct AttentionCosts {
  std::int64_t first_token = 0;  ///< a page with one token
  std::int64_t full_page = 0;
  std::int64_t sequence = 0;  ///< a sequence that has pages on the PE
  std::int64_t part = 0;      ///< a part of a head that a PE merges

  /// Returns the time of a page with some tokens.
  [[nodiscard]] std::int64_t page(std::uint64_t tokens, std::uint64_t page_tokens) const;
};

/// Times of steps, composed from those of a few simulated ones in whole picoseconds.
///
/// The time of a decode depends on the number of sequences, by linear layers, and on the pages of
/// each sequence, by its attention. A PE computes the pages that it has, one after the other, then
/// merges its share of the parts of all heads. AttentionCosts are differences between simulated
/// decodes of two sequences, and for each number of sequences the time is interpolated by the costs
/// of the contexts.
class StepTimes {
 public:
  /// Simulates steps of requests up to `longest` that fit into `room`, on up to `jobs` threads.
  StepTimes(const StepTime& simulate, const Request& longest, const ServerRoom& room,
            unsigned jobs);

  [[nodiscard]] common::SimTime operator()(const Step& step) const;
  /// Returns the steps that were simulated.
  [[nodiscard]] const std::map<Step, common::SimTime>& points() const { return points_; }
  [[nodiscard]] const AttentionCosts& costs() const { return costs_; }

  /// Returns the tokens of the longest sequence of all simulated steps.
  [[nodiscard]] static std::uint64_t most_tokens(const Request& longest, const ServerRoom& room);

 private:
  /// The attention of a decode on a PE.
  struct PeLoad {
    std::int64_t attention_ps = 0;  ///< its pages and sequences
    std::int64_t parts = 0;         ///< that it merges
  };
  /// Returns the load of the PEs that have most of each.
  [[nodiscard]] PeLoad most_of(const Step& step) const;
  /// Returns the cost of the attention of a decode.
  [[nodiscard]] std::int64_t attention(const Step& step) const;
  /// Sets costs_ from simulated steps.
  void set_costs();

  ServerRoom room_;
  std::map<Step, common::SimTime> points_;
  AttentionCosts costs_;
  PrefillTimes prefill_;
  std::vector<Polyline> of_batch_;  ///< by attention(), for 1, 2, ... sequences
};

}  // namespace kernbench::model::serving
