#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "model/engine/event_handler.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "model/fabric/traffic/traffic_source.hpp"
#include "model/fabric/traffic/transfer_ledger.hpp"

namespace kernbench::model::fabric {

/// Latencies in cycles, from the edge of submission to the edge at which the last packet arrived.
class LatencyCounts {
 public:
  void add(Edge latency) {
    if (latency < short_.size()) {
      ++short_[latency];
    } else {
      add_long(latency);
    }
    ++count_;
    sum_ += latency;
    max_ = std::max(max_, latency);
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean() const;  ///< 0 of none
  [[nodiscard]] Edge max() const { return max_; }
  /// The least latency that at least `percent` (1..100) of all do not exceed; 0 of none.
  [[nodiscard]] Edge percentile(unsigned percent) const;

 private:
  void add_long(Edge latency);

  std::array<std::uint64_t, 256> short_{};
  std::map<Edge, std::uint64_t> long_;
  std::uint64_t count_ = 0;
  Edge sum_ = 0;
  Edge max_ = 0;
};

/// Synthetic traffic (TrafficSource) over any fabric. It stops at the end of the measured cycles,
/// and what is on its way then is let through.
class SyntheticTraffic : private engine::EventHandler, private TransferListener {
 public:
  /// All must outlive it. Throws std::invalid_argument for a load outside 0..1 and no cycles, and
  /// as Fabric::submit() does for the bytes.
  SyntheticTraffic(engine::Simulation& simulation, Fabric& fabric, const TrafficPattern& pattern,
                   const TrafficLoad& load);

  /// Schedules the first cycle, which is at time 0. Then run the simulation.
  void start();
  /// First and last edge of the measured cycles: a packet that moves after the one and up to the
  /// other moves while it is measured.
  [[nodiscard]] common::SimTime begin() const { return fabric_.clock().time_of(load_.warmup); }
  [[nodiscard]] common::SimTime end() const { return fabric_.clock().time_of(stop_); }

  /// Packets per sender and cycle that were submitted in the measured cycles.
  [[nodiscard]] double offered() const { return per_sender_and_cycle(offered_transfers_); }
  /// And those of the transfers that were done in them.
  [[nodiscard]] double accepted() const { return per_sender_and_cycle(accepted_transfers_); }
  /// Of the transfers that were submitted in them.
  [[nodiscard]] const LatencyCounts& latencies() const { return latencies_; }
  /// Transfers of the whole run. Throws std::logic_error unless each was done exactly once.
  [[nodiscard]] std::uint64_t transfers_done() const;
  [[nodiscard]] std::uint64_t packets_of_transfer() const { return packets_; }

 private:
  void on_event(engine::EventArgument argument) override;
  void on_transfer_done(std::uint64_t id) override;
  [[nodiscard]] double per_sender_and_cycle(std::uint64_t transfers) const;

  engine::Simulation& simulation_;
  Fabric& fabric_;
  const TrafficPattern& pattern_;
  TrafficLoad load_;
  std::uint64_t packets_;
  Edge stop_;
  TrafficSource source_;
  TransferLedger ledger_;
  LatencyCounts latencies_;
  std::uint64_t offered_transfers_ = 0;
  std::uint64_t accepted_transfers_ = 0;
};

/// What one load did to an analytic fabric.
struct TrafficResult {
  double load = 0;
  double offered = 0;  ///< as SyntheticTraffic::offered()
  double accepted = 0;
  LatencyCounts latencies;
  std::uint64_t transfers = 0;                    ///< of the whole run
  double mean_hops = 0;                           ///< of a packet, in the whole run
  std::optional<topology::zoo::Channel> busiest;  ///< the first of those that moved most packets
  double busiest_use = 0;                         ///< packets per measured cycle on it
};

/// Runs one load in a simulation and a fabric of its own. `relation` is over `topology`.
[[nodiscard]] TrafficResult run_analytic_traffic(
    const topology::zoo::TopologyPtr& topology,
    const std::shared_ptr<const topology::zoo::RoutingRelation>& relation,
    const AnalyticSettings& settings, const TrafficPattern& pattern, const TrafficLoad& load);

}  // namespace kernbench::model::fabric
