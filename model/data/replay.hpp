// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/data/memory_store.hpp"
#include "model/data/op_log.hpp"

namespace kernbench::model::data {

/// Executes the operations of a log on data, after the run in a second pass (Architecture,
/// "Two-Pass Data Execution") or while it is written. Follows the engine's order: an operation
/// reads its inputs at its start and writes its outputs at its end, so writes in between do not
/// affect it. Composite operations are computed as a whole.
class Replay {
 public:
  /// Replays a whole log. Operations that never ended write nothing. Throws like begin().
  void run(const OpLog& log);

  /// Starts an operation: takes its inputs as they are now. Throws ReplayError with the operation,
  /// its time and its line when it cannot be executed.
  void begin(std::uint32_t number, const OpRecord& record);
  /// Ends an operation that began: writes its outputs. Throws like begin().
  void end(std::uint32_t number, const OpRecord& record);

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
  // Operations that have begun; never iterated.
  std::unordered_map<std::uint32_t, Outputs> open_;
  std::unordered_map<std::uint32_t, std::uint64_t> tickets_;  ///< the k of receives
  /// Data in flight between two PEs: the k-th receive takes the data of the k-th send.
  struct Channel {
    std::uint64_t sends = 0;
    std::uint64_t receives = 0;
    std::map<std::uint64_t, Array> sent;  ///< data not received yet, by k
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Channel> channels_;  ///< by receiver, direction
};

}  // namespace kernbench::model::data
