// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/api.hpp"
#include "common/units.hpp"
#include "model/components/machine/channel_load.hpp"
#include "model/components/machine/component.hpp"
#include "model/engine/slot_pool.hpp"
#include "model/transport/network.hpp"

namespace kernbench::model::components {

/// One access to a memory.
struct RoutedAccess {
  bool write = false;
  const transport::Route* route = nullptr;  ///< from the requester to the memory
  std::uint64_t address = 0;                ///< offset of the first byte in the memory
  std::uint64_t bytes = 0;                  ///< total of all rows, at least 1
  std::uint64_t transaction = 0;            ///< 0: a new one
  transport::SourceOverhead source =
      transport::SourceOverhead::Added;  ///< overhead of the requester
  std::uint64_t row_bytes = 0;   ///< bytes of a row of a rectangle; 0: the bytes are contiguous
  std::uint64_t row_stride = 0;  ///< bytes from the start of a row to the start of the next

  /// Bytes in sequence in the memory.
  struct Run {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
  };
  /// Returns the rest of a row from byte `offset` of the access, which is in it. Needs row_bytes.
  [[nodiscard]] Run rest_of_row(std::uint64_t offset) const {
    const std::uint64_t within = offset % row_bytes;
    return {address + offset / row_bytes * row_stride + within,
            std::min(bytes - offset, row_bytes - within)};
  }
};

/// An access described without a machine: the route is a list of edges, and there is one row.
struct AccessRequest {
  bool write = false;
  std::vector<topology::EdgeId> route;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t transaction = 0;
  transport::SourceOverhead source = transport::SourceOverhead::Added;
};

/// Times of an access.
struct AccessTimes {
  common::SimTime submitted;
  std::optional<common::SimTime> first_response;
  common::SimTime done;
};

/// Receives the completion of accesses.
class AccessListener {
 public:
  virtual ~AccessListener() = default;
  /// Called when the last flit of the response arrives, at times.done.
  virtual void on_access_done(const AccessTimes& times) = 0;
};

/// Reads and writes of memories over the wires (DESIGN section 5).
///
/// A read sends a request. When the request has fully arrived and the memory's overhead has
/// elapsed, the memory serves the flits, which return in address order. A write sends its data. The
/// memory serves each flit when it arrives, and sends an acknowledgement of request_bytes after the
/// last. Latency counts from submission to the arrival of the last flit of the response.
class KERNBENCH_API MemoryAccesses : public transport::FlitReceiver {
 public:
  /// The machine must outlive it.
  explicit MemoryAccesses(Machine& machine);

  /// Starts an access now. `listener` may be null. Throws std::invalid_argument for 0 bytes,
  /// overlapping rows, or a route that does not end at a memory.
  void submit(const RoutedAccess& access, AccessListener* listener = nullptr);
  void submit(const AccessRequest& request, AccessListener* listener = nullptr);

  /// Returns the number of accesses in progress.
  [[nodiscard]] std::uint64_t pending() const { return accesses_.size(); }
  /// Returns how evenly the accesses of a SIP's PEs have loaded the memories' channels so far.
  [[nodiscard]] const ChannelLoad& channel_load(std::uint32_t sip) const {
    return channel_loads_.of(sip);
  }

  void on_flit(std::uint64_t message, std::uint64_t index, common::SimTime came) override;
  void on_whole_begin(std::uint64_t message, const transport::FlitTimes& expected) override;
  void on_whole(std::uint64_t message, std::uint64_t flits,
                const transport::FlitTimes& came) override;

 private:
  struct Access {
    RoutedAccess asked;
    AccessListener* listener = nullptr;
    AccessTimes times;
    MemoryComponent* memory = nullptr;
    std::uint64_t to_serve = 0;  ///< flits not yet served
    common::SimTime served;      ///< end of service of the latest flit
    bool responding = false;
    std::uint64_t response_flits = 0;
    trace::HopRecord service;  ///< trace record of the stay at the memory
    Service slowest;           ///< service of the flit that was served last
  };

  void serve(Access& access, std::uint64_t index, common::SimTime came);
  /// Serves the bytes of a flit, each row at its own address. `offset` is the index of the flit's
  /// first byte in the access. Adds the time that channels work to `busy`.
  static Service serve_flit(const Access& access, std::uint64_t offset, std::uint32_t bytes,
                            common::SimTime ready, common::SimTime& busy);
  /// The work of an access for a channel of its memory.
  struct ChannelWork {
    std::uint32_t channel = 0;
    common::SimTime time;
    common::SimTime longest;  ///< time of a flit at most
  };
  /// Returns the work for each channel that an access uses, valid until the next call.
  const std::vector<ChannelWork>& channel_works(const Access& access);
  void serve_read(std::uint32_t id, Access& access, common::SimTime came);
  void serve_write(std::uint32_t id, Access& access, std::uint64_t index, common::SimTime came);
  void take_response(std::uint32_t id, Access& access, std::uint64_t index);
  void record_service(Access& access);
  /// Returns the cause of the response: the service after the last flit came.
  [[nodiscard]] engine::Cause service_step(const Access& access, common::SimTime came);

  Machine& machine_;
  engine::SlotPool<Access> accesses_;
  ChannelLoads channel_loads_;
  std::vector<ChannelWork> works_;  ///< result of the last channel_works()
};

}  // namespace kernbench::model::components
