// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/api.hpp"
#include "common/units.hpp"
#include "model/engine/event.hpp"

namespace kernbench::model::runtime {

/// Work that takes the time of earlier work of the same key.
struct RepeatedWork {
  std::string key;           ///< whatever the time of the work depends on
  std::uint64_t index = 0;   ///< number of the work among those that the bench has with this key
  std::uint64_t count = 1;   ///< number of them
  std::uint32_t member = 0;  ///< number of the caller among those that share the work
  std::uint32_t members = 1;
};

/// A work that was drawn to be simulated in full although its time was known.
struct RepeatSample {
  std::string key;
  std::uint64_t index = 0;
  common::SimTime repeated;   ///< time that it would have been given
  common::SimTime simulated;  ///< time that it took

  /// Returns |repeated - simulated| / simulated.
  [[nodiscard]] double error() const;
};

/// Works of a run.
struct RepeatSummary {
  std::uint64_t simulated = 0;  ///< samples included
  std::uint64_t repeated = 0;
  std::vector<RepeatSample> samples;  ///< sorted by key
};

/// How works of equal keys are simulated.
struct RepeatOptions {
  bool repeats = false;  ///< works let the time of earlier ones pass
  bool wholes = false;   ///< messages move as wholes, but in works that are drawn
  std::uint64_t seed = 1;
  bool samples = true;  ///< simulates a drawn work again, to show the error
};

/// The works of a run that are repeated. The first of each key is simulated, the second too if
/// members share it, and later ones let the time pass that one of these took. With `samples`, one
/// of the later works, drawn by seed, is simulated again. With `wholes` its messages move flit by
/// flit.
///
/// A work begins when the requests before it are complete, and ends when its own are. The members
/// that share a work begin it at different times. Its time counts from the last of them, and no
/// member may end before that. Of the simulated works, a repetition takes the times of the one that
/// its members began at the most similar distances. It is exact if these are equal and the data are
/// in memory channels of the same order.
class KERNBENCH_API Repeats {
 public:
  /// A work, from the arrival of its first member on.
  class Pass {
   public:
    enum class Kind : std::uint8_t { Simulated, Sampled, Repeated };
    Pass(const RepeatedWork& work, Kind kind);

    [[nodiscard]] Kind kind() const { return kind_; }
    /// Returns the event that all members have arrived.
    [[nodiscard]] engine::Event& all_arrived() { return all_arrived_; }
    /// Returns the simulated work whose times this one takes or is compared with, after all members
    /// have arrived; null for the first.
    [[nodiscard]] const Pass* model() const { return model_; }
    /// Returns when a member ends a repeated work.
    [[nodiscard]] common::SimTime end_of(std::uint32_t member) const;

    /// Notes the end of a simulated work, and the launches of the member in it, by index in the
    /// session. Throws std::invalid_argument when another member has not yet begun the work.
    void end(std::uint32_t member, common::SimTime now, std::vector<std::size_t> launches);
    [[nodiscard]] common::SimTime end_in(std::uint32_t member) const {
      return members_[member].end;
    }
    [[nodiscard]] const std::vector<std::size_t>& launches(std::uint32_t member) const {
      return members_[member].launches;
    }

   private:
    friend class Repeats;
    struct Member {
      common::SimTime begin;
      common::SimTime end;
      std::vector<std::size_t> launches;
    };

    /// Returns the time from the last arrival to the end of the last member.
    [[nodiscard]] common::SimTime time() const;
    /// Returns how differently members began this work and another, compared with the last of each.
    [[nodiscard]] common::SimTime distance(const Pass& other) const;

    std::string key_;
    std::uint64_t index_;
    Kind kind_;
    const Pass* model_ = nullptr;
    std::uint32_t missing_;  ///< members that have not begun it
    common::SimTime last_arrival_;
    std::vector<Member> members_;
    engine::Event all_arrived_;
  };

  explicit Repeats(const RepeatOptions& options) : options_(options) {}
  [[nodiscard]] const RepeatOptions& options() const { return options_; }

  /// Notes that a member has arrived at its next work, and returns the work. Throws
  /// std::invalid_argument when another member's work has another index or number of members.
  Pass& arrive(const RepeatedWork& work, common::SimTime now);

  /// Counts members in drawn works; returns true while there are any.
  bool begin_sample() { return ++in_samples_ > 0; }
  bool end_sample() { return --in_samples_ > 0; }
  [[nodiscard]] RepeatSummary summary() const;

 private:
  struct Known {
    std::deque<Pass> passes;
    std::vector<std::size_t> positions;  ///< works begun, by member
  };

  /// Returns the simulated pass before `pass` that members began most similarly.
  [[nodiscard]] const Pass* find_model(const Known& known, const Pass& pass) const;

  RepeatOptions options_;
  std::map<std::string, Known> known_;
  std::uint32_t in_samples_ = 0;
};

}  // namespace kernbench::model::runtime
