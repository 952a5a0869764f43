// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/fabric/seam/fabric_clock.hpp"

namespace kernbench::model::fabric {

/// Checks that a fabric completes every transfer exactly once. Assigns the ids.
class TransferLedger {
 public:
  /// Registers a transfer to be submitted at edge `submitted`. Returns its id: 0, 1, 2, ...
  [[nodiscard]] std::uint64_t open(Edge submitted) {
    if (opened_ - oldest_ == submitted_.size()) grow();
    at(opened_) = submitted;
    ++outstanding_;
    return opened_++;
  }
  /// Completes a transfer. Returns the edge of its submission. Throws std::logic_error for a
  /// transfer that is already complete or was never submitted.
  Edge close(std::uint64_t id) {
    // An id below the oldest wraps around, so one comparison covers both ends.
    if (id - oldest_ >= opened_ - oldest_ || at(id) == kClosed) reject(id);
    --outstanding_;
    const Edge submitted = std::exchange(at(id), kClosed);
    if (id == oldest_) skip_closed();
    return submitted;
  }

  /// Returns the number of transfers submitted so far.
  [[nodiscard]] std::uint64_t opened() const { return opened_; }
  /// Returns the number of transfers that are not complete.
  [[nodiscard]] std::size_t outstanding() const { return outstanding_; }
  /// Throws std::logic_error unless all transfers are complete.
  void require_all_closed() const;

 private:
  static constexpr Edge kClosed = ~Edge{0};

  [[nodiscard]] Edge& at(std::uint64_t id) { return submitted_[id & (submitted_.size() - 1)]; }
  void skip_closed() {
    while (oldest_ != opened_ && at(oldest_) == kClosed) ++oldest_;
  }
  void grow();
  [[noreturn]] void reject(std::uint64_t id) const;

  /// Ring of submission edges, from the oldest open transfer to the youngest. Its size is 0 or a
  /// power of two.
  std::vector<Edge> submitted_;
  std::uint64_t oldest_ = 0;  ///< id of the oldest open transfer
  std::uint64_t opened_ = 0;
  std::size_t outstanding_ = 0;
};

}  // namespace kernbench::model::fabric
