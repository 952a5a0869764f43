// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/data/memory_store.hpp"
#include "model/data/op_log.hpp"

namespace kernbench::model::data {

/// The second pass: executes the operations of a log on data (Architecture, "Two-Pass Data
/// Execution"). Follows the engine's order: an operation reads its inputs at its start and writes
/// its outputs at its end, so writes in between do not affect it. Composite operations are computed
/// as a whole.
class Replay {
 public:
  /// Replays the log on empty memory. Operations that never ended write nothing. Throws ReplayError
  /// with the operation, its time and its line when one cannot be replayed.
  void run(const OpLog& log);

  /// Returns the data of a copy to the host. Throws std::out_of_range for an unknown number.
  [[nodiscard]] const Array& result(std::uint32_t number) const { return results_.at(number); }
  /// Returns the data of all copies to the host, by number.
  [[nodiscard]] const std::map<std::uint32_t, Array>& results() const { return results_; }
  [[nodiscard]] const MemoryStore& store() const { return store_; }

 private:
  using Outputs = std::vector<std::pair<Block, Array>>;
  [[nodiscard]] Outputs compute(const Params& params);
  [[nodiscard]] Outputs receive(const IpcqCopyParams& copy, std::uint64_t ticket);

  MemoryStore store_;
  std::map<std::uint32_t, Array> results_;
  /// Data in flight between two PEs: the k-th receive takes the data of the k-th send.
  struct Channel {
    std::uint64_t sends = 0;
    std::uint64_t receives = 0;
    std::map<std::uint64_t, Array> sent;  ///< data not received yet, by k
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Channel> channels_;  ///< by receiver, direction
};

}  // namespace kernbench::model::data
