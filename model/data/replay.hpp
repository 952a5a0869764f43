#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/data/memory_store.hpp"
#include "model/data/op_log.hpp"

namespace kernbench::model::data {

/// The second pass: does the operations of a log again, with numbers (Architecture, "Two-Pass Data
/// Execution"). An operation takes its inputs when it began and leaves its outputs when it ended,
/// in the engine's order, so that what happened to memory in between does not matter to it.
/// Composite operations are done as a whole.
class Replay {
 public:
  /// Does everything in the log, on fresh memory; operations that never ended do nothing. Throws
  /// ReplayError, naming the operation, its time and its line, for one that it cannot do.
  void run(const OpLog& log);

  /// What a copy to the host brought. Throws std::out_of_range when none has this number.
  [[nodiscard]] const Array& result(std::uint32_t number) const { return results_.at(number); }
  /// All of them, by number.
  [[nodiscard]] const std::map<std::uint32_t, Array>& results() const { return results_; }
  [[nodiscard]] const MemoryStore& store() const { return store_; }

 private:
  using Outputs = std::vector<std::pair<Block, Array>>;
  [[nodiscard]] Outputs compute(const Params& params);
  [[nodiscard]] Outputs receive(const IpcqCopyParams& copy, std::uint64_t ticket);

  MemoryStore store_;
  std::map<std::uint32_t, Array> results_;
  /// Data between PEs, by receiver and direction: the k-th receive takes what the k-th send left.
  struct Channel {
    std::uint64_t sends = 0;
    std::uint64_t receives = 0;
    std::map<std::uint64_t, Array> sent;  ///< not taken yet, by number
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Channel> channels_;
};

}  // namespace kernbench::model::data
