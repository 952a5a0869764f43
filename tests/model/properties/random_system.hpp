// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/random.hpp"
#include "common/units.hpp"
#include "model/components/machine/memory_access.hpp"
#include "model/transport/route_table.hpp"
#include "model/transport/wire_table.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/routing/address_resolver.hpp"
#include "topology/routing/path_router.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::properties {

/// An access and its time of submission.
struct TimedAccess {
  common::SimTime at;
  components::AccessRequest request;
};

/// Returns a valid spec. Everything that affects latencies is random: sizes, layout, bandwidths and
/// overheads.
[[nodiscard]] topology::TopologySpec random_spec(common::Rng& random);

/// The random system of a seed, and a source of random accesses to it.
class RandomSystem {
 public:
  explicit RandomSystem(std::uint64_t seed);
  RandomSystem(std::uint64_t seed, const topology::TopologySpec& spec);

  [[nodiscard]] const topology::TopologyGraph& graph() const { return graph_; }
  [[nodiscard]] const topology::TopologySpec& spec() const { return graph_.spec(); }
  [[nodiscard]] const topology::PathRouter& router() const { return router_; }
  [[nodiscard]] const topology::AddressResolver& resolver() const { return resolver_; }
  [[nodiscard]] common::Rng& random() { return random_; }
  [[nodiscard]] std::vector<topology::EdgeId> way_back(
      std::span<const topology::EdgeId> route) const {
    transport::RouteTable routes(wires_);
    return routes.reversed(routes.find(route)).edges;
  }

  /// Returns an access by a DMA to HBM, SRAM or the TCM of another PE, or by the host to HBM or
  /// SRAM. It has at most `max_flits` flits and is submitted at `before` or earlier.
  [[nodiscard]] TimedAccess access(std::uint64_t max_flits, common::SimTime before);
  /// Returns `count` accesses; about a third share the route of another.
  [[nodiscard]] std::vector<TimedAccess> accesses(std::size_t count, std::uint64_t max_flits,
                                                  common::SimTime before);
  /// Returns an access by the host to HBM or SRAM.
  [[nodiscard]] components::AccessRequest host_access();

 private:
  enum class Memory : std::uint8_t { Hbm, Sram, Tcm };
  struct Place {
    std::uint32_t sip = 0;
    std::uint32_t cube = 0;
    std::uint32_t pe = 0;
  };
  [[nodiscard]] std::uint32_t draw(std::uint32_t below) {
    return static_cast<std::uint32_t>(random_.below(below));
  }
  [[nodiscard]] Place place();
  [[nodiscard]] topology::NodeId memory(Memory kind, const Place& place) const;

  common::Rng random_;
  topology::TopologyGraph graph_;
  topology::PathRouter router_;
  topology::AddressResolver resolver_;
  transport::WireTable wires_;
};

}  // namespace kernbench::model::properties
