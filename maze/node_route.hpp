// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "maze/network_frame.hpp"
#include "maze/packet_layout.hpp"

namespace kernbench::maze {

/// Where a packet came from: a link along X or Y, or port A.
enum class Arrival : std::uint8_t { X, Y, User };

/// Routes of the MAZE network, requirements 2.4 to 2.8. A unicast goes along X, then along Y, but
/// along Y first round a failed corner. A multicast forks along X at its source, then along Y; with
/// a failed node its source sends unicasts in its place.
class NodeRoute {
 public:
  explicit NodeRoute(const NetworkConfig& config);

  /// Returns the outputs of `node` that a packet goes to: a bit for each, links first, B last.
  [[nodiscard]] std::uint32_t outputs(Arrival from, unsigned node, Payload packet) const;

  /// Returns true for a multicast that its source sends as unicasts.
  [[nodiscard]] bool expands(Payload packet) const {
    return failed_.has_value() && layout_.type(packet) != 0;
  }
  /// Returns the first node from `from` on that a multicast names and that has not failed.
  [[nodiscard]] std::optional<unsigned> next_copy(Payload packet, unsigned from) const;
  /// Returns the packet with the address of `node` as its target.
  [[nodiscard]] Payload aimed_at(unsigned node, Payload packet) const;

  [[nodiscard]] static Arrival arrival(const Shape& shape, unsigned port) {
    if (port == shape.ports()) return Arrival::User;
    return port < shape.x_ports() ? Arrival::X : Arrival::Y;
  }

 private:
  struct Place {
    std::uint8_t x = 0;
    std::uint8_t y = 0;
  };
  [[nodiscard]] Place target(Payload packet) const {
    const unsigned address = layout_.tgt(packet);
    return {static_cast<std::uint8_t>(address & x_mask_),
            static_cast<std::uint8_t>(address >> shape_.x_addr_bits())};
  }
  [[nodiscard]] std::uint32_t along_x(Place at, Place to) const;
  [[nodiscard]] std::uint32_t along_y(Place at, Place to) const;

  Shape shape_;
  PacketLayout layout_;
  std::optional<Place> failed_;
  unsigned x_mask_;
  std::uint32_t all_x_, all_y_, user_;  ///< outputs
  std::vector<Place> places_;           ///< by node
};

}  // namespace kernbench::maze
