#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/fabric/seam/fabric_clock.hpp"

namespace kernbench::model::fabric {

/// Holds a fabric to its word that every transfer is done exactly once. It gives out the ids.
class TransferLedger {
 public:
  /// A transfer is about to be submitted; returns its id: 0, 1, 2, ...
  [[nodiscard]] std::uint64_t open(Edge submitted) {
    if (opened_ - oldest_ == submitted_.size()) grow();
    at(opened_) = submitted;
    ++outstanding_;
    return opened_++;
  }
  /// It is done; returns when it was submitted. Throws std::logic_error when it was done before or
  /// never submitted.
  Edge close(std::uint64_t id) {
    // One before the oldest is far past the youngest, too.
    if (id - oldest_ >= opened_ - oldest_ || at(id) == kClosed) reject(id);
    --outstanding_;
    const Edge submitted = std::exchange(at(id), kClosed);
    if (id == oldest_) skip_closed();
    return submitted;
  }

  /// Transfers submitted so far.
  [[nodiscard]] std::uint64_t opened() const { return opened_; }
  /// Transfers that are not done.
  [[nodiscard]] std::size_t outstanding() const { return outstanding_; }
  /// Throws std::logic_error unless all are done.
  void require_all_closed() const;

 private:
  static constexpr Edge kClosed = ~Edge{0};

  [[nodiscard]] Edge& at(std::uint64_t id) { return submitted_[id & (submitted_.size() - 1)]; }
  void skip_closed() {
    while (oldest_ != opened_ && at(oldest_) == kClosed) ++oldest_;
  }
  void grow();
  [[noreturn]] void reject(std::uint64_t id) const;

  /// A ring from the oldest one that is open to the youngest; a power of two of them, or none.
  std::vector<Edge> submitted_;
  std::uint64_t oldest_ = 0;  ///< id of the first of them
  std::uint64_t opened_ = 0;
  std::size_t outstanding_ = 0;
};

}  // namespace kernbench::model::fabric
