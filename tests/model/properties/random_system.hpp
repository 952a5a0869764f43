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

namespace kernbench::model::properties {

/// An access and when it is submitted.
struct TimedAccess {
  common::SimTime at;
  components::AccessRequest request;
};

/// A valid spec with everything drawn that enters a latency: sizes, layout, bandwidths, overheads.
[[nodiscard]] topology::TopologySpec random_spec(common::Rng& random);

/// A system that a seed stands for, and draws from it of what may be asked of it.
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

  /// Of HBM, SRAM or another PE's TCM by a DMA, or of HBM or SRAM by the host; of up to `max_flits`
  /// flits, submitted before `before`.
  [[nodiscard]] TimedAccess access(std::uint64_t max_flits, common::SimTime before);
  /// Many such; about a third take the route of another.
  [[nodiscard]] std::vector<TimedAccess> accesses(std::size_t count, std::uint64_t max_flits,
                                                  common::SimTime before);
  /// By the host, of HBM or SRAM, at time 0.
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
