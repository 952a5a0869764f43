#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "common/units.hpp"
#include "model/components/hbm_ctrl.hpp"
#include "model/transport/network.hpp"

namespace kernbench::model::components {

/// What one access to memory asks for.
struct AccessRequest {
  bool write = false;
  std::vector<topology::EdgeId> route;  ///< from the requester to an hbm_ctrl
  std::uint64_t address = 0;            ///< of the first byte, within the slice
  std::uint64_t bytes = 0;              ///< at least 1
};

/// Hears of the end of accesses.
class AccessListener {
 public:
  virtual ~AccessListener() = default;
  /// The last flit of the response of access `id` has arrived; the time is Simulation::now().
  virtual void on_access_done(std::uint64_t id) = 0;
};

/// When the flits of a response came in.
struct AccessTimes {
  common::SimTime submitted;
  std::optional<common::SimTime> first_response;
  common::SimTime done;
};

/// Reads and writes of HBM over the wires (DESIGN section 5). A read sends a request; when it has
/// fully arrived, and after the controller's overhead, its flits are served and return in address
/// order. A write sends its data; each flit is served when it arrives, and an acknowledgement of
/// request_bytes leaves when the last has been. Latency runs from submission to the arrival of the
/// last flit of the response.
class MemoryAccesses : public transport::FlitReceiver {
 public:
  /// All must outlive it.
  MemoryAccesses(engine::Simulation& simulation, const topology::TopologyGraph& graph,
                 transport::Network& network);

  /// Starts an access now; returns its number. `listener` may be null. Throws std::invalid_argument
  /// for no bytes, or a route that does not end at an hbm_ctrl.
  std::uint64_t submit(const AccessRequest& request, AccessListener* listener = nullptr);

  /// Of an access that is done or under way.
  [[nodiscard]] const AccessTimes& times(std::uint64_t id) const { return accesses_.at(id).times; }
  /// Accesses that are not done yet.
  [[nodiscard]] std::uint64_t pending() const { return pending_; }

  void on_flit(std::uint64_t message, std::uint64_t index) override;

 private:
  struct Access {
    AccessRequest request;
    AccessListener* listener = nullptr;
    AccessTimes times;
    topology::NodeId controller;
    std::uint64_t to_serve = 0;  ///< flits of a write that have not arrived
    common::SimTime served;      ///< when the last flit so far has been served
    bool responding = false;
    std::uint64_t to_come = 0;  ///< flits of the response that have not arrived
  };

  [[nodiscard]] HbmCtrl& controller(topology::NodeId node);
  [[nodiscard]] common::SimTime serve(Access& access, std::uint64_t index);
  void serve_read(std::uint64_t id, Access& access);
  void serve_write(std::uint64_t id, Access& access, std::uint64_t index);
  void take_response(std::uint64_t id, Access& access);

  engine::Simulation& simulation_;
  const topology::TopologyGraph& graph_;
  transport::Network& network_;
  std::uint32_t flit_bytes_;
  std::uint32_t request_bytes_;
  std::unordered_map<std::uint32_t, HbmCtrl> controllers_;  ///< by node; never walked through
  std::vector<Access> accesses_;
  std::uint64_t pending_ = 0;
};

}  // namespace kernbench::model::components
