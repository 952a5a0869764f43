// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/flat_map.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/components/machine/pe_command.hpp"
#include "model/data/op_log.hpp"
#include "model/data/producers.hpp"
#include "model/data/replay.hpp"

namespace kernbench::model::data {

/// Keeps the log of a run and determines the dependencies of each operation: the writers of the
/// memory that it reads, and the send that matches a receive.
class Recorder final : public components::StageObserver {
 public:
  /// The content of a log. Stages alone suffice for timing, but not for a replay. `Live` also
  /// computes the numbers of each operation when it is logged.
  enum class Keeps : std::uint8_t { Stages, Operations, Live };
  explicit Recorder(Keeps keeps = Keeps::Operations) : keeps_operations_(keeps != Keeps::Stages) {
    if (keeps == Keeps::Live) live_.emplace();
  }

  [[nodiscard]] bool keeps_operations() const { return keeps_operations_; }
  [[nodiscard]] const OpLog& log() const { return log_; }
  /// Returns the numbers computed so far, or null unless they are computed live.
  [[nodiscard]] const Replay* live() const { return live_ ? &*live_ : nullptr; }
  /// Returns the number of operations started, logged or not.
  [[nodiscard]] std::uint32_t operations() const { return operations_; }

  /// Logs the start of an operation; returns its number. `record.dependencies` holds the producers
  /// of its tiles, in any order. If operations are not kept, only copies between PEs need
  /// parameters. Throws ReplayError when live numbers cannot be computed.
  std::uint32_t begin(OpRecord&& record);
  /// Counts an operation that is not logged; returns its number. It needs no end().
  std::uint32_t count_unkept() { return operations_++; }
  /// Logs the end of an operation. Throws std::invalid_argument when a receive and its send differ
  /// in shape or type, and ReplayError like begin().
  void end(std::uint32_t record, common::SimTime now);

  /// Logs a launch of a kernel; returns its index for OpRecord::launch.
  std::uint32_t add_launch(const std::string& kernel) { return log_.add_launch(kernel); }
  /// Logs a tensor; returns its index. Without operations it is not logged.
  std::uint32_t add_tensor(TensorRecord tensor) {
    return keeps_operations_ ? log_.add_tensor(std::move(tensor)) : 0;
  }
  /// Logs that the memory of a tensor is free from now on.
  void release_tensor(std::uint32_t tensor) {
    if (keeps_operations_) log_.release_tensor(tensor);
  }

  void on_stage(const components::TileToken& token, topology::NodeId engine,
                common::SimTime now) override;

 private:
  /// One end of a copy between PEs. The shape is the one after transposition.
  struct End {
    std::uint32_t record = 0;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    DataType type = DataType::F32;
    SourceLine line;
  };
  /// A connection of two PEs. The k-th send matches the k-th receive, in starting order.
  struct Channel {
    boost::container::flat_map<std::uint64_t, End> sends;  ///< unmatched sends, by k
    std::uint64_t sends_begun = 0;
    std::uint64_t receives_begun = 0;
  };
  struct Receive {
    End end;
    Channel* channel = nullptr;
    std::uint64_t index = 0;
  };
  void note_copy(std::uint32_t number, const IpcqCopyParams& copy, const SourceLine& line);
  /// Removes the send that matches a receive and returns its record.
  [[nodiscard]] static std::uint32_t take_send(const Receive& receive);

  bool keeps_operations_;
  std::uint32_t operations_ = 0;
  OpLog log_;
  std::optional<Replay> live_;
  Producers producers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Channel>
      channels_;                                ///< by receiver and direction
  std::map<std::uint32_t, Receive> receiving_;  ///< receives in flight, by record
};

}  // namespace kernbench::model::data
