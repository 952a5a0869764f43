// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
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
#include "model/runtime/context.hpp"
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

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of a <=> b < 0 for a pointer
  friend auto operator<=>(const Operation&, const Operation&) = default;
};

/// Carries out operations on the machine. A rank has a stream for memory traffic and collectives,
/// and streams for messages: one for each direction and peer, as long as a PE can run a kernel for
/// each, and else some share one. A stream runs one operation at a time; an operation starts when
/// it is the next of the streams of all its ranks, in the order of issue.
///
/// With `reuse`, the times of operations are used again. The operations that start at one instant
/// are a batch. A batch that starts while nothing else is in flight takes the times of an equal
/// batch that ran undisturbed before. Any other operation that starts together with others, or
/// while others are in flight, takes the times that it had when it was first simulated. Reused
/// operations put no traffic on the machine, so that others do not meet it.
class Operations final : public engine::EventHandler {
 public:
  /// Called when rank `place` of an operation has done its part, which began at `begin`; `tag` is
  /// that of issue().
  using Done = std::function<void(std::uint64_t tag, std::uint32_t place, common::SimTime begin)>;

  Operations(const TraceSet& traces, bool reuse, Done done);

  /// Allocates the tensors of a rank's operations, on the rank's fiber. The worker and its world
  /// must outlive all operations. Throws common::BadInput if they do not fit.
  void prepare(ccl::Worker& worker);
  /// Starts an operation as soon as its ranks have done those that were issued before.
  void issue(Operation operation, std::uint64_t tag);

  [[nodiscard]] std::uint64_t simulated() const { return simulated_; }
  [[nodiscard]] std::uint64_t reused() const { return reused_; }
  /// Returns the number of operations that started while others were in flight and do not meet
  /// their traffic, because one of them was reused.
  [[nodiscard]] std::uint64_t overlapping() const { return overlapping_; }

 private:
  static constexpr std::size_t kStreams = runtime::Context::kMaxStreams;
  struct Rank {
    ccl::Worker* worker = nullptr;
    std::array<runtime::Stream, kStreams> streams{};  ///< the first for all but messages
    /// Operations of each stream in the order of issue, the running one first.
    std::array<std::deque<std::uint32_t>, kStreams> queues;
    /// Streams of messages, by whether the rank sends, and its peer.
    std::map<std::pair<bool, std::uint32_t>, std::size_t> stream_of_peer;
    runtime::Tensor memory;  ///< region of loads and stores
    /// By rows, columns and whether it is an output.
    std::map<std::tuple<std::uint64_t, std::uint64_t, bool>, runtime::Tensor> tensors;
  };
  struct Issued {
    Operation operation;
    std::uint64_t tag = 0;
    std::size_t next_at = 0;  ///< number of ranks whose stream has done all earlier operations
    std::size_t left = 0;     ///< ranks that have not done their part
    std::size_t number = 0;   ///< place in its batch
    common::SimTime begin;
    std::vector<common::SimTime> times;  ///< times of the parts, by place
  };
  using Id = std::uint32_t;  ///< index in `issued_`
  /// The part of a rank in an operation of a batch.
  struct Part {
    std::size_t number = 0;   ///< place of the operation in the batch
    std::uint32_t place = 0;  ///< place of the rank in the operation
    common::SimTime time;
  };
  /// A part whose end is known.
  struct Planned {
    Id id = 0;
    std::uint32_t place = 0;
  };
  struct Recording {
    std::vector<Operation> batch;
    std::vector<Part> parts;  ///< in the order in which they end
  };

  void on_event(engine::EventArgument argument) override;
  /// Returns the stream of the part of a rank in an operation.
  [[nodiscard]] std::size_t stream_of(const Operation& operation, std::uint32_t place);
  /// Notes that an operation is the next of one more rank.
  void advance(Id id);
  void begin_batch();
  /// Ends a part after `time` without the machine.
  void plan(Id id, std::uint32_t place, common::SimTime time);
  /// Starts an operation on the machine.
  void simulate(Id id);
  void end_part(Id id, std::uint32_t place);
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
  std::vector<std::uint32_t> first_alike_;  ///< first group with the same ranks, by group
  std::vector<std::string> group_names_;    ///< names in the world, by group
  std::vector<Rank> ranks_;
  std::vector<Issued> issued_;  ///< operations that are not done, and free places
  std::vector<Id> free_;        ///< free places in `issued_`
  std::vector<Id> starting_;    ///< operations that start at the current instant
  std::map<std::vector<Operation>, std::vector<Part>> known_batches_;
  std::map<Operation, std::vector<common::SimTime>> known_;  ///< when first simulated, by place
  std::optional<Recording> recording_;
  std::vector<Planned> planned_;
  std::vector<std::uint32_t> free_plans_;
  std::size_t in_flight_ = 0;          ///< parts of operations that have started
  std::size_t planned_in_flight_ = 0;  ///< started parts whose end is known
  std::uint64_t simulated_ = 0;
  std::uint64_t reused_ = 0;
  std::uint64_t overlapping_ = 0;
};

}  // namespace kernbench::model::chakra
