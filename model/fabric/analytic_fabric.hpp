#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/engine/event_handler.hpp"
#include "model/fabric/fabric.hpp"
#include "model/fabric/packet_server.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/flattened_butterfly.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

/// What can be fitted to a fabric that is simulated cycle by cycle. They scale waits, so that
/// transfers that meet no others are exact whatever they are. Finite, at least 0.
struct AnalyticParameters {
  double injection_wait = 1.0;  ///< of the wait for the source's injection port
  double link_wait = 1.0;       ///< of the wait for a link
};

/// What an analytic fabric is made of, besides topology and relation.
struct AnalyticSettings {
  common::SimTime period;                    ///< of the clock
  std::uint32_t packet_bits = 8;             ///< of data in a packet
  std::vector<std::uint32_t> link_stages{};  ///< cycles in each channel; empty: none in any
  /// In which dimension a broadcast goes first.
  topology::DimensionOrder broadcast_order = topology::DimensionOrder::XY;
  AnalyticParameters parameters{};
};

/// What a channel carried up to now.
struct LinkUse {
  std::uint64_t transfers = 0;  ///< that began to wait for it
  std::uint64_t packets = 0;    ///< that moved into it, which are also its busy cycles
  Edge wait = 0;                ///< of the first packets of all transfers, in cycles
  Edge longest_wait = 0;        ///< of one
};

/// Works the way of each transfer out hop by hop instead of moving its packets: exact as long as
/// transfers do not meet, an estimate where they do ("Fabrics" in docs/model.md). Over any base
/// topology, by the first choice of a routing relation; multicasts on a FlattenedButterfly. A
/// transfer costs an event for each hop, whatever its size.
class AnalyticFabric : public Fabric, private engine::EventHandler {
 public:
  /// `simulation` must outlive the fabric. Throws std::invalid_argument for a relation over another
  /// topology, stages of another number of channels, and settings out of range.
  AnalyticFabric(engine::Simulation& simulation, topology::zoo::TopologyPtr topology,
                 std::shared_ptr<const topology::zoo::RoutingRelation> relation,
                 AnalyticSettings settings);

  /// Of a channel by its index. Throws std::out_of_range.
  [[nodiscard]] LinkUse use(std::uint32_t channel) const;

 private:
  /// A transfer, all of it or some copies of it, on its way.
  struct Flight {
    Transfer transfer;
    std::uint64_t packets = 0;
    std::optional<topology::zoo::Hop> in;  ///< by which a unicast came to where it is
    std::uint32_t branches = 0;            ///< events to come
    Edge last = 0;                         ///< at which the last packet moved, as far as known
  };
  struct Link {
    PacketServer server;
    std::uint32_t stages = 0;
    LinkUse use;
  };

  void carry(const Transfer& transfer) override;
  void on_event(std::uint64_t argument) override;

  [[nodiscard]] std::uint32_t add_flight(const Transfer& transfer);
  void go_on_from(std::uint32_t index, std::uint32_t node, Edge edge);
  void advance_unicast(std::uint32_t index, std::uint32_t node, Edge edge);
  void spread(std::uint32_t index, std::uint32_t node, Edge edge);
  Edge cross(const Flight& flight, std::uint32_t channel, Edge edge);
  void finish(std::uint32_t index);

  topology::zoo::TopologyPtr topology_;
  std::shared_ptr<const topology::zoo::RoutingRelation> relation_;
  const topology::zoo::FlattenedButterfly* rows_and_columns_;  ///< null: no multicasts
  AnalyticSettings settings_;
  std::vector<PacketServer> injection_;  ///< by node
  std::vector<Link> links_;              ///< by channel
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> free_flights_;
};

}  // namespace kernbench::model::fabric
