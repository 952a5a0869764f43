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

/// Where in a source file something was asked for.
struct SourceLine {
  const char* file = "";
  int line = 0;

  // NOLINTNEXTLINE(readability-identifier-naming)
  [[nodiscard]] static constexpr SourceLine here(const char* file = __builtin_FILE(),
                                                 int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// An operation that was done: Architecture, "Op Log and Memory Store Schemas". Its kind and name
/// follow from the parameters.
struct OpRecord {
  common::SimTime start;
  common::SimTime end;
  topology::NodeId component;  ///< that did it
  Params params;
  std::vector<std::uint32_t> dependencies;  ///< the records that made its inputs, ascending
  SourceLine line;
};

/// One stage of one tile of an operation, for timing: replaying the operation covers it.
struct StageRecord {
  common::SimTime start;
  common::SimTime end;
  topology::NodeId component;
  components::StageKind kind = components::StageKind::DmaRead;
  std::uint32_t operation = 0;  ///< the record that it is a part of
  std::uint64_t work = 0;       ///< bytes, multiply-adds or elements
};

/// All operations on data of a run, in the order in which they began. It takes no simulated time,
/// and whether anybody reads it changes nothing.
class OpLog {
 public:
  /// A moment at which an operation began or ended. The engine's order decides between moments of
  /// the same time: what an operation used had ended before it began.
  struct Moment {
    std::uint32_t record = 0;
    bool end = false;
  };

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// Notes that an operation begins at `record.start`, and returns its number.
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
