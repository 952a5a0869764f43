// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "common/units.hpp"
#include "model/components/machine/pe_command.hpp"
#include "model/data/operation.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::data {

/// The source line of a call.
struct SourceLine {
  const char* file = "";
  int line = 0;

  [[nodiscard]] static constexpr SourceLine here(const char* file = __builtin_FILE(),
                                                 int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// A logged operation (Architecture, "Op Log and Memory Store Schemas"). Its kind and name follow
/// from the parameters.
struct OpRecord {
  common::SimTime start;
  common::SimTime end;
  topology::NodeId component;  ///< node that executed it
  Params params;
  std::vector<std::uint32_t> dependencies;  ///< records that made its inputs, ascending
  SourceLine line;
};

/// The timing of one stage of one tile of an operation. Replays use the operation instead.
struct StageRecord {
  common::SimTime start;
  common::SimTime end;
  topology::NodeId component;
  components::StageKind kind = components::StageKind::DmaRead;
  std::uint32_t operation = 0;  ///< record of the operation
  std::uint64_t work = 0;       ///< bytes, multiply-adds or elements
};

/// All operations on data of a run, in the order of their start. Logging takes no simulated time.
class OpLog {
 public:
  /// The start or end of an operation. Moments at the same time are in the engine's order, so the
  /// producers of an operation end before it starts.
  struct Moment {
    std::uint32_t record = 0;
    bool end = false;
  };

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// Logs the start of an operation at `record.start` and returns its number.
  std::uint32_t begin(OpRecord record);
  void end(std::uint32_t record, common::SimTime now);
  void add_dependency(std::uint32_t record, std::uint32_t on) {
    records_[record].dependencies.push_back(on);
  }
  void add_stage(const StageRecord& stage) { stages_.push_back(stage); }

  [[nodiscard]] const std::vector<OpRecord>& records() const { return records_; }
  [[nodiscard]] const std::vector<StageRecord>& stages() const { return stages_; }
  [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }

 private:
  std::vector<OpRecord> records_;
  std::vector<StageRecord> stages_;
  std::vector<Moment> moments_;
};

}  // namespace kernbench::model::data
