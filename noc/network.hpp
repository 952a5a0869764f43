// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kernbench::noc {

/// A flit as the RTL carries it, in the low `flit_bits` bits.
using Flit = std::uint64_t;
/// The virtual channels of an input or output, or the inputs of a router: bit p*V + v.
using Mask = std::uint64_t;

/// A channel joins two routers in one direction.
struct Channel {
  std::uint32_t src = 0;
  std::uint32_t dst = 0;
  std::uint32_t stages =
      1;  ///< registers between the routers, 0 to 15, for flits and credits alike
};

/// One way out of a router: a channel, and the class of virtual channels that a packet takes there.
struct Hop {
  std::uint32_t channel = 0;
  std::uint32_t vc_class = 0;
};

/// Returns the next hop of a packet at node `at` to the node `dst`, which is another one. `in` is
/// the channel by which it arrived; absent for a packet that was injected at `at`. Returns nothing
/// if no packet may be there. A pure function.
using Relation =
    std::function<std::optional<Hop>(std::uint32_t at, std::optional<Hop> in, std::uint32_t dst)>;

/// The sizes of a network besides its channels.
struct Sizes {
  std::uint32_t classes = 1;       ///< classes of virtual channels, as the relation uses them
  std::uint32_t lanes = 1;         ///< virtual channels of a class
  std::uint32_t slots = 8;         ///< flits that each virtual channel of an input holds
  std::uint32_t flit_bits = 64;    ///< 3 to 64
  std::uint32_t local_stages = 1;  ///< registers at the local input of each router

  [[nodiscard]] std::uint32_t vcs() const { return classes * lanes; }
};

/// A network: routers, the channels between them, and the routes. Every router has one more input
/// and output, which is local. Input p of a router is its p-th incoming channel, output o its o-th
/// outgoing one, in the order of the channels; the last of each is the local one. Immutable.
class Network {
 public:
  /// Most inputs times virtual channels of a router.
  static constexpr std::uint32_t kMaxInputVcs = 64;

  /// Where a packet leaves a router.
  struct Way {
    std::uint32_t output = 0;
    std::uint32_t vc_class = 0;
    friend constexpr bool operator==(const Way&, const Way&) = default;
  };

  /// Throws std::invalid_argument for sizes out of range, a channel between nodes that do not
  /// exist, a router with too many inputs, and flits too short for head, tail and destination.
  Network(std::uint32_t nodes, std::vector<Channel> channels, const Sizes& sizes,
          Relation relation);

  [[nodiscard]] std::uint32_t nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Channel>& channels() const { return channels_; }
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }

  /// Return the channels that lead to a node and away from it, in the order of its ports.
  [[nodiscard]] std::span<const std::uint32_t> incoming(std::uint32_t node) const {
    return incoming_[node];
  }
  [[nodiscard]] std::span<const std::uint32_t> outgoing(std::uint32_t node) const {
    return outgoing_[node];
  }
  /// Return the number of inputs and of outputs of a node, the local ones included.
  [[nodiscard]] std::uint32_t inputs(std::uint32_t node) const {
    return static_cast<std::uint32_t>(incoming_[node].size()) + 1;
  }
  [[nodiscard]] std::uint32_t outputs(std::uint32_t node) const {
    return static_cast<std::uint32_t>(outgoing_[node].size()) + 1;
  }
  /// Return the port of a channel at its two ends.
  [[nodiscard]] std::uint32_t input_of(std::uint32_t channel) const { return input_of_[channel]; }
  [[nodiscard]] std::uint32_t output_of(std::uint32_t channel) const { return output_of_[channel]; }
  /// Returns the registers in front of an input.
  [[nodiscard]] std::uint32_t stages(std::uint32_t node, std::uint32_t input) const {
    return input + 1 == inputs(node) ? sizes_.local_stages
                                     : channels_[incoming_[node][input]].stages;
  }

  /// Returns the way of a packet to `dst` that stands at an input of a router in this class.
  /// Returns nothing if the relation has none, or one that leaves from another router or takes a
  /// class that does not exist.
  [[nodiscard]] std::optional<Way> way(std::uint32_t node, std::uint32_t input,
                                       std::uint32_t vc_class, std::uint32_t dst) const;

  /// Return the parts of a flit. A head has its destination in the lowest address bits.
  [[nodiscard]] bool is_head(Flit flit) const { return (flit & head_bit_) != 0; }
  [[nodiscard]] bool is_tail(Flit flit) const { return (flit & tail_bit_) != 0; }
  [[nodiscard]] std::uint32_t destination(Flit head) const {
    return static_cast<std::uint32_t>(head & address_mask_);
  }
  /// Returns a flit. `payload` fills the bits below head and tail; those of a head's destination
  /// are replaced.
  [[nodiscard]] Flit flit(bool head, bool tail, std::uint32_t dst, std::uint64_t payload) const;
  [[nodiscard]] std::uint32_t address_bits() const { return address_bits_; }

  /// Returns the bits that an address of so many nodes has, at least 1.
  [[nodiscard]] static constexpr std::uint32_t bits_for(std::uint32_t nodes) {
    std::uint32_t bits = 1;
    while ((std::uint64_t{1} << bits) < nodes) ++bits;
    return bits;
  }

 private:
  std::uint32_t nodes_;
  std::vector<Channel> channels_;
  Sizes sizes_;
  Relation relation_;
  std::vector<std::vector<std::uint32_t>> incoming_, outgoing_;
  std::vector<std::uint32_t> input_of_, output_of_;
  std::uint32_t address_bits_;
  Flit head_bit_, tail_bit_, address_mask_;
};

/// Calls `use(node, input, vc_class, dst, way)` once for each way that some packet may take: those
/// on the routes of all pairs of nodes, and of each node to itself. The ways of a packet that a
/// relation leaves without a next hop end there. The order follows the sources and destinations.
using UseOfWay = std::function<void(std::uint32_t node, std::uint32_t input, std::uint32_t vc_class,
                                    std::uint32_t dst, Network::Way way)>;
void for_each_used_way(const Network& network, const UseOfWay& use);

}  // namespace kernbench::noc
