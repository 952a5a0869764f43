// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/units.hpp"
#include "model/ccl/process_group.hpp"
#include "model/chakra/trace.hpp"
#include "model/engine/event_handler.hpp"
#include "model/engine/simulation.hpp"
#include "model/runtime/device_tensor.hpp"

namespace kernbench::model::chakra {

/// Memory traffic, a collective or a message, with all that determines its time on an idle machine.
struct Operation {
  enum class Kind : std::uint8_t { Load, Store, Collective, Message };
  Kind kind = Kind::Load;
  std::uint32_t collective = 0;  ///< index in kCollectives
  std::uint32_t group = 0;       ///< index in TraceSet::groups
  std::uint32_t root = 0;        ///< index among the members
  std::uint64_t bytes = 0;
  /// Ranks that take part: members of a group in their order, or the sender and the receiver.
  std::vector<std::uint32_t> ranks{};

  friend auto operator<=>(const Operation&, const Operation&) = default;
};

/// The interval in which a rank takes part in an operation.
struct OperationTime {
  common::SimTime start;
  common::SimTime end;
};

/// Carries out operations on the machine. Each rank has one stream, in which its operations run one
/// at a time in the order of issue.
///
/// The operations that are issued at one instant are a batch. With `reuse`, a batch that begins
/// while nothing else is in flight takes the times of an equal batch that ran undisturbed before,
/// and the machine stays idle.
class Operations final : public engine::EventHandler {
 public:
  /// Called when rank `place` of an operation has done its part; `tag` is that of issue().
  using Done = std::function<void(std::uint64_t tag, std::uint32_t place, OperationTime time)>;

  Operations(const TraceSet& traces, bool reuse, Done done);

  /// Allocates the tensors of a rank's operations, on the rank's fiber. The worker and its world
  /// must outlive all operations. Throws common::BadInput if they do not fit.
  void prepare(ccl::Worker& worker);
  /// Starts an operation at the current time, after those issued before.
  void issue(Operation operation, std::uint64_t tag);

  [[nodiscard]] std::uint64_t simulated() const { return simulated_; }
  [[nodiscard]] std::uint64_t reused() const { return reused_; }
  /// Returns the number of operations that began while a reused one was in flight.
  [[nodiscard]] std::uint64_t overlapping() const { return overlapping_; }

 private:
  struct Rank {
    ccl::Worker* worker = nullptr;
    runtime::Tensor memory;  ///< region of loads and stores
    /// By rows, columns and whether it is an output.
    std::map<std::tuple<std::uint64_t, std::uint64_t, bool>, runtime::Tensor> tensors;
  };
  struct Issued {
    Operation operation;
    std::uint64_t tag = 0;
  };
  /// An operation whose end at a rank is known.
  struct Planned {
    std::uint64_t tag = 0;
    std::uint32_t place = 0;
    OperationTime time;
  };
  /// The part of a rank in an operation of a batch.
  struct Part {
    std::size_t number = 0;   ///< place of the operation in the batch
    std::uint32_t place = 0;  ///< place of the rank in the operation
    OperationTime time;       ///< relative to the begin of the batch
  };
  struct Recording {
    std::vector<Operation> batch;
    common::SimTime begin;
    std::vector<Part> parts;  ///< in the order in which they end
  };

  void on_event(engine::EventArgument argument) override;
  void begin_batch();
  void take_over(const std::vector<Issued>& batch, const std::vector<Part>& parts);
  /// Starts an operation on the machine. `number` is its place in the batch.
  void simulate(const Issued& issued, std::size_t number);
  /// Requests the part of a rank.
  void request(ccl::Worker& worker, const Operation& operation, std::uint32_t place);
  /// Returns the tensors of a rank's part in a collective or message, which prepare() makes.
  [[nodiscard]] std::pair<runtime::Tensor, runtime::Tensor> tensors_of(ccl::Worker& worker,
                                                                       const Operation& operation,
                                                                       std::uint32_t place);
  [[nodiscard]] engine::Simulation& simulation() const;
  [[nodiscard]] ccl::Group& group_of(ccl::Worker& worker, std::uint32_t group) const;

  const TraceSet& traces_;
  bool reuse_;
  Done done_;
  std::vector<std::string> group_names_;  ///< in the world, by group
  std::vector<Rank> ranks_;
  std::vector<Issued> issued_;  ///< operations of the current instant
  std::map<std::vector<Operation>, std::vector<Part>> known_;
  std::optional<Recording> recording_;
  std::vector<Planned> planned_;
  std::vector<std::uint32_t> free_plans_;
  std::size_t in_flight_ = 0;  ///< ranks' parts of operations
  std::size_t planned_in_flight_ = 0;
  std::uint64_t simulated_ = 0;
  std::uint64_t reused_ = 0;
  std::uint64_t overlapping_ = 0;
};

}  // namespace kernbench::model::chakra
