// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/transport/wire_table.hpp"

namespace kernbench::model::transport {

/// One step of a route.
class Hop {
 public:
  enum class Kind : std::uint32_t {
    Wire,
    Follower,  ///< a wire that is taken together with the one before (WireTable)
    Carried,   ///< to another port of a fabric, through it
    End,       ///< no wire: the route ends here
  };
  Hop(Kind kind, std::uint32_t wire)
      : code_(static_cast<std::uint32_t>(kind) << kWireBits | wire) {}

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(code_ >> kWireBits); }
  [[nodiscard]] std::uint32_t wire() const { return code_ & ((std::uint32_t{1} << kWireBits) - 1); }

 private:
  static constexpr unsigned kWireBits = 30;
  std::uint32_t code_;  ///< kind and wire, packed because routes are long and many
};

/// A valid way over one or more edges. Belongs to a RouteTable.
struct Route {
  std::vector<topology::EdgeId> edges;
  std::uint32_t first_hop = 0;     ///< index in the RouteTable
  const Route* reverse = nullptr;  ///< set when first asked for
};

/// The routes in use, checked once and found again by their edges. The hops of all routes are in
/// one array, each route followed by an End, so that a flit needs one index to know its whole way.
class RouteTable {
 public:
  /// `wires` must outlive the table.
  explicit RouteTable(const WireTable& wires) : wires_(wires) {}

  /// Returns the route over `edges`; it is valid as long as the table. Throws std::invalid_argument
  /// for a route without edges, with edges that are not connected, with a port of a fabric or a
  /// node that only passes flits on at an end, that turns back at such a node, or that passes
  /// through a memory.
  const Route& find(std::span<const topology::EdgeId> edges);
  /// Returns the route in the opposite direction, which responses take.
  const Route& reversed(const Route& route);

  [[nodiscard]] Hop hop(std::uint32_t index) const { return hops_[index]; }
  [[nodiscard]] bool is_end(std::uint32_t index) const {
    return hops_[index].kind() == Hop::Kind::End;
  }
  [[nodiscard]] bool is_follower(std::uint32_t index) const {
    return hops_[index].kind() == Hop::Kind::Follower;
  }

 private:
  struct EdgesHash {
    std::size_t operator()(std::span<const topology::EdgeId> edges) const;
  };
  struct SameEdges {
    bool operator()(std::span<const topology::EdgeId> a, std::span<const topology::EdgeId> b) const;
  };

  void check(std::span<const topology::EdgeId> edges) const;
  [[nodiscard]] bool are_connected(topology::EdgeId before, topology::EdgeId next) const;
  [[nodiscard]] Hop hop_over(topology::EdgeId edge) const;

  const WireTable& wires_;
  std::deque<Route> routes_;
  std::unordered_map<std::span<const topology::EdgeId>, Route*, EdgesHash, SameEdges> by_edges_;
  std::vector<Hop> hops_;
};

}  // namespace kernbench::model::transport
