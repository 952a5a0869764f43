#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "model/components/pe_command.hpp"
#include "model/data/op_log.hpp"
#include "model/data/producers.hpp"

namespace kernbench::model::data {

/// Keeps the log of a run, and finds out what each operation depends on: who wrote the memory that
/// it reads, and which send a receive belongs to.
class Recorder final : public components::StageObserver {
 public:
  [[nodiscard]] const OpLog& log() const { return log_; }

  /// An operation begins. `record.dependencies` has the producers of its tiles, in any order.
  std::uint32_t begin(OpRecord record);
  void end(std::uint32_t record, common::SimTime now);

  void on_stage(const components::TileToken& token, topology::NodeId engine,
                common::SimTime now) override;

 private:
  OpLog log_;
  Producers producers_;
  /// Sends and receives by receiver and direction, in the order in which they began.
  struct Channel {
    std::vector<std::uint32_t> sends;
    std::uint64_t receives = 0;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Channel> channels_;
  std::map<std::uint32_t, std::uint64_t> receiving_;  ///< which of its channel, by record
};

}  // namespace kernbench::model::data
