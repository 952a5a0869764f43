// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "model/fabric/seam/fabric.hpp"
#include "noc/network.hpp"
#include "noc/packet_fields.hpp"
#include "topology/spec/noc_spec.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

/// The sizes of a network of NOC_ROUTERs that carries the transfers of a fabric.
struct NocSettings {
  std::uint32_t lanes = 1;          ///< virtual channels of each class of the routes
  std::uint32_t slots = 8;          ///< flits that each virtual channel of an input holds
  std::uint32_t stages = 1;         ///< registers of each link without any of its own
  std::uint32_t flit_bits = 32;     ///< data bits of a flit, 1 to 65536
  std::uint32_t packet_flits = 16;  ///< most flits of a packet, at least 1
};

/// Returns the natural routes of a topology. Throws std::invalid_argument for routes of a file that
/// do not arrive or can deadlock.
[[nodiscard]] std::shared_ptr<const topology::zoo::RoutingRelation> checked_routes(
    const topology::zoo::BaseTopology& topology);

/// A base topology as a network that carries transfers. Immutable.
///
/// Above the fields of noc::PacketFields, every flit has a sequence number among the packets from
/// its source to its destination, and data. Packets of one flow take any virtual channel and may
/// overtake each other; the numbers tell them apart. Routers never read data, so that those beyond
/// the first 32 bits of a flit are only counted.
class NocBase {
 public:
  /// Throws std::invalid_argument for sizes out of range, routes that do not arrive or can
  /// deadlock, and a network that is too large for its flits.
  NocBase(topology::zoo::TopologyPtr topology, const NocSettings& settings);
  NocBase(const NocBase&) = delete;
  NocBase& operator=(const NocBase&) = delete;

  [[nodiscard]] const topology::zoo::BaseTopology& topology() const { return *topology_; }
  [[nodiscard]] const topology::zoo::TopologyPtr& topology_ptr() const { return topology_; }
  [[nodiscard]] const std::shared_ptr<const topology::zoo::RoutingRelation>& relation() const {
    return relation_;
  }
  [[nodiscard]] const NocSettings& settings() const { return settings_; }
  [[nodiscard]] const noc::Network& network() const { return network_; }
  /// Returns the data bits that a flit of the network carries: at most 32.
  [[nodiscard]] std::uint32_t data_bits() const { return data_bits_; }
  /// Returns the most cycles of a flit through a router and the link in front of it.
  [[nodiscard]] std::uint32_t hop_cycles() const {
    return 2 + topology::zoo::most_stages(*topology_, settings_.stages);
  }

  /// The fields of a flit beside head and tail.
  struct Fields {
    noc::PacketFields::Origin origin;
    std::uint32_t number = 0;  ///< sequence number of the packet, below 2^number_bits()
    std::uint32_t data = 0;
  };
  [[nodiscard]] noc::Flit flit(bool head, bool tail, const Fields& fields) const;
  [[nodiscard]] Fields fields(noc::Flit flit) const;
  /// Returns the mask of a sequence number. No more packets of one flow are in the network at once.
  [[nodiscard]] std::uint32_t number_mask() const { return (1U << number_bits_) - 1; }
  /// Throws std::invalid_argument for a transfer that the network cannot carry: one with high QoS,
  /// and one whose destination the source does not reach.
  void require_carried(const Transfer& transfer) const;
  /// Returns a node as messages name it.
  [[nodiscard]] std::string node_name(std::uint32_t node) const;

 private:
  topology::zoo::TopologyPtr topology_;
  std::shared_ptr<const topology::zoo::RoutingRelation> relation_;
  NocSettings settings_;
  std::uint32_t number_bits_, data_bits_;
  noc::Network network_;
  noc::PacketFields fields_;
};

/// Describes the routers: "routers with 2 lanes of 8 slots a class, ...".
[[nodiscard]] std::string text_of(const NocSettings& sizes);
/// Returns the sizes that a spec gives.
[[nodiscard]] NocSettings noc_settings(const topology::NocSpec& noc);
/// Returns the network of a spec. Throws std::invalid_argument as NocBase does.
[[nodiscard]] std::shared_ptr<const NocBase> noc_base_of(const topology::NocTopology& topology,
                                                         const topology::NocSpec& noc);

}  // namespace kernbench::model::fabric
