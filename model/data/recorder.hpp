#pragma once

#include <boost/container/flat_map.hpp>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/components/machine/pe_command.hpp"
#include "model/data/op_log.hpp"
#include "model/data/producers.hpp"

namespace kernbench::model::data {

/// Keeps the log of a run, and finds out what each operation depends on: who wrote the memory that
/// it reads, and which send a receive belongs to.
class Recorder final : public components::StageObserver {
 public:
  /// Without the operations the log has only stages: enough for times and figures, not for a
  /// replay.
  explicit Recorder(bool keeps_operations = true) : keeps_operations_(keeps_operations) {}

  [[nodiscard]] bool keeps_operations() const { return keeps_operations_; }
  [[nodiscard]] const OpLog& log() const { return log_; }
  /// How many have begun, kept or not.
  [[nodiscard]] std::uint32_t operations() const { return operations_; }

  /// An operation begins; returns its number. `record.dependencies` has the producers of its tiles,
  /// in any order. Of operations that are not kept, only copies between PEs need parameters.
  std::uint32_t begin(OpRecord&& record);
  /// An operation begins of which nobody wants to know more than that; returns its number. It need
  /// not end.
  std::uint32_t count_unkept() { return operations_++; }
  /// Throws std::invalid_argument when a receive got something else than its shape and type say.
  void end(std::uint32_t record, common::SimTime now);

  void on_stage(const components::TileToken& token, topology::NodeId engine,
                common::SimTime now) override;

 private:
  /// One end of a copy between PEs, as the receiver sees it.
  struct End {
    std::uint32_t record = 0;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    DataType type = DataType::F32;
    SourceLine line;
  };
  /// The k-th send belongs to the k-th receive, in the order in which they began.
  struct Channel {
    boost::container::flat_map<std::uint64_t, End> sends;  ///< not received yet, by k
    std::uint64_t sends_begun = 0;
    std::uint64_t receives_begun = 0;
  };
  struct Receive {
    End end;
    Channel* channel = nullptr;
    std::uint64_t index = 0;
  };
  void note_copy(std::uint32_t number, const IpcqCopyParams& copy, const SourceLine& line);
  /// The send that a receive belongs to, which is forgotten.
  [[nodiscard]] static std::uint32_t take_send(const Receive& receive);

  bool keeps_operations_;
  std::uint32_t operations_ = 0;
  OpLog log_;
  Producers producers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Channel> channels_;  ///< receiver, direction
  std::map<std::uint32_t, Receive> receiving_;  ///< that have not ended, by record
};

}  // namespace kernbench::model::data
