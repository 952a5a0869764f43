// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
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
  /// Index of its kernel's launch in OpLog::launches(); OpLog::kNone for copies of the host.
  std::uint32_t launch = std::numeric_limits<std::uint32_t>::max();
  bool awaited_later = false;  ///< its kernel went on, and waited for it at `end`
};

/// A tensor, for messages about its memory.
struct TensorRecord {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  DataType type = DataType::F32;
  SourceLine line;            ///< line that made it
  std::vector<Placed> parts;  ///< its memory
  std::uint32_t first = 0;    ///< first record after its allocation
  std::uint32_t end =
      std::numeric_limits<std::uint32_t>::max();  ///< first record after its release
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
  /// Returns the index of the launch. `kernel` is the name of its kernel.
  std::uint32_t add_launch(std::string kernel);
  /// Returns the index of the tensor. Sets `tensor.first`.
  std::uint32_t add_tensor(TensorRecord tensor);
  /// Notes that the memory of a tensor is free from now on.
  void release_tensor(std::uint32_t tensor);

  [[nodiscard]] const std::vector<OpRecord>& records() const { return records_; }
  [[nodiscard]] const std::vector<StageRecord>& stages() const { return stages_; }
  [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }
  /// Returns the names of the launched kernels, in the order in which the launches were requested.
  [[nodiscard]] const std::vector<std::string>& launches() const { return launches_; }
  [[nodiscard]] const std::vector<TensorRecord>& tensors() const { return tensors_; }

 private:
  std::vector<OpRecord> records_;
  std::vector<StageRecord> stages_;
  std::vector<Moment> moments_;
  std::vector<std::string> launches_;
  std::vector<TensorRecord> tensors_;
};

}  // namespace kernbench::model::data
