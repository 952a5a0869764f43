// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/id_map.hpp"
#include "common/units.hpp"
#include "model/fabric/seam/fabric_clock.hpp"

namespace kernbench::model::engine {
class Simulation;
}

namespace kernbench::model::fabric {

/// Destinations of a transfer. The numbers are those of the packet's type field.
enum class TransferType : std::uint8_t {
  Unicast = 0,
  XMulticast = 1,  ///< every node with the x of the destination: a column
  YMulticast = 2,  ///< every node with the y of the destination: a row
  Broadcast = 3,   ///< every node
};

/// The packet's QoS field. High wins every arbitration against low.
enum class Qos : std::uint8_t { Low = 0, High = 1 };

/// Bytes to carry from a source node to its destinations. Nodes are numbered from 0.
struct Transfer {
  std::uint64_t id = 0;  ///< chosen by the submitter; unique among transfers in flight
  std::uint32_t src = 0;
  std::uint32_t dst = 0;  ///< node that the type refers to; ignored for a broadcast
  TransferType type = TransferType::Unicast;
  Qos qos = Qos::Low;
  std::uint64_t bytes = 0;
  std::uint64_t transaction = 0;  ///< submitter's transaction, for traces; 0: none
};

/// Is notified when its transfers complete.
class TransferListener {
 public:
  virtual ~TransferListener() = default;
  /// Called once for each transfer, when its last packet reaches its last destination.
  /// Simulation::now() is the time of that clock edge. May submit transfers.
  virtual void on_transfer_done(std::uint64_t id) = 0;
};

/// Largest transfer: 1 TiB.
inline constexpr std::uint64_t kMaxTransferBytes = std::uint64_t{1} << 40U;

/// Returns the number of packets of `packet_bits` data bits that hold `bytes`. The last packet may
/// be partly filled.
[[nodiscard]] constexpr std::uint64_t packets_of(std::uint64_t bytes, std::uint32_t packet_bits) {
  return (bytes * 8 + packet_bits - 1) / packet_bits;
}

/// Carries transfers between nodes in packets, on its own clock (DESIGN section 6).
/// Implementations: an analytic model, the cycle reference and the RTL.
class Fabric {
 public:
  /// Properties common to all fabrics.
  struct Properties {
    std::uint32_t n_nodes = 0;
    common::SimTime period;         ///< clock period
    std::uint32_t packet_bits = 8;  ///< data bits in a packet
    bool has_rows_and_columns =
        false;  ///< nodes of a row or column are linked directly: multicasts work
    std::optional<std::uint32_t> failed = {};  ///< node that neither sends nor receives
  };

  virtual ~Fabric() = default;
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  [[nodiscard]] std::uint32_t n_nodes() const { return properties_.n_nodes; }
  [[nodiscard]] const FabricClock& clock() const { return clock_; }
  /// Returns the node that has failed, if one has. Multicasts leave it out.
  [[nodiscard]] std::optional<std::uint32_t> failed() const { return properties_.failed; }

  /// Submits a transfer. The fabric sees it at the first edge strictly after Simulation::now().
  /// `listener` must outlive the transfer. A unicast from a node to itself is injected and uses no
  /// link. Throws std::invalid_argument, without effect, for
  /// - 0 bytes or more than kMaxTransferBytes,
  /// - a node that does not exist or has failed, or that the source cannot reach,
  /// - an id that is in flight,
  /// - a multicast in a fabric without rows and columns.
  void submit(const Transfer& transfer, TransferListener& listener);

  [[nodiscard]] std::uint64_t packets_of(std::uint64_t bytes) const {
    return fabric::packets_of(bytes, properties_.packet_bits);
  }
  /// Returns the number of transfers that are not complete.
  [[nodiscard]] std::size_t in_flight() const { return listeners_.size(); }

 protected:
  /// `simulation` must outlive the fabric. Throws std::invalid_argument for packets of 0 bits and a
  /// period below 1 ps.
  Fabric(engine::Simulation& simulation, const Properties& properties);

  [[nodiscard]] engine::Simulation& simulation() const { return simulation_; }

  /// Accepts a transfer whose fields submit() has checked, and calls complete() at its last edge.
  /// Throws std::invalid_argument for a transfer that it cannot carry.
  virtual void carry(const Transfer& transfer) = 0;

  /// Notifies the listener. Throws std::logic_error for a transfer that is not in flight.
  void complete(std::uint64_t id);

 private:
  void check(const Transfer& transfer) const;

  engine::Simulation& simulation_;
  Properties properties_;
  FabricClock clock_;
  common::IdMap<TransferListener*> listeners_;
};

}  // namespace kernbench::model::fabric
