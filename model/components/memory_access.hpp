#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/units.hpp"
#include "model/components/component.hpp"
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

  /// Starts an access now. `listener` may be null. Throws std::invalid_argument for no bytes, or a
  /// route that does not end at a memory.
  void submit(const AccessRequest& request, AccessListener* listener = nullptr);

  /// Accesses that are not done yet.
  [[nodiscard]] std::uint64_t pending() const { return accesses_.size() - free_.size(); }

  void on_flit(std::uint64_t message, std::uint64_t index) override;

 private:
  struct Access {
    bool write = false;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint64_t transaction = 0;
    const transport::Route* route = nullptr;
    AccessListener* listener = nullptr;
    AccessTimes times;
    MemoryComponent* memory = nullptr;
    std::uint64_t to_serve = 0;  ///< flits of a write that have not arrived
    common::SimTime served;      ///< when the last flit so far has been served
    bool responding = false;
    std::uint64_t to_come = 0;  ///< flits of the response that have not arrived
    trace::HopRecord service;   ///< of the memory
  };

  void serve(Access& access, std::uint64_t index);
  void serve_read(std::uint64_t id, Access& access);
  void serve_write(std::uint64_t id, Access& access, std::uint64_t index);
  void take_response(std::uint64_t id, Access& access);
  void record_service(Access& access);

  Machine& machine_;
  std::vector<Access> accesses_;
  std::vector<std::uint64_t> free_;  ///< that may be used again
};

}  // namespace kernbench::model::components
