#pragma once

#include <cstddef>
#include <cstdint>

#include "common/id_map.hpp"
#include "common/units.hpp"
#include "model/fabric/seam/fabric_clock.hpp"

namespace kernbench::model::engine {
class Simulation;
}

namespace kernbench::model::fabric {

/// To whom the packets of a transfer go; the numbers are those of the packet's type field.
enum class TransferType : std::uint8_t {
  Unicast = 0,
  XMulticast = 1,  ///< every node of the source's row, the source too
  YMulticast = 2,  ///< every node of its column
  Broadcast = 3,   ///< every node
};

/// The packet's QoS field. Where packets meet, high goes first.
enum class Qos : std::uint8_t { Low = 0, High = 1 };

/// Bytes to be carried from node to node; nodes are numbered from 0.
struct Transfer {
  std::uint64_t id = 0;  ///< the submitter's own; no other transfer in flight has it
  std::uint32_t src = 0;
  std::uint32_t dst = 0;  ///< of a unicast; a multicast does not look at it
  TransferType type = TransferType::Unicast;
  Qos qos = Qos::Low;
  std::uint64_t bytes = 0;
  std::uint64_t transaction = 0;  ///< of the submitter, for traces; 0 is none
};

/// Hears of the end of its transfers.
class TransferListener {
 public:
  virtual ~TransferListener() = default;
  /// Called once for each transfer, at the clock edge at which its last packet moved to its last
  /// destination: that is Simulation::now(). May submit transfers.
  virtual void on_transfer_done(std::uint64_t id) = 0;
};

/// Largest transfer: 1 TiB.
inline constexpr std::uint64_t kMaxTransferBytes = std::uint64_t{1} << 40U;

/// Packets with so many bits of data that `bytes` make: the last may be partly filled.
[[nodiscard]] constexpr std::uint64_t packets_of(std::uint64_t bytes, std::uint32_t packet_bits) {
  return (bytes * 8 + packet_bits - 1) / packet_bits;
}

/// Carries transfers between nodes in packets, on a clock of its own (DESIGN section 6). Which
/// model does it, an analytic one, the cycle reference or the RTL, is behind this seam.
class Fabric {
 public:
  /// What all fabrics have.
  struct Properties {
    std::uint32_t n_nodes = 0;
    common::SimTime period;             ///< of the clock
    std::uint32_t packet_bits = 8;      ///< of data in a packet
    bool has_rows_and_columns = false;  ///< whose nodes are joined to each other: can multicast
  };

  virtual ~Fabric() = default;
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  [[nodiscard]] std::uint32_t n_nodes() const { return properties_.n_nodes; }
  [[nodiscard]] const FabricClock& clock() const { return clock_; }

  /// Hands a transfer over now; it is seen at the first edge strictly after now. `listener` must
  /// outlive the transfer. A unicast from a node to itself is injected and uses no link.
  /// Throws std::invalid_argument, and changes nothing, for no bytes or more than
  /// kMaxTransferBytes, a node that the fabric does not have or that the source cannot reach, an id
  /// that is in flight, and a multicast without rows and columns.
  void submit(const Transfer& transfer, TransferListener& listener);

  [[nodiscard]] std::uint64_t packets_of(std::uint64_t bytes) const {
    return fabric::packets_of(bytes, properties_.packet_bits);
  }
  /// Transfers that are not done.
  [[nodiscard]] std::size_t in_flight() const { return listeners_.size(); }

 protected:
  /// `simulation` must outlive the fabric. Throws std::invalid_argument for packets without bits
  /// and a period below 1 ps.
  Fabric(engine::Simulation& simulation, const Properties& properties);

  [[nodiscard]] engine::Simulation& simulation() const { return simulation_; }

  /// Takes on a transfer whose fields submit() has checked; calls complete() at its last edge.
  /// Throws std::invalid_argument for one that it cannot carry.
  virtual void carry(const Transfer& transfer) = 0;

  /// Tells the listener. Throws std::logic_error when the transfer is not in flight.
  void complete(std::uint64_t id);

 private:
  void check(const Transfer& transfer) const;

  engine::Simulation& simulation_;
  Properties properties_;
  FabricClock clock_;
  common::IdMap<TransferListener*> listeners_;
};

}  // namespace kernbench::model::fabric
