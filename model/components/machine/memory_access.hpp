#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/units.hpp"
#include "model/components/machine/component.hpp"
#include "model/engine/slot_pool.hpp"
#include "model/transport/network.hpp"

namespace kernbench::model::components {

/// What one access to memory asks for.
struct AccessRequest {
  bool write = false;
  std::vector<topology::EdgeId> route;  ///< from the requester to a memory
  std::uint64_t address = 0;            ///< of the first byte, within the memory
  std::uint64_t bytes = 0;              ///< at least 1
  std::uint64_t transaction = 0;        ///< that it is a part of; 0: one of its own
  transport::SourceOverhead source = transport::SourceOverhead::Added;  ///< the requester's
};

/// The same, along a route that the network knows, and perhaps of a rectangle.
struct RoutedAccess {
  bool write = false;
  const transport::Route* route = nullptr;  ///< to a memory
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;  ///< of all rows
  std::uint64_t transaction = 0;
  transport::SourceOverhead source = transport::SourceOverhead::Added;
  /// Of a rectangle, whose rows travel packed one behind the other: the bytes of a row, and from
  /// the begin of one row to that of the next. 0: all bytes follow on.
  std::uint64_t row_bytes = 0;
  std::uint64_t row_stride = 0;
};

/// When the flits of a response came in.
struct AccessTimes {
  common::SimTime submitted;
  std::optional<common::SimTime> first_response;
  common::SimTime done;
};

/// Hears of the end of accesses.
class AccessListener {
 public:
  virtual ~AccessListener() = default;
  /// The last flit of the response has arrived; the time is Simulation::now(), which is times.done.
  virtual void on_access_done(const AccessTimes& times) = 0;
};

/// Reads and writes of memories over the wires (DESIGN section 5). A read sends a request; when it
/// has fully arrived, and after the memory's overhead, its flits are served and return in address
/// order. A write sends its data; each flit is served when it arrives, and an acknowledgement of
/// request_bytes leaves when the last has been. Latency runs from submission to the arrival of the
/// last flit of the response.
class MemoryAccesses : public transport::FlitReceiver {
 public:
  /// The machine must outlive it.
  explicit MemoryAccesses(Machine& machine) : machine_(machine) {}

  /// Starts an access now. `listener` may be null. Throws std::invalid_argument for no bytes, rows
  /// that overlap, or a route that does not end at a memory.
  void submit(const RoutedAccess& access, AccessListener* listener = nullptr);
  void submit(const AccessRequest& request, AccessListener* listener = nullptr) {
    submit(routed(request), listener);
  }
  [[nodiscard]] RoutedAccess routed(const AccessRequest& request) const;

  /// Accesses that are not done yet.
  [[nodiscard]] std::uint64_t pending() const { return accesses_.size(); }

  void on_flit(std::uint64_t message, std::uint64_t index, common::SimTime came) override;

 private:
  struct Access {
    RoutedAccess asked;
    AccessListener* listener = nullptr;
    AccessTimes times;
    MemoryComponent* memory = nullptr;
    std::uint64_t to_serve = 0;  ///< flits of a write that have not arrived
    common::SimTime served;      ///< when the last flit so far has been served
    bool responding = false;
    std::uint64_t response_flits = 0;
    trace::HopRecord service;  ///< of the memory
  };

  void serve(Access& access, std::uint64_t index, common::SimTime came);
  /// Serves what a flit holds, each row of it at its own address; `offset` is the flit's first byte
  /// among those of the access.
  static Service serve_flit(const Access& access, std::uint64_t offset, std::uint32_t bytes,
                            common::SimTime ready);
  void serve_read(std::uint32_t id, Access& access, common::SimTime came);
  void serve_write(std::uint32_t id, Access& access, std::uint64_t index, common::SimTime came);
  void take_response(std::uint32_t id, Access& access, std::uint64_t index);
  void record_service(Access& access);

  Machine& machine_;
  engine::SlotPool<Access> accesses_;
};

}  // namespace kernbench::model::components
