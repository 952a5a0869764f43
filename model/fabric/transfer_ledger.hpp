#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "model/fabric/fabric_clock.hpp"

namespace kernbench::model::fabric {

/// Holds a fabric to its word that every transfer is done exactly once. It gives out the ids.
class TransferLedger {
 public:
  /// A transfer is about to be submitted; returns its id: 0, 1, 2, ...
  [[nodiscard]] std::uint64_t open(Edge submitted);
  /// It is done; returns when it was submitted. Throws std::logic_error when it was done before or
  /// never submitted.
  Edge close(std::uint64_t id);

  /// Transfers submitted so far.
  [[nodiscard]] std::uint64_t opened() const { return oldest_ + submitted_.size(); }
  /// Transfers that are not done.
  [[nodiscard]] std::size_t outstanding() const { return outstanding_; }
  /// Throws std::logic_error unless all are done.
  void require_all_closed() const;

 private:
  std::deque<Edge> submitted_;  ///< from the oldest one that is open to the youngest
  std::uint64_t oldest_ = 0;    ///< id of the first of them
  std::size_t outstanding_ = 0;
};

}  // namespace kernbench::model::fabric
